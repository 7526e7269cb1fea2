/** Relevance of every page against pages or time, with the moving averages over it. */

import { Cells, readCells, readCurve } from '../columns.js';
import { crawlPath, get, getBytes } from '../api.js';
import { count, percent, time } from '../format.js';
import uPlot from '../vendor/uplot.js';
import { html, useEffect, useRef, useState } from '../vendor/preact-htm.js';
import { Term } from './basics.js';
import { colour, useTheme } from './theme.js';

const HEIGHT = 340;
const CURVE_SECONDS = 5;
const FEW = 800;
const MANY = 3000;

/**
 * Draw the cells: the more pages, the darker; relevant ones in their own colour. Each second all of them, up to 25,600:
 * places are looked up once a column and row, and where there are many they are squares, which cost a fraction of a disk.
 * @param {any} plot @param {Cells} cells
 */
function drawCells(plot, cells, above, isByTime) {
  const { ctx } = plot;
  const xs = Array.from(cells.times, (moment, column) => plot.valToPos(isByTime ? moment : (column + 0.5) * cells.width, 'x', true));
  const ys = Array.from({ length: cells.rows }, (_, row) => plot.valToPos((row + 0.5) / cells.rows, 'y', true));
  let most = 1;
  for (const { pages } of cells.known.values()) most = Math.max(most, pages);
  const height = Math.abs(plot.valToPos(0, 'y', true) - plot.valToPos(1 / cells.rows, 'y', true));
  const size = Math.max(cells.known.size < FEW ? 6 : 3, Math.min(9, height * 0.8)) * devicePixelRatio ** 0.5;
  const [good, other] = [colour('dot-good'), colour('dot')];
  const areMany = cells.known.size > MANY;
  ctx.save();
  for (const [place, cell] of cells.known) {
    const row = place % cells.rows;
    const [x, y] = [xs[Math.floor(place / cells.rows)], ys[row]];
    ctx.globalAlpha = 0.28 + 0.62 * (Math.log1p(cell.pages) / Math.log1p(most));
    ctx.fillStyle = (row + 0.5) / cells.rows >= above ? good : other;
    if (areMany) ctx.fillRect(x - size / 2, y - size / 2, size, size);
    else {
      ctx.beginPath();
      ctx.arc(x, y, size / 2, 0, 7);
      ctx.fill();
    }
  }
  ctx.restore();
}

/** The cell nearest to a point of the plot. @param {any} plot @param {Cells} cells */
function nearest(plot, cells, isByTime, left, top) {
  let best = /** @type {any} */ (null);
  for (const [place, cell] of cells.known) {
    const column = Math.floor(place / cells.rows);
    const x = plot.valToPos(isByTime ? cells.times[column] : column * cells.width + cells.width / 2, 'x');
    const y = plot.valToPos(((place % cells.rows) + 0.5) / cells.rows, 'y');
    const distance = (x - left) ** 2 + (y - top) ** 2;
    if (distance < (best?.distance ?? 24 ** 2)) best = { ...cell, distance, row: place % cells.rows, column, x, y };
  }
  return best;
}

function optionsOf(width, isByTime, state, onHover) {
  const axis = {
    stroke: colour('quiet'),
    grid: { stroke: colour('line'), width: 1 },
    ticks: { stroke: colour('line') },
    font: '12px system-ui',
  };
  const line = (name, wide) => ({ stroke: colour(name), width: wide, points: { show: false } });
  return {
    width,
    height: HEIGHT,
    padding: [10, 30, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: true, y: false }, points: { show: false } },
    scales: {
      x: { time: isByTime, range: (_, from, to) => (from < to ? [isByTime ? from : 0, to] : [0, (to || 0) + 1]) },
      y: { range: [0, 1] },
    },
    axes: [
      {
        ...axis,
        label: isByTime ? 'your time' : 'pages fetched',
        space: 75,
        labelFont: '12px system-ui',
        labelSize: 18,
        ...(isByTime ? {} : { values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? count(tick) : '')) }),
      },
      { ...axis, size: 58, values: (_, ticks) => ticks.map((tick) => percent(tick)) },
    ],
    series: [{}, line('plot-1', 1.5), line('plot-2', 2), line('plot-3', 2)],
    hooks: {
      drawClear: [(plot) => drawCells(plot, state.cells, state.above, isByTime)],
      setCursor: [(plot) => onHover(nearest(plot, state.cells, isByTime, plot.cursor.left, plot.cursor.top))],
    },
  };
}

