/** Bars with their names and numbers: a chart that is a list, so everybody can read it. */

import { count } from '../format.js';
import { html } from '../vendor/preact-htm.js';

/** @param {{rows: {name: any, value: number, shown?: any}[], caption: string}} given */
export function Bars({ rows, caption }) {
  const most = Math.max(...rows.map((row) => Math.abs(row.value)), 1e-9);
  return html`<ul class="bars" aria-label=${caption}>${rows.map((row, at) => html`<li key=${at}>
    <span class="bars-name">${row.name}</span>
    <span class="bars-track" aria-hidden="true"><span style=${{ width: `${(Math.abs(row.value) / most) * 100}%` }}></span></span>
    <span class="number">${row.shown ?? count(row.value)}</span></li>`)}</ul>`;
}
