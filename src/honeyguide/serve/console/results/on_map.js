/** Pages laid on a topic map: what each touches of it, how alike two are; and the map with the pages in it, as a file. */

import { crawlPath, fileLink, get, post } from '../api.js';
import { percent } from '../format.js';
import { useLoaded } from '../loading.js';
import { Empty, Select, Shown, Term } from '../parts/basics.js';
import { Table } from '../parts/table.js';
import { linkTo, setQuery } from '../router.js';
import { useWork, Working } from '../topic/work.js';
import { html, useState } from '../vendor/preact-htm.js';
import { pageColumn, relevanceColumn, urlColumn } from './cells.js';

const MOST = 50;
const KINDS = { xtm: 'XTM 2.0', ttl: 'SKOS (Turtle)' };
const pathOf = (topic, rest) => `/topics/${encodeURIComponent(topic)}${rest}`;

/** The topics of the workspace that have a map. */
async function maps() {
  const { items } = await get('/topics', { most: 200 });
  const rows = await Promise.all(items.map((name) => get(pathOf(name, '')).catch(() => null)));
  return rows.filter((row) => row?.kind === 'ontology').map((row) => row.name);
}

/** The best pages with what they touch. @param {string} crawl @param {string} topic @param {string} alike */
async function touching(crawl, topic, alike) {
  const pages = (await get(crawlPath(crawl, '/top'), { most: MOST })).items;
  const found = pages.length ? await post(pathOf(topic, '/footprints'), { crawl, urls: pages.map((page) => page.url), alike }) : [];
  const known = Object.fromEntries(found.map((one) => [one.url, one]));
  return pages.filter((page) => known[page.url]).map((page) => ({ ...page, ...known[page.url] }));
}

/** @param {any[]} some @param {number} most */
const names = (some, most) => some.slice(0, most).map(([name]) => name).join(', ') + (some.length > most ? ` and ${some.length - most} more` : '');

function Export({ crawl, topic }) {
  const [kind, setKind] = useState('xtm');
  const { work, run } = useWork();
  const write = async () => {
    const job = await run(() => post(pathOf(topic, '/export'), { kind, crawl }), 'Writing the relevant pages into the map');
    if (job) location.assign(fileLink(`/jobs/${job.id}/file`));
  };
  return html`<section class="card"><h2>The map with the pages in it</h2><p class="quiet">Each relevant page becomes a topic of the map, with its address and relevance, joined to the topics it mentions. Other programs read the file.</p>
    <p class="table-tools"><label>As <${Select} value=${kind} options=${KINDS} onChange=${setKind} /></label>
      <button type="button" disabled=${Boolean(work.text)} onClick=${write}>Write the pages into the map and save it</button></p><${Working} work=${work} /></section>`;
}

function Footprints({ crawl, topic, alike }) {
  const loaded = useLoaded(() => touching(crawl, topic, alike), [crawl, topic, alike]);
  const columns = [
    pageColumn, urlColumn, relevanceColumn,
    { key: 'mentioned', name: 'Mentions', value: (row) => names(row.mentioned, 1000), show: (row) => html`<bdi>${names(row.mentioned, 8)}</bdi>` },
    { key: 'above', name: 'Classes above', value: (row) => names(row.above, 1000), show: (row) => html`<bdi>${names(row.above, 6)}</bdi>` },
    ...(alike ? [0, 1, 2].map((level) => ({ key: `alike-${level}`, name: level ? `${level} up` : 'Alike', isNumber: true, value: (row) => row.similarity[Math.min(level, row.similarity.length - 1)], show: (row) => percent(row.similarity[Math.min(level, row.similarity.length - 1)]) })) : []),
    { key: 'compare', name: 'Compare', isAction: true, show: (row) => html`<button type="button" class="link" aria-pressed=${alike === row.url} onClick=${() => setQuery({ alike: alike === row.url ? '' : row.url })}>${alike === row.url ? 'compared' : 'compare'}<span class="unseen"> with ${row.title}</span></button>` },
  ];
  return html`<section class="card"><h2><${Term} word="footprint">Footprints of the best pages<//></h2>
    <p class="quiet">${alike ? 'How alike each is to the page compared: by the topics both mention, then with the classes one and two steps above.' : 'What each page mentions of the map. “Compare” tells how alike the others are to one.'}</p>
    <${Shown} loaded=${loaded} what="what the pages mention">${(rows) => html`<${Table} name="footprints" caption="Footprints" rows=${rows} columns=${columns} rowKey=${(row) => row.url}
      empty=${html`<${Empty} title="No page is kept that could be laid on the map">Run the crawl, with “Keep the pages themselves”.<//>`} />`}<//></section>`;
}

export function OnMap({ crawl, place }) {
  const loaded = useLoaded(maps, []);
  return html`<${Shown} loaded=${loaded} what="the topic maps">${(topics) => {
    const topic = topics.includes(place.query.map) ? place.query.map : topics[0];
    if (!topic) return html`<${Empty} title="There is no topic map in the workspace">Make a topic from a map: <a href=${linkTo(['new-topic'], { step: 'map' })}>choose a file</a>.<//>`;
    return html`<div class="stack"><p class="table-tools"><label>Topic map <${Select} value=${topic} options=${topics} onChange=${(map) => setQuery({ map })} /></label></p>
      <${Footprints} crawl=${crawl} topic=${topic} alike=${place.query.alike || ''} /><${Export} crawl=${crawl} topic=${topic} /></div>`;
  }}<//>`;
}
