/** A table that can be sorted, filtered and taken along; its order and filter are part of the address. */

import { count, counted } from '../format.js';
import { html, useMemo, useState } from '../vendor/preact-htm.js';
import { setQuery, usePlace } from '../router.js';
import { Empty, Term } from './basics.js';
import { FILE_KINDS, save } from './saving.js';
import { say, tried } from './toast.js';

/**
 * @typedef {{key: string, name: string, value?: (row: any) => any, show?: (row: any) => any, word?: string,
 *   isNumber?: boolean, isAction?: boolean, isUnseen?: boolean}} Column
 *   an action is shown, but neither sorted by nor saved; what is unseen is saved and filtered by
 */

const PART = 50;

/** @param {any} value */
const textOf = (value) => (value === null || value === undefined ? '' : String(value));
/** As it is read: large numbers in groups. @param {any} value */
const shown = (value) => (Number.isInteger(value) ? count(value) : textOf(value));

/** @param {any} a @param {any} b */
function compare(a, b) {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return textOf(a).localeCompare(textOf(b), 'en', { numeric: true });
}

/** The address has view, order and filter. */
const share = () =>
  (navigator.clipboard?.writeText(location.href) || Promise.reject()).then(
    () => say('The link is copied.'),
    () => say(`This browser copies nothing; the link is ${location.href}`),
  );

/**
 * @param {{columns: Column[], rows: any[], name: string, caption: string, files?: {name: string, href: string}[],
 *   empty?: any, rowKey?: (row: any) => any}} given `name` tells this table from others of the view, in the address
 */
export function Table({ columns, rows, name, caption, files = [], empty = undefined, rowKey = undefined }) {
  const { query } = usePlace();
  const [most, setMost] = useState(PART);
  const filter = query[`${name}-filter`] || '';
  const [sortKey, direction] = (query[`${name}-sort`] || '').split(' ');
  const valueOf = (column, row) => (column.value ? column.value(row) : row[column.key]);
  const found = useMemo(() => {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    const kept = words.length
      ? rows.filter((row) => {
        const text = columns.map((column) => textOf(valueOf(column, row))).join(' ').toLowerCase();
        return words.every((word) => text.includes(word));
      })
      : rows;
    const by = columns.find((column) => column.key === sortKey);
    if (!by) return kept;
    const sign = direction === 'down' ? -1 : 1;
    return [...kept].sort((a, b) => sign * compare(valueOf(by, a), valueOf(by, b)));
  }, [rows, filter, sortKey, direction, columns]);
  const sort = (column) => {
    const first = column.isNumber ? 'down' : 'up';
    const other = first === 'down' ? 'up' : 'down';
    setQuery({ [`${name}-sort`]: `${column.key} ${sortKey === column.key && direction === first ? other : first}` });
  };
  const seen = columns.filter((column) => !column.isUnseen);
  const plain = () => found.map((row) => Object.fromEntries(columns.filter((column) => !column.isAction).map((column) => [column.name, valueOf(column, row)])));
  if (!rows.length) return empty || html`<${Empty} title="Nothing here yet" />`;
  return html`<div class="table">
    <div class="table-tools">
      <label class="filter"><span class="unseen">Filter: ${caption}</span>
        <input type="search" placeholder="Filter" value=${filter}
          onInput=${(event) => setQuery({ [`${name}-filter`]: event.target.value })} /></label>
      <span class="quiet" role="status">${found.length === rows.length ? counted(rows.length, 'row') : `${count(found.length)} of ${counted(rows.length, 'row')}`}</span>
      <span class="downloads">Save as
        ${FILE_KINDS.map((kind) => html`<button key=${kind} type="button" class="link" onClick=${() => tried(save(name, kind, plain()))}
          aria-label="Save ${caption} as ${kind}">${kind}</button>`)}
        ${files.map((file) => html`<a key=${file.name} href=${file.href} download>${file.name}</a>`)}
        <button key="link" type="button" class="link" onClick=${share} aria-label="Copy a link to ${caption} as shown">Copy link</button>
      </span>
    </div>
    <div class="table-scroll" tabindex="0" role="region" aria-label=${caption}>
      <table><caption class="unseen">${caption}</caption>
        <thead><tr>${seen.map((column) => html`<th key=${column.key} scope="col" class=${column.isAction ? 'action' : column.isNumber ? 'number' : ''}
          aria-sort=${sortKey === column.key ? (direction === 'down' ? 'descending' : 'ascending') : undefined}>
          ${column.isAction ? html`<span class="sort">${column.name}</span>` : html`<button type="button" class="sort" onClick=${() => sort(column)}>${column.name}
            <span aria-hidden="true">${sortKey === column.key ? (direction === 'down' ? '↓' : '↑') : ''}</span></button>`}
          ${column.word && html`<${Term} word=${column.word}> <//>`}</th>`)}</tr></thead>
        <tbody>${found.slice(0, most).map((row, index) => html`<tr key=${rowKey ? rowKey(row) : index}>
          ${seen.map((column) => html`<td key=${column.key} class=${column.isNumber ? 'number' : ''} data-name=${column.name}>
            ${column.show ? column.show(row) : shown(valueOf(column, row))}</td>`)}</tr>`)}</tbody>
      </table>
    </div>
    ${found.length > most && html`<button type="button" onClick=${() => setMost(most + PART)}>Show more rows</button>`}
  </div>`;
}
