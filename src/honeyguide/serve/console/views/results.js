/** What a crawl brought: best pages, hubs and authorities, sites, what changed, what surrounds the topic, its shape. */

import { crawlPath, get } from '../api.js';
import { counted, percent } from '../format.js';
import { useEvery, useLoaded } from '../loading.js';
import { asked } from '../parts/asking.js';
import { Bars } from '../parts/bars.js';
import { Empty, Outside, Shown } from '../parts/basics.js';
import { PageHere, whyColumn } from '../parts/page.js';
import { Table } from '../parts/table.js';
import { Changes } from '../results/changes.js';
import { exported, linkColumn, Listed, number, pageColumn, relevanceColumn, urlColumn } from '../results/cells.js';
import { Sites } from '../results/citing.js';
import { Hubs } from '../results/hubs.js';
import { OnMap } from '../results/on_map.js';
import { linkTo, setQuery } from '../router.js';
import { html } from '../vendor/preact-htm.js';

const MOST = 200;
const MOST_CLASSES = 12;
const LOOK_SECONDS = 3;
const SHOWN = {
  pages: 'Best pages',
  search: 'Search',
  hubs: 'Hubs and authorities',
  sites: 'Sites',
  changes: 'What changed',
  around: 'Around the topic',
  map: 'On the topic map',
  shape: 'Shape',
};
const QUESTIONS = {
  classes: `select source.topic_class as source, target.topic_class as target, count(*) as links
    from pages as source
    join links on links.source_id = source.id
    join pages as target on target.id = links.target_id
    where source.topic_class != '' and target.topic_class != ''
    group by 1, 2
    order by links desc limit 200`,
  depth: `select depth, count(*) as pages, sum(relevant) as relevant
    from pages
    group by depth
    order by depth limit 40`,
  relevance: `select cast(min(relevance, 0.999) * 10 as int) / 10.0 as bin, count(*) as pages
    from pages
    group by 1
    order by 1`,
  languages: `select language, count(*) as pages, sum(relevant) as relevant
    from pages
    group by language
    order by pages desc limit 20`,
  copies: `select copies.url, originals.url as original, copies.relevance
    from pages as copies
    join pages as originals on originals.id = copies.copy_of limit 100`,
};

function Pages({ crawl }) {
  return html`<${Listed} title="Best pages" what="the best pages" name="pages" inputs=${[crawl]} empty="No page yet" next="Run the crawl."
    read=${async () => (await get(crawlPath(crawl, '/top'), { most: MOST })).items} files=${exported(crawl, 'pages', { relevant: true })}
    about="The most relevant pages; of copies and near copies, one."
    columns=${[pageColumn, urlColumn, relevanceColumn, number('depth', 'Depth', 'depth'), { key: 'language', name: 'Language' }, whyColumn]} />`;
}

function Search({ crawl, place }) {
  const q = place.query.q || '';
  const loaded = useLoaded(() => get(crawlPath(crawl, '/search'), { q, most: 50 }), [crawl, q]);
  const none = (waiting) => (!q ? ['Type some words', 'Then the pages that have them are listed here.'] : waiting ? ['Nothing was found yet', 'The search is made again by itself.'] : ['Nothing was found', 'Try other words, or fewer.']);
  const waiting = loaded.data?.waiting || 0;
  useEvery(() => waiting && loaded.again(), LOOK_SECONDS);
  const columns = [
    {
      ...pageColumn,
      show: (row) => html`<span><${Outside} url=${row.url}>${row.title || row.url}<//><br />
      <span class="small">${row.snippet.map(([text, isHit], at) => (isHit ? html`<mark key=${at}>${text}</mark>` : text))}</span></span>`,
    },
    urlColumn,
    relevanceColumn,
    { key: 'site', name: 'Site' },
    whyColumn,
  ];
  return html`<section class="card"><h2>Search</h2>
    <form class="table-tools" onSubmit=${(event) => (event.preventDefault(), setQuery({ q: event.target.q.value }))}>
      <label><span class="unseen">Words to search for</span><input type="search" class="long" name="q" defaultValue=${q} placeholder=${'Words, "phrases", -not'} /></label>
      <button class="strong">Search</button></form>
    <${Shown} loaded=${loaded} what="the index">${(found) => html`<div>
      ${found.suggestion && html`<p>Did you mean <a href=${linkTo(['crawls', crawl, 'results'], { show: 'search', q: found.suggestion })}>${found.suggestion}</a>?</p>`}
      ${found.ignored.length > 0 && html`<p class="advice">Not everything counts as it was asked: ${found.ignored.join('; ')}</p>`}
      ${waiting > 0 && html`<p class="quiet" role="status">${counted(waiting, 'page')} ${waiting === 1 ? 'is' : 'are'} not in the index yet; they are being read.</p>`}
      <${Table} name="found" caption="Pages that were found" columns=${columns} rows=${q ? found.hits : []} empty=${html`<${Empty} title=${none(waiting)[0]}>${none(waiting)[1]}<//>`} />
    </div>`}<//></section>`;
}

