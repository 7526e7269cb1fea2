/** Reports to print or to keep: of crawls, and of the lab's experiments. */

import { fileLink, get, getAll, post } from '../api.js';
import { bytes } from '../format.js';
import { useLoaded } from '../loading.js';
import { Empty, Select, Shown, Term, Time } from '../parts/basics.js';
import { Table } from '../parts/table.js';
import { say } from '../parts/toast.js';
import { useWork, Working } from '../topic/work.js';
import { html, useState } from '../vendor/preact-htm.js';

/** What reports can be written on, as the server takes it. */
async function subjects() {
  const [crawls, experiments] = await Promise.all([get('/crawls', { most: 1000 }), get('/lab/experiments', { most: 1000 })]);
  return {
    ...Object.fromEntries(crawls.items.map(({ name }) => [`crawls/${name}`, `the crawl ${name}`])),
    ...Object.fromEntries(experiments.items.map((name) => [`experiments/${name}`, `the experiment ${name}`])),
  };
}

/** A report opens in a tab of its own, where nothing runs whatever was crawled. @param {string} name @param {Record<string, any>} [query] */
const address = (name, query) => fileLink(`/lab/reports/${encodeURIComponent(name)}`, query);
const COLUMNS = [
  { key: 'name', name: 'About', show: (row) => html`<a href=${address(row.name, { show: true })} target="_blank" rel="noopener">${row.name}<span class="unseen"> (opens a new tab)</span></a>` },
  { key: 'written', name: 'Written', isNumber: true, show: (row) => html`<${Time} at=${row.written} />` },
  { key: 'bytes', name: 'Size', isNumber: true, show: (row) => bytes(row.bytes) },
  { key: 'keep', name: 'Keep', isAction: true, show: (row) => html`<a href=${address(row.name)} download>save<span class="unseen"> the report on ${row.name}</span></a>` },
];

function Write({ known, first, onDone }) {
  const [chosen, setChosen] = useState(first in known ? first : Object.keys(known)[0]);
  const { work, run } = useWork();
  const [kind, name] = chosen.split('/');
  const write = async () => {
    if (!(await run(() => post(`/lab/${kind}/${encodeURIComponent(name)}/report`), 'Counting, drawing and writing'))) return;
    say(`The report on ${name} is written.`);
    onDone();
  };
  return html`<div><p class="table-tools"><label>About <${Select} value=${chosen} options=${known} onChange=${setChosen} /></label>
    <button type="button" class="strong" disabled=${Boolean(work.text)} onClick=${write}>${work.text ? 'At work …' : 'Write a report'}</button></p><${Working} work=${work} /></div>`;
}

export default function Reports({ place }) {
  const reports = useLoaded(() => getAll('/lab/reports', { most: 1000 }), []);
  const known = useLoaded(subjects, []);
  return html`<div class="stack"><div class="top"><div><h1><${Term} word="report">Reports<//></h1><p class="quiet">Each is one page that needs nothing else: open it, print it, or send it to somebody.</p></div></div>
    <section class="card"><h2>A new report</h2><${Shown} loaded=${known} what="what reports can be about">${(all) => (Object.keys(all).length
      ? html`<${Write} known=${all} first=${place.query.crawl ? `crawls/${place.query.crawl}` : ''} onDone=${reports.again} />`
      : html`<${Empty} title="There is nothing to report on yet"><a href="#/new-crawl">Make a crawl</a> first.<//>`)}<//></section>
    <section class="card"><h2>Reports there are</h2><${Shown} loaded=${reports} what="the reports">${(rows) => html`<${Table} name="reports" caption="Reports" columns=${COLUMNS} rows=${rows} rowKey=${(row) => row.name}
      empty=${html`<${Empty} title="No report yet">Choose a crawl above and write one.<//>`} />`}<//></section></div>`;
}
