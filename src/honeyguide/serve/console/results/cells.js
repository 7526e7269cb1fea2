/** Columns that the tables of results share, and where their files are had. */

import { crawlPath, fileLink } from '../api.js';
import { decimal } from '../format.js';
import { useLoaded } from '../loading.js';
import { Empty, Meter, Outside, Shown, Term } from '../parts/basics.js';
import { Table } from '../parts/table.js';
import { html } from '../vendor/preact-htm.js';

export const pageColumn = {
  key: 'title', name: 'Page', value: (row) => row.title || row.url,
  show: (row) => html`<span><${Outside} url=${row.url}>${row.title || row.url}<//><br /><span class="quiet small">${row.url}</span></span>`,
};
/** In files and filters alone: what is shown of it stands below its title. */
export const urlColumn = { key: 'url', name: 'Url', isUnseen: true };
export const relevanceColumn = {
  key: 'relevance', name: 'Relevance', isNumber: true, word: 'relevance', show: (row) => html`<${Meter} value=${row.relevance} />`,
};
/** @param {string} key @param {string} name @param {string} [word] */
export const score = (key, name, word) => ({ key, name, word, isNumber: true, show: (row) => decimal(row[key]) });
/** @param {string} key @param {string} name */
export const linkColumn = (key, name) => ({ key, name, show: (row) => html`<${Outside} url=${row[key]} />` });
/** @param {string} key @param {string} name @param {string} [word] */
export const number = (key, name, word) => ({ key, name, word, isNumber: true });

/** All of a table of the crawl as files; of pages, also what is kept of them for replay tools. */
export const exported = (crawl, what, query = {}) => [
  ...['csv', 'jsonl', 'parquet'].map((kind) => ({ name: `all ${what} as ${kind}`, href: fileLink(crawlPath(crawl, '/export'), { what, kind, ...query }) })),
  ...(what === 'pages' ? [{ name: 'kept pages as WACZ', isOfKept: true, href: fileLink(crawlPath(crawl, '/export'), { kind: 'wacz' }) }] : []),
];

/** A table that is read whenever one of the inputs changes. */
export function Listed({ read, inputs, what, title, columns, name, files = [], empty, next = undefined, about = undefined, word = undefined }) {
  const loaded = useLoaded(read, inputs);
  return html`<section class="card"><h2>${word ? html`<${Term} word=${word}>${title}<//>` : title}</h2>${about && html`<p class="quiet">${about}</p>`}
    <${Shown} loaded=${loaded} what=${what}>${(rows) => html`<${Table} name=${name} caption=${title} columns=${columns} rows=${rows} files=${files.filter((file) => !file.isOfKept || rows.some((row) => row.location))}
      empty=${html`<${Empty} title=${empty}>${next}<//>`} />`}<//></section>`;
}