/** Links between classes as a matrix: those with most links, in rows the classes that cite. @param {any[]} rows */
function matrix(rows) {
  const sums = {};
  for (const row of rows) for (const one of [row.source, row.target]) sums[one] = (sums[one] || 0) + row.links;
  const classes = Object.keys(sums).sort((a, b) => sums[b] - sums[a]).slice(0, MOST_CLASSES);
  const lines = classes.map((source) => ({ source, ...Object.fromEntries(classes.map((target) => [`to ${target}`, rows.find((row) => row.source === source && row.target === target)?.links || 0])) }));
  const columns = [{ key: 'source', name: 'Pages of' }, ...classes.map((target) => ({ ...number(`to ${target}`, `link to ${target.split('/').pop()}`), show: (row) => row[`to ${target}`] || '·' }))];
  return { lines, columns };
}

function Classes({ crawl }) {
  const loaded = useLoaded(async () => matrix(await asked(crawl, QUESTIONS.classes)), [crawl]);
  return html`<section class="card"><h2>Which classes cite which</h2><p class="quiet">Links from pages of one class to pages of another: what surrounds the topic.</p>
    <${Shown} loaded=${loaded} what="the classes">${({ lines, columns }) => html`<${Table} name="classes" caption="Which classes cite which" rows=${lines} columns=${columns}
      empty=${html`<${Empty} title="This topic has no classes">One made of a <a href=${linkTo(['new-topic'], { step: 'taxonomy' })}>taxonomy</a> shows here what surrounds it.<//>`} />`}<//></section>`;
}

const Around = ({ crawl }) => html`<div class="stack"><${Classes} crawl=${crawl} />
  <${Listed} title="Copies" word="copy" what="the copies" name="copies" inputs=${[crawl]} empty="No copies were found" read=${() => asked(crawl, QUESTIONS.copies)}
    columns=${[linkColumn('url', 'Copy'), linkColumn('original', 'of'), relevanceColumn]} /></div>`;

function Histogram({ crawl, question, title, name, value = 'pages' }) {
  const loaded = useLoaded(() => asked(crawl, question), [crawl]);
  return html`<section class="card"><h2>${title}</h2><${Shown} loaded=${loaded} what=${title.toLowerCase()}>${(rows) =>
    rows.length
      ? html`<${Bars} caption=${title} rows=${rows.map((row) => ({ name: name(row), value: row[value], shown: counted(row.pages, 'page') + (row.relevant === undefined ? '' : `, ${percent(row.relevant / row.pages)} relevant`) }))} />`
      : html`<${Empty} title="No page yet" />`}<//></section>`;
}

const Shape = ({ crawl }) => html`<div class="columns">
  <${Histogram} crawl=${crawl} title="Distance from the seeds" question=${QUESTIONS.depth} name=${(row) => (row.depth ? `${counted(row.depth, 'link')} away` : 'seeds')} />
  <${Histogram} crawl=${crawl} title="Relevance" question=${QUESTIONS.relevance} name=${(row) => `from ${percent(row.bin)}`} />
  <${Histogram} crawl=${crawl} title="Languages" question=${QUESTIONS.languages} name=${(row) => row.language || 'unknown'} />
</div>`;

const PARTS = { pages: Pages, search: Search, hubs: Hubs, sites: Sites, changes: Changes, around: Around, map: OnMap, shape: Shape };

export default function Results({ crawl, place }) {
  const shown = place.query.show in PARTS ? place.query.show : 'pages';
  return html`<div><div class="top"><h1>Results</h1></div>
    <nav class="tabs" aria-label="Kinds of results">${Object.entries(SHOWN).map(
      ([key, name]) => html`<a key=${key} href=${linkTo(['crawls', crawl, 'results'], { show: key })}
      aria-current=${key === shown ? 'page' : undefined}>${name}</a>`,
    )}</nav>
    <${PARTS[shown]} key=${shown} crawl=${crawl} place=${place} />
    <${PageHere} crawl=${crawl} place=${place} />
  </div>`;
}
