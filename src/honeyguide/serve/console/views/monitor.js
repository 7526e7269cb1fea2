/** A crawl as it goes on: every page as a dot, how it does, what is in its way. */

import { crawlPath, get } from '../api.js';
import { bytes, count, counted, decimal, percent } from '../format.js';
import { useLive } from '../live.js';
import { useEvery, useLoaded, useSeen } from '../loading.js';
import { asked } from '../parts/asking.js';
import { Empty, Figure, Meter, Outside, Shown, State, Term, Time, Trouble } from '../parts/basics.js';
import { RunButtons } from '../parts/control.js';
import { Dots, visitOf } from '../parts/dots.js';
import { PageDialog } from '../parts/page.js';
import { Table } from '../parts/table.js';
import { tried } from '../parts/toast.js';
import { linkTo, setQuery } from '../router.js';
import { html, useMemo } from '../vendor/preact-htm.js';

const LOOK_SECONDS = 30;
const NEWEST = 20;
const FALLEN_TO = 0.25;
const QUIET_SECONDS = 60;
const DONE = {
  fetched: 'fetched',
  failed: 'failed',
  moved: 'moved elsewhere',
  in_flight: 'under way',
  queued: 'waiting',
  known: 'known, not wanted yet',
  listing: 'sitemaps',
};
const COUNTS = {
  links: 'links seen',
  links_to_itself: 'links of pages to themselves',
  redirects: 'redirects followed',
  pages_copied: 'copies of earlier pages',
  pages_missing: 'pages that say they are missing',
  pages_noindex: 'pages that ask not to be kept',
  links_nofollow: 'links not to be followed',
  links_not_http: 'links that are no web addresses',
};

const TABLES = {
  failures: `select error, status, count(*) as times, max(message) as message, max(url) as url, max(time) as time
    from failures
    group by error, status
    order by times desc limit 50`,
  hosts: `select host, pages, relevant, failures, mean_relevance, fruitless, urls
    from hosts
    order by pages desc, urls desc limit 200`,
  types: `select content_type, count(*) as pages, sum(bytes) as bytes, avg(seconds) as seconds
    from pages
    group by content_type
    order by pages desc limit 20`,
};

/** What a person should know at once. @param {any} now @param {number | null} pace */
function alarms(now, pace) {
  const { status, state } = now;
  const found = [...(now.advice || [])];
  if (state === 'killed') found.push('The process of this crawl died. Nothing that was stored is lost: run it again.');
  if (status.pages >= 500 && status.harvest_last_500 < FALLEN_TO * status.harvest_all) {
    found.push(
      `The harvest of the last 500 pages is ${percent(status.harvest_last_500)}, that of all is ${percent(status.harvest_all)}: the crawl drifts off its topic or has found most of it. Look at the results, add seeds, label some pages, or stop.`,
    );
  }
  if (status.pages && !status.urls_by_status.queued)
    found.push('No urls are left in the queue: add seeds, or widen the topic.');
  if (state === 'running' && pace === 0 && status.last_time && Date.now() / 1000 - status.last_time > QUIET_SECONDS) {
    found.push('No page came for a minute: the hosts that are left are slow, resting or unreachable.');
  }
  if (status.failures > 20 && status.failures > status.pages)
    found.push('More pages failed than came; the reasons are below.');
  return found;
}

function Progress({ status }) {
  const parts = Object.entries(DONE)
    .map(([key, name]) => ({ key, name, urls: status.urls_by_status[key] || 0 }))
    .filter((one) => one.urls);
  const all = Math.max(
    1,
    parts.reduce((sum, one) => sum + one.urls, 0),
  );
  return html`<section class="card"><h2><${Term} word="queue">Queue against done<//></h2>
    ${!parts.length && html`<p class="quiet">No url is known yet.</p>`}
    <div class="bar" role="img" hidden=${!parts.length} aria-label=${parts.map((one) => `${one.name}: ${count(one.urls)}`).join(', ')}>
      ${parts.map((one) => html`<span key=${one.key} class="bar-${one.key}" style=${{ flexGrow: one.urls / all }}></span>`)}</div>
    <ul class="reasons">${parts.map(
      (one) => html`<li key=${one.key}><span><span class="key bar-${one.key}"></span>${one.name}</span>
      <span class="number">${counted(one.urls, 'url')}, ${percent(one.urls / all)}</span></li>`,
    )}</ul>
  </section>`;
}

