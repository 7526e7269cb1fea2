/** A crawl as it goes on: every page as a dot, how it does, what is in its way. */

import { crawlPath, get, Lost } from '../api.js';
import { bytes, count, counted, decimal, duration, percent } from '../format.js';
import { useLive } from '../live.js';
import { useEvery, useLoaded, useSeen } from '../loading.js';
import { asked } from '../parts/asking.js';
import { Empty, Figure, Outside, Shown, State, Term, Time, Trouble } from '../parts/basics.js';
import { RunButtons } from '../parts/control.js';
import { allCells, Dots, visitOf } from '../parts/dots.js';
import { PageHere } from '../parts/page.js';
import { Table } from '../parts/table.js';
import { relevanceColumn } from '../results/cells.js';
import { tried } from '../parts/toast.js';
import { linkTo, setQuery } from '../router.js';
import { html, useMemo } from '../vendor/preact-htm.js';

const LOOK_SECONDS = 30;
const NEWEST = 20;
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
const TRAPS = {
  repeated_path: 'folders that repeat',
  deep_path: 'folders without end',
  calendar: 'calendars without end',
  facets: 'filters that can be combined without end',
  session_id: 'addresses made for one visitor',
  long_query: 'questions without end',
  host_starved: 'hosts that brought nothing for too long',
  site_starved: 'sites that brought nothing for too long',
};
const SKIPPED = {
  url_too_long: 'urls that are too long',
  too_deep: 'too many links from a seed',
  not_allowed: 'not among what is allowed',
  extension: 'kinds of files that are not wanted',
  host_full: 'hosts of which enough is known',
  site_full: 'sites of which enough is known',
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

function Progress({ status }) {
  const parts = Object.entries(DONE)
    .map(([key, name]) => ({ key, name, urls: status.urls_by_status[key] || 0 }))
    .filter((one) => one.urls);
  const all = Math.max(1, parts.reduce((sum, one) => sum + one.urls, 0));
  return html`<section class="card"><h2><${Term} word="queue">Queue against done<//></h2>
    ${!parts.length && html`<p class="quiet">No url is known yet.</p>`}
    <div class="bar" role="img" hidden=${!parts.length} aria-label=${parts.map((one) => `${one.name}: ${count(one.urls)}`).join(', ')}>
      ${parts.map((one) => html`<span key=${one.key} class="bar-${one.key}" style=${{ flexGrow: one.urls / all }}></span>`)}</div>
    <ul class="reasons">${parts.map((one) => html`<li key=${one.key}><span><span class="key bar-${one.key}"></span>${one.name}</span>
      <span class="number">${counted(one.urls, 'url')}, ${percent(one.urls / all)}</span></li>`)}</ul>
  </section>`;
}

/** Counts with their names, the greatest first. */
const Counted = ({ title, word = undefined, counts, none }) => html`<section class="card"><h2>${word ? html`<${Term} word=${word}>${title}<//>` : title}</h2>
  ${counts.length ? html`<ul class="reasons">${counts.sort((a, b) => b[1] - a[1]).map(([name, value]) => html`<li key=${name}><span>${name}</span><span class="number">${count(value)}</span></li>`)}</ul>`
    : html`<p class="quiet">${none}</p>`}</section>`;

/** What became of links and pages: taken, skipped and why, traps. */
function Counts({ status }) {
  const [taken, skipped, traps] = [/** @type {any[]} */ ([]), /** @type {any[]} */ ([]), /** @type {any[]} */ ([])];
  for (const [key, value] of Object.entries(status.counts).filter(([, number]) => number)) {
    const reason = key.replace(/^refused_/, '');
    if (reason === key) taken.push([COUNTS[key] || key.replaceAll('_', ' '), value]);
    else if (TRAPS[reason]) traps.push([TRAPS[reason], value]);
    else skipped.push([SKIPPED[reason] || reason.replaceAll('_', ' '), value]);
  }
  return html`<${Counted} key="taken" title="Pages and links" counts=${taken} none="Nothing yet." />
    <${Counted} key="skipped" title="Skipped urls by reason" counts=${skipped} none="No url was skipped." />
    <${Counted} key="traps" title="Traps found" word="trap" counts=${traps} none="No url looked like a way into a trap." />`;
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
  { key: 'mean_relevance', name: 'Mean relevance', isNumber: true, show: (row) => percent(row.mean_relevance) },
  { key: 'failures', name: 'Failures', isNumber: true },
  { key: 'urls', name: 'Known urls', isNumber: true },
  { key: 'fruitless', name: 'Fruitless in a row', isNumber: true, word: 'starved' },
];
const LATELY = [
  { key: 'host', name: 'Host', word: 'host' },
  { key: 'blocked_until', name: 'Rests until', word: 'rest', isNumber: true, show: (row) => (row.blocked_until > Date.now() / 1000 ? html`<${Time} at=${row.blocked_until} exact />` : '–') },
  { key: 'failures', name: 'Failures', isNumber: true, word: 'failure' },
  { key: 'seconds', name: 'Mean answer time', isNumber: true, word: 'answer time', show: (row) => (row.pages ? duration(row.seconds) : '–') },
  { key: 'pages', name: 'Pages', isNumber: true },
  { key: 'last_error', name: 'Last failure' },
  { key: 'last_time', name: 'Last asked', isNumber: true, show: (row) => html`<${Time} at=${row.last_time} />` },
];
const TYPES = [
  { key: 'content_type', name: 'Type', show: (row) => row.content_type || 'not said' },
  { key: 'pages', name: 'Pages', isNumber: true },
  { key: 'bytes', name: 'Size', isNumber: true, show: (row) => bytes(row.bytes) },
  { key: 'seconds', name: 'Mean time', isNumber: true, show: (row) => `${decimal(row.seconds)} s` },
];

/** A table that is read when it is first seen, and again while the crawl runs. */
function Asked({ crawl, name, title, columns, isRunning, empty, read = () => asked(crawl, TABLES[name]) }) {
  const [own, isSeen] = useSeen();
  const loaded = useLoaded(async () => (isSeen ? read() : null), [crawl, isSeen]);
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
  const loaded = useLoaded(async () => (await get(crawlPath(crawl, '/visits'), { cursor: Math.max(0, pages - NEWEST), most: NEWEST })).items.reverse(), [crawl, step]);
  const columns = () => [
    { key: 'number', name: 'Page', isNumber: true, show: (row) => html`<button type="button" class="link" aria-label="Page ${count(row.number)}: why" onClick=${() => onPick(row)}>${count(row.number)}</button>` },
    { key: 'title', name: 'Title', show: (row) => html`<${Outside} url=${row.url}>${row.title || row.url}<//>` },
    relevanceColumn,
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
  // What takes longest is asked for at once, not when the numbers have come.
  const first = useMemo(() => allCells(crawl).catch(() => null), [crawl]);
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
      <p class="actions"><${Term} word="state"><${State} state=${state} /><//><${RunButtons} name=${crawl} state=${state} status=${status} onChange=${again} /></p></div>
    ${error && !(error instanceof Lost) && html`<${Trouble} key="gone" error=${error} again=${again} />`}
    <div class="alarms" role="status">${now.advice.map((text) => html`<p key=${text} class="advice">⚠ ${text}</p>`)}</div>
    <dl class="card figures">
      <${Figure} name="Pages" value=${count(status.pages)} hint=${[status.max_pages ? `of ${count(status.max_pages)}` : '', isRunning && pace !== null ? `${pace.toFixed(pace < 10 ? 1 : 0)} pages/s` : ''].filter(Boolean).join(', ')} />
      <${Figure} name="Relevant" word="relevant" value=${count(status.relevant)} hint=${`pages from ${percent(status.relevant_above)} on`} />
      <${Figure} name="Harvest, last 50" word="last 50" value=${rate(status.harvest_last_50)} />
      <${Figure} name="last 500" word="last 500" value=${rate(status.harvest_last_500)} />
      <${Figure} name="all" word="all pages" value=${rate(status.harvest_all)} />
      <${Figure} name="Queue" word="queue" value=${count(status.urls_by_status.queued)} hint="urls" />
      <${Figure} name="Hosts" word="host" value=${count(status.hosts)} hint=${status.hosts_starved ? `${count(status.hosts_starved)} starved` : ''} />
      <${Figure} name="Failures" word="failure" value=${count(status.failures)} />
      ${status.not_recorded > 0 && html`<${Figure} key="not-recorded" name="Not recorded" word="not recorded" value=${count(status.not_recorded)} hint="links" />`}
      <${Figure} name="Last page" value=${html`<${Time} at=${status.last_time} />`} />
    </dl>
    <section class="card" key="dots"><h2>Relevance of every page</h2>
      ${
        status.pages
          ? html`<${Dots} crawl=${crawl} pages=${status.pages} above=${status.relevant_above} first=${first} onPick=${pick} />`
          : html`<${Empty} title="No page yet">${isRunning || state === 'starting' ? 'The first pages are on their way.' : 'Run the crawl to see its pages appear here.'}<//>`
      }</section>
    <div class="columns"><${Progress} status=${status} /><${Counts} status=${status} /></div>
    ${status.pages > 0 && html`<${Newest} crawl=${crawl} pages=${status.pages} onPick=${(row) => setQuery({ page: row.url })} />`}
    <${Asked} crawl=${crawl} name="failures" title="Failures by reason" columns=${FAILURES} isRunning=${isRunning} empty="No failures so far" />
    <${Asked} crawl=${crawl} name="lately" title="Hosts lately: failing, slow, resting" columns=${LATELY} isRunning=${isRunning} empty="No host was asked yet"
      read=${async () => (await get(crawlPath(crawl, '/lately'))).hosts} />
    <${Asked} crawl=${crawl} name="hosts" title="Hosts" columns=${HOSTS} isRunning=${isRunning} empty="No hosts yet" />
    <${Asked} crawl=${crawl} name="types" title="Bytes and types" columns=${TYPES} isRunning=${isRunning} empty="No pages yet" />
    <p class="quiet">To raise, lower or exclude what is waiting, go to <a href=${linkTo(['crawls', crawl, 'queue'])}>the queue</a>. To print or keep how it went, <a href=${linkTo(['reports'], { crawl })}>write a report</a>.</p>
    <${PageHere} crawl=${crawl} place=${place} />
  </div>`;
}
