/** The harvest of a crawl as a small curve. */

import { crawlPath, getBytes } from '../api.js';
import { percent } from '../format.js';
import { html, useEffect, useState } from '../vendor/preact-htm.js';
import { readCurve } from '../columns.js';

const POINTS = 60;

/** @param {{values?: number[], crawl: string, pages: number}} given without values they are read from the server */
export function Spark({ values, crawl, pages }) {
  const [read, setRead] = useState(/** @type {number[] | null} */ (null));
  const rounded = pages < 1000 ? pages : Math.round(pages / 100); // a curve of thousands need not be read for each page
  useEffect(() => {
    if (!values)
      getBytes(crawlPath(crawl, '/curve'), { most: POINTS }).then(
        (bytes) => setRead([...readCurve(bytes).last50]),
        () => {},
      );
  }, [crawl, rounded]);
  const shown = values || read || [];
  if (shown.length < 2) return html`<div class="spark" aria-hidden="true"></div>`;
  const line = shown
    .map((value, index) => `${((index / (shown.length - 1)) * 100).toFixed(2)},${(31 - value * 30).toFixed(2)}`)
    .join('L');
  return html`<svg class="spark" viewBox="0 0 100 32" preserveAspectRatio="none" role="img"
    aria-label="Harvest of the last 50 pages over the crawl; now ${percent(shown[shown.length - 1])}, at best ${percent(Math.max(...shown))}">
    <path class="area" d="M0,32L${line}L100,32Z" /><path class="line" d="M${line}" /></svg>`;
}