/** The curve over pages, or over the times at which they came. @param {any} curve @param {Cells} cells */
const dataOf = (curve, cells, isByTime) => {
  const last = cells.last || 1;
  const x = curve ? [...curve.pages].filter((page) => page <= last) : [];
  const [short, long, all] = curve
    ? [curve.last50, curve.last500, curve.all].map((own) => [...own.subarray(0, x.length)])
    : [[], [], []];
  if (!x.length || x[x.length - 1] < last) {
    // the axis reaches to the last page even where the averages do not
    x.push(last);
    for (const own of [short, long, all]) own.push(null);
  }
  if (!x.length || x[0] > 1) {
    x.unshift(1);
    for (const own of [short, long, all]) own.unshift(null);
  }
  return [isByTime ? x.map((page) => cells.timeOf(page)) : x, short, long, all];
};

/** What is read of all dots. @param {string} crawl @param {number} [cursor] */
export const allCells = (crawl, cursor) => getBytes(crawlPath(crawl, '/cells'), { cursor }).then(readCells);

/**
 * @param {{crawl: string, pages: number, above: number, first: any, onPick: (visit: number) => void}} given
 *   `pages` is how many there are now: whenever it changes, what has changed is read; `first` are the cells on their way
 */
export function Dots({ crawl, pages, above, first, onPick }) {
  const theme = useTheme();
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const state = useRef(
    /** @type {any} */ ({ cells: new Cells(), curve: null, curveAt: 0, isReading: false, above, first }),
  ).current;
  const plot = useRef(/** @type {any} */ (null));
  const [isByTime, setByTime] = useState(false);
  const [hovered, setHovered] = useState(/** @type {any} */ (null));
  const [isThere, setThere] = useState(false);
  state.above = above;
  const draw = () => plot.current?.setData(dataOf(state.curve, state.cells, isByTime));
  const readChanged = async () => {
    const early = await state.first;
    state.first = null;
    if (!state.cells.take(early || (await allCells(crawl, state.cells.last)))) state.cells.take(await allCells(crawl));
    if (early && early.last < pages) state.isStale = true;
    setThere(true);
    draw();
  };
  const readAverages = async () => {
    const early = state.curveAt + CURVE_SECONDS * 1000 - Date.now();
    if (early > 0) {
      clearTimeout(state.timer); // the last pages of a crawl must not wait for others that never come
      state.timer = setTimeout(readAverages, early);
      return;
    }
    state.curveAt = Date.now();
    state.curve = readCurve(await getBytes(crawlPath(crawl, '/curve'), { most: 500 }));
    draw();
  };
  const read = async () => {
    state.isStale = state.isReading; // what changes meanwhile is read afterwards
    if (state.isReading) return;
    state.isReading = true;
    await Promise.allSettled([readChanged(), readAverages()]); // what fails is said elsewhere, and read at the next change
    state.isReading = false;
    if (state.isStale) read();
  };
  useEffect(() => {
    if (pages) read();
  }, [pages]);
  useEffect(() => () => clearTimeout(state.timer), []);
  useEffect(() => {
    const own = place.current;
    if (!own) return undefined;
    plot.current = new uPlot(
      optionsOf(own.clientWidth, isByTime, state, setHovered),
      dataOf(state.curve, state.cells, isByTime),
      own,
    );
    const sized = new ResizeObserver(() => plot.current?.setSize({ width: own.clientWidth, height: HEIGHT }));
    sized.observe(own);
    return () => (sized.disconnect(), plot.current.destroy());
  }, [theme, isByTime]);
  const said = hovered
    ? `${hovered.pages === 1 ? `Page ${count(hovered.newest)}` : `${count(hovered.pages)} pages, the newest is ${count(hovered.newest)}`}` +
      `, relevance about ${percent((hovered.row + 0.5) / state.cells.rows)}, ${time(state.cells.timeOf(hovered.newest))}. Click to see it.`
    : 'Point at a dot; click it to see the page. Drag to look closer, double click to see all.';
  return html`<div class="dots">
    <div class="table-tools"><ul class="legend">
        <li><span class="key key-good"></span>relevant page</li><li><span class="key key-dot"></span>other page <${Term} word="cell"> <//></li>
        <li><span class="key key-1"></span><${Term} word="last 50">harvest, last 50<//></li>
        <li><span class="key key-2"></span><${Term} word="last 500">last 500<//></li>
        <li><span class="key key-3"></span><${Term} word="all pages">all<//></li></ul>
      <span class="downloads"><button type="button" aria-pressed=${!isByTime} onClick=${() => setByTime(false)}>By pages</button>${' '}
        <button type="button" aria-pressed=${isByTime} onClick=${() => setByTime(true)}>By time</button></span></div>
    <div class="plot" ref=${place} onClick=${() => hovered && onPick(hovered.newest)} role="img"
      aria-label="Relevance of ${count(pages)} pages as dots, with moving averages of the harvest rate. The list of newest pages below has the same in words."></div>
    <p class="quiet hint">${isThere || !pages ? said : 'Reading the dots …'}</p>
  </div>`;
}

/** One visit by its number. @param {string} crawl @param {number} number */
export const visitOf = async (crawl, number) =>
  (await get(crawlPath(crawl, '/visits'), { cursor: number - 1, most: 1 })).items[0];