function Counts({ status }) {
  const shown = Object.entries(status.counts).filter(([, value]) => value);
  return html`<section class="card"><h2>Links and pages by what became of them</h2>
    ${
      shown.length
        ? html`<ul class="reasons">${shown
            .sort((a, b) => b[1] - a[1])
            .map(
              ([name, value]) => html`<li key=${name}>
      <span>${COUNTS[name] || name.replaceAll('_', ' ')}</span><span class="number">${count(value)}</span></li>`,
            )}</ul>`
        : html`<p class="quiet">Nothing yet.</p>`
    }
  </section>`;
}

const FAILURES = [
  { key: 'error', name: 'Reason' },
  { key: 'status', name: 'HTTP', isNumber: true, show: (row) => row.status || '–' },
  { key: 'times', name: 'Times', isNumber: true },
  { key: 'message', name: 'Example' },
  { key: 'url', name: 'Url', show: (row) => html`<${Outside} url=${row.url} />` },
  { key: 'time', name: 'Last', show: (row) => html`<${Time} at=${row.time} />` },
];
const HOSTS = [
  { key: 'host', name: 'Host', word: 'host' },
  { key: 'pages', name: 'Pages', isNumber: true },
  { key: 'relevant', name: 'Relevant', isNumber: true },
  { key: 'mean_relevance', name: 'Mean relevance', isNumber: true, show: (row) => decimal(row.mean_relevance) },
  { key: 'failures', name: 'Failures', isNumber: true },
  { key: 'urls', name: 'Known urls', isNumber: true },
  { key: 'fruitless', name: 'Fruitless in a row', isNumber: true, word: 'starved' },
];
const TYPES = [
  { key: 'content_type', name: 'Type', show: (row) => row.content_type || 'not said' },
  { key: 'pages', name: 'Pages', isNumber: true },
  { key: 'bytes', name: 'Size', isNumber: true, show: (row) => bytes(row.bytes) },
  { key: 'seconds', name: 'Mean time', isNumber: true, show: (row) => `${decimal(row.seconds)} s` },
];

function Asked({ crawl, name, title, columns, isRunning, empty }) {
  const [own, isSeen] = useSeen();
  const loaded = useLoaded(async () => (isSeen ? asked(crawl, TABLES[name]) : null), [crawl, isSeen]);
  useEvery(() => isRunning && isSeen && loaded.again(), LOOK_SECONDS);
  // The same while its rows are the same: the monitor is drawn anew each second.
  const table = useMemo(
    () => loaded.data && html`<${Table} name=${name} caption=${title} columns=${columns} rows=${loaded.data} empty=${html`<${Empty} title=${empty} />`} />`,
    [loaded.data],
  );
  return html`<section class="card" ref=${own}><div class="card-head"><h2>${title}</h2>
      <button type="button" class="link" onClick=${loaded.again}>${loaded.isLoading ? 'Reading …' : 'Look again'}<span class="unseen"> at ${title}</span></button></div>
    <${Shown} loaded=${loaded} what=${title.toLowerCase()}>${() => table}<//>
  </section>`;
}

function Newest({ crawl, pages, onPick }) {
  const step = pages < 2000 ? pages : Math.floor(pages / 5);
  const loaded = useLoaded(
    async () =>
      (await get(crawlPath(crawl, '/visits'), { cursor: Math.max(0, pages - NEWEST), most: NEWEST })).items.reverse(),
    [crawl, step],
  );
  const columns = () => [
    {
      key: 'number',
      name: 'Page',
      isNumber: true,
      show: (row) =>
        html`<button type="button" class="link" aria-label="Page ${count(row.number)}: why" onClick=${() => onPick(row)}>${count(row.number)}</button>`,
    },
    { key: 'title', name: 'Title', show: (row) => html`<${Outside} url=${row.url}>${row.title || row.url}<//>` },
    {
      key: 'relevance',
      name: 'Relevance',
      isNumber: true,
      word: 'relevance',
      show: (row) => html`<${Meter} value=${row.relevance} />`,
    },
    { key: 'time', name: 'Fetched', show: (row) => html`<${Time} at=${row.time} />` },
  ];
  const table = useMemo(
    () => loaded.data && html`<${Table} name="newest" caption="Newest pages" columns=${columns()} rows=${loaded.data} rowKey=${(row) => row.number} />`,
    [loaded.data],
  );
  return html`<section class="card"><h2>Newest pages</h2>
    <${Shown} loaded=${loaded} what="the newest pages">${() => table}<//></section>`;
}

