/** What a crawl brought: best pages, hubs and authorities, sites, what surrounds the topic, its shape. */

import { crawlPath, fileLink, get } from '../api.js';
import { counted, decimal, percent } from '../format.js';
import { useEvery, useLoaded } from '../loading.js';
import { asked } from '../parts/asking.js';
import { Bars } from '../parts/bars.js';
import { Empty, Meter, Outside, Shown, Term } from '../parts/basics.js';
import { PageDialog } from '../parts/page.js';
import { Table } from '../parts/table.js';
import { linkTo, setQuery } from '../router.js';
import { html } from '../vendor/preact-htm.js';

const MOST = 200;
const LOOK_SECONDS = 3;
const SHOWN = {
  pages: 'Best pages',
  search: 'Search',
  hubs: 'Hubs and authorities',
  sites: 'Sites',
  around: 'Around the topic',
  shape: 'Shape',
};
const QUESTIONS = {
  sites: `select site, sum(relevant) as relevant, sum(pages) as pages, 1.0 * sum(relevant) / sum(pages) as density,
    sum(urls) as urls, (select count(*) from urls where depth = 0 and site_of(urls.host) = hosts.site) as seeds
    from hosts
    group by site
    having sum(pages) > 0
    order by relevant desc, density desc limit 300`,
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

const whyColumn = {
  key: 'why',
  name: 'Why',
  value: () => '',
  show: (row) =>
    html`<button type="button" class="link" aria-label="Why ${row.title || row.url}" onClick=${() => setQuery({ page: row.url })}>why</button>`,
};
const pageColumn = {
  key: 'title',
  name: 'Page',
  value: (row) => row.title || row.url,
  show: (row) =>
    html`<span><${Outside} url=${row.url}>${row.title || row.url}<//><br /><span class="quiet small">${row.url}</span></span>`,
};
const relevanceColumn = {
  key: 'relevance',
  name: 'Relevance',
  isNumber: true,
  word: 'relevance',
  show: (row) => html`<${Meter} value=${row.relevance} />`,
};
const score = (key, name, word) => ({ key, name, word, isNumber: true, show: (row) => decimal(row[key]) });
const linkColumn = (key, name) => ({ key, name, show: (row) => html`<${Outside} url=${row[key]} />` });
/** @param {string} key @param {string} name @param {string} [word] */
const number = (key, name, word) => ({ key, name, word, isNumber: true });

const exported = (crawl, what, query = {}) =>
  ['csv', 'jsonl', 'parquet'].map((kind) => ({
    name: `all ${what} as ${kind}`,
    href: fileLink(crawlPath(crawl, '/export'), { what, kind, ...query }),
  }));

function Listed({ read, inputs, what, title, columns, name, files = [], empty, about = undefined }) {
  const loaded = useLoaded(read, inputs);
  return html`<section class="card"><h2>${title}</h2>${about && html`<p class="quiet">${about}</p>`}
    <${Shown} loaded=${loaded} what=${what}>${(
      rows,
    ) => html`<${Table} name=${name} caption=${title} columns=${columns} rows=${rows} files=${files}
      empty=${html`<${Empty} title=${empty} />`} />`}<//></section>`;
}

function Pages({ crawl }) {
  return html`<${Listed} title="Best pages" what="the best pages" name="pages" inputs=${[crawl]} empty="No page yet: run the crawl"
    read=${async () => (await get(crawlPath(crawl, '/top'), { most: MOST })).items} files=${exported(crawl, 'pages', { relevant: true })}
    about="The most relevant pages; of copies and near copies, one."
    columns=${[pageColumn, relevanceColumn, number('depth', 'Depth', 'depth'), { key: 'language', name: 'Language' }, whyColumn]} />`;
}

function Search({ crawl, place }) {
  const q = place.query.q || '';
  const loaded = useLoaded(() => get(crawlPath(crawl, '/search'), { q, most: 50 }), [crawl, q]);
  const waiting = loaded.data?.waiting || 0;
  useEvery(() => waiting && loaded.again(), LOOK_SECONDS);
  const columns = [
    {
      ...pageColumn,
      show: (row) => html`<span><${Outside} url=${row.url}>${row.title || row.url}<//><br />
      <span class="small">${row.snippet.map(([text, isHit], at) => (isHit ? html`<mark key=${at}>${text}</mark>` : text))}</span></span>`,
    },
    relevanceColumn,
    { key: 'site', name: 'Site' },
    whyColumn,
  ];
  return html`<section class="card"><h2>Search</h2>
    <form class="table-tools" onSubmit=${(event) => (event.preventDefault(), setQuery({ q: event.target.q.value }))}>
      <label><span class="unseen">Words to search for</span><input type="search" class="long" name="q" defaultValue=${q} placeholder="Words, &quot;phrases&quot;, -not" /></label>
      <button class="strong">Search</button></form>
    <${Shown} loaded=${loaded} what="the index">${(found) => html`<div>
      ${found.suggestion && html`<p>Did you mean <a href=${linkTo(['crawls', crawl, 'results'], { show: 'search', q: found.suggestion })}>${found.suggestion}</a>?</p>`}
      ${found.ignored.length > 0 && html`<p class="advice">Not understood: ${found.ignored.join(', ')}</p>`}
      ${waiting > 0 && html`<p class="quiet" role="status">${counted(waiting, 'page')} ${waiting === 1 ? 'is' : 'are'} not in the index yet; they are being read.</p>`}
      <${Table} name="found" caption="Pages that were found" columns=${columns} rows=${found.hits} empty=${html`<${Empty} title=${waiting ? 'Nothing was found yet' : 'Nothing was found'}>${waiting ? 'The search is made again by itself.' : 'Try other words, or fewer.'}<//>`} />
    </div>`}<//></section>`;
}

function Hubs({ crawl }) {
  const loaded = useLoaded(() => get(crawlPath(crawl, '/hubs'), { most: 100 }), [crawl]);
  return html`<${Shown} loaded=${loaded} what="hubs and authorities">${(found) => html`<div class="stack">
    <section class="card"><h2><${Term} word="hub">Hubs<//></h2><${Table} name="hubs" caption="Hubs" rows=${found.hubs}
      columns=${[pageColumn, score('hub', 'Hub', 'hub'), relevanceColumn, whyColumn]} empty=${html`<${Empty} title="No hubs yet">They show once relevant pages link to each other.<//>`} /></section>
    <section class="card"><h2><${Term} word="authority">Authorities<//></h2><${Table} name="authorities" caption="Authorities" rows=${found.authorities}
      columns=${[pageColumn, score('authority', 'Authority', 'authority'), relevanceColumn, whyColumn]} empty=${html`<${Empty} title="No authorities yet" />`} /></section>
  </div>`}<//>`;
}

function Sites({ crawl }) {
  return html`<${Listed} title="Sites by what they brought" what="the sites" name="sites" inputs=${[crawl]} empty="No site yet" files=${exported(crawl, 'hosts')}
    about="Sites without a seed were found by the crawl itself."
    read=${async () => (await asked(crawl, QUESTIONS.sites)).map((row) => ({ ...row, origin: row.seeds ? 'seed' : 'found' }))}
    columns=${[
      { key: 'site', name: 'Site', word: 'site' },
      number('relevant', 'Relevant'),
      number('pages', 'Pages'),
      {
        key: 'density',
        name: 'Density',
        isNumber: true,
        word: 'density',
        show: (row) => html`<${Meter} value=${row.density} />`,
      },
      number('urls', 'Known urls'),
      { key: 'origin', name: 'Comes from', word: 'seed' },
    ]} />`;
}

function Around({ crawl }) {
  return html`<div class="stack"><${Listed} title="Which classes cite which" what="the classes" name="classes" inputs=${[crawl]}
    empty="This topic has no classes; one made of a taxonomy shows here what surrounds it"
    read=${() => asked(crawl, QUESTIONS.classes)} columns=${[{ key: 'source', name: 'Pages of' }, { key: 'target', name: 'link to' }, number('links', 'Links')]} />
    <${Listed} title="Copies" what="the copies" name="copies" inputs=${[crawl]} empty="No copies were found" read=${() => asked(crawl, QUESTIONS.copies)}
      columns=${[linkColumn('url', 'Copy'), linkColumn('original', 'of'), relevanceColumn]} /></div>`;
}

function Histogram({ crawl, question, title, name, value = 'pages' }) {
  const loaded = useLoaded(() => asked(crawl, question), [crawl]);
  return html`<section class="card"><h2>${title}</h2><${Shown} loaded=${loaded} what=${title.toLowerCase()}>${(rows) =>
    rows.length
      ? html`<${Bars} caption=${title} rows=${rows.map((row) => ({ name: name(row), value: row[value], shown: row.relevant === undefined ? undefined : `${row.pages} pages, ${percent(row.relevant / row.pages)} relevant` }))} />`
      : html`<${Empty} title="No page yet" />`}<//></section>`;
}

const Shape = ({ crawl }) => html`<div class="columns">
  <${Histogram} crawl=${crawl} title="Distance from the seeds" question=${QUESTIONS.depth} name=${(row) => (row.depth ? `${counted(row.depth, 'link')} away` : 'seeds')} />
  <${Histogram} crawl=${crawl} title="Relevance" question=${QUESTIONS.relevance} name=${(row) => `from ${percent(row.bin)}`} />
  <${Histogram} crawl=${crawl} title="Languages" question=${QUESTIONS.languages} name=${(row) => row.language || 'unknown'} />
</div>`;

const PARTS = { pages: Pages, search: Search, hubs: Hubs, sites: Sites, around: Around, shape: Shape };

export default function Results({ crawl, place }) {
  const shown = place.query.show in PARTS ? place.query.show : 'pages';
  return html`<div><div class="top"><h1>Results</h1></div>
    <nav class="tabs" aria-label="Kinds of results">${Object.entries(SHOWN).map(
      ([key, name]) => html`<a key=${key} href=${linkTo(['crawls', crawl, 'results'], { show: key })}
      aria-current=${key === shown ? 'page' : undefined}>${name}</a>`,
    )}</nav>
    <${PARTS[shown]} key=${shown} crawl=${crawl} place=${place} />
    ${place.query.page && html`<${PageDialog} crawl=${crawl} url=${place.query.page} onClose=${() => setQuery({ page: '' })} />`}
  </div>`;
}