export default function Monitor({ crawl, place }) {
  const { now, error, again, pace } = useLive(crawl);
  if (!now)
    return html`<div><h1>${crawl}</h1>${error ? html`<${Trouble} error=${error} again=${again} />` : html`<p role="status" class="quiet">Reading the crawl …</p>`}</div>`;
  const { status, state } = now;
  const pick = async (number) => {
    const visit = await tried(visitOf(crawl, number));
    if (visit) setQuery({ page: visit.url });
  };
  const isRunning = state === 'running';
  const rate = (share) => percent(status.pages ? share : null);
  return html`<div class="stack">
    <div class="top"><div><h1>${crawl}</h1><p class="quiet">${status.topic}</p></div>
      <p class="actions"><${State} state=${state} /><${RunButtons} name=${crawl} state=${state} onChange=${again} /></p></div>
    <div class="alarms" role="status">${alarms(now, pace).map((text) => html`<p key=${text} class="advice">⚠ ${text}</p>`)}</div>
    <dl class="card figures">
      <${Figure} name="Pages" value=${count(status.pages)} hint=${isRunning && pace !== null ? `${pace.toFixed(pace < 10 ? 1 : 0)} pages/s` : ''} />
      <${Figure} name="Relevant" word="relevant" value=${count(status.relevant)} hint=${`pages from ${decimal(status.relevant_above)} on`} />
      <${Figure} name="Harvest, last 50" word="last 50" value=${rate(status.harvest_last_50)} />
      <${Figure} name="last 500" word="last 500" value=${rate(status.harvest_last_500)} />
      <${Figure} name="all" word="all pages" value=${rate(status.harvest_all)} />
      <${Figure} name="Queue" word="queue" value=${count(status.urls_by_status.queued)} hint="urls" />
      <${Figure} name="Hosts" word="host" value=${count(status.hosts)} hint=${status.hosts_starved ? `${count(status.hosts_starved)} starved` : ''} />
      <${Figure} name="Failures" word="failure" value=${count(status.failures)} />
      <${Figure} name="Last page" value=${html`<${Time} at=${status.last_time} />`} />
    </dl>
    <section class="card" key="dots"><h2>Relevance of every page</h2>
      ${
        status.pages
          ? html`<${Dots} crawl=${crawl} pages=${status.pages} above=${status.relevant_above} onPick=${pick} />`
          : html`<${Empty} title="No page yet">${isRunning ? 'The first pages are on their way.' : 'Run the crawl to see its pages appear here.'}<//>`
      }</section>
    <div class="columns"><${Progress} status=${status} /><${Counts} status=${status} /></div>
    ${status.pages > 0 && html`<${Newest} crawl=${crawl} pages=${status.pages} onPick=${(row) => setQuery({ page: row.url })} />`}
    <${Asked} crawl=${crawl} name="failures" title="Failures by reason" columns=${FAILURES} isRunning=${isRunning} empty="No failures so far" />
    <${Asked} crawl=${crawl} name="hosts" title="Hosts" columns=${HOSTS} isRunning=${isRunning} empty="No hosts yet" />
    <${Asked} crawl=${crawl} name="types" title="Bytes and types" columns=${TYPES} isRunning=${isRunning} empty="No pages yet" />
    <p class="quiet">To raise, lower or exclude what is waiting, go to <a href=${linkTo(['crawls', crawl, 'queue'])}>the queue</a>.</p>
    ${place.query.page && html`<${PageDialog} crawl=${crawl} url=${place.query.page} onClose=${() => setQuery({ page: '' })} />`}
  </div>`;
}
