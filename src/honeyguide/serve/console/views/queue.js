/** What waits to be fetched: looked at, searched, and steered by rules that can be taken back, also while it runs. */

import { crawlPath, get, post, remove } from '../api.js';
import { count, counted, decimal } from '../format.js';
import { useLive } from '../live.js';
import { useEvery, useLoaded, useRested } from '../loading.js';
import { Bars } from '../parts/bars.js';
import { Empty, Field, Figure, Outside, Select, Shown, State, Term, Time } from '../parts/basics.js';
import { RunButtons } from '../parts/control.js';
import { PageHere, whyColumn } from '../parts/page.js';
import { Seeds, urlsIn } from '../parts/seeds.js';
import { Table } from '../parts/table.js';
import { say, tried } from '../parts/toast.js';
import { setQuery } from '../router.js';
import { html, useState } from '../vendor/preact-htm.js';

const LOOK_SECONDS = 5;
const MOST = 200;
const ACTIONS = { raise: '▲ Raise', lower: '▼ Lower', exclude: '✕ Exclude' };
const DONE = { raise: 'Raised', lower: 'Lowered', exclude: 'Excluded' };
const NEXT = 1e4; // no sum of evidence comes near: the strategy lets what has waited longest come next
const priority = (value) => (value >= NEXT ? 'next' : decimal(value));
const SCOPES = { url: 'this url', folder: 'its folder', host: 'its host' };

/** The pattern for a url, its folder or its host. @param {any} row @param {string} scope */
function patternOf(row, scope) {
  if (scope === 'host') return row.host.replace(/:\d+$/, '');
  if (scope === 'folder') return `${row.url.replace(/[?#].*$/s, '').replace(/[^/]*$/, '')}*`;
  return row.url;
}

/** Steer, and say what was hit; the way back is offered at once. */
async function steer(crawl, action, pattern, onChange) {
  const seen = await get(crawlPath(crawl, '/rules/preview'), { pattern }).catch(() => null);
  const receipt = await tried(post(crawlPath(crawl, '/rules'), { action, pattern }));
  if (!receipt) return;
  const hit = seen ? `${counted(seen.urls, 'waiting url')} on ${counted(seen.hosts, 'host')}` : 'what it hits';
  const when = receipt.receipt === null ? ' The crawl obeys when it next runs.' : '';
  say(`${DONE[action]} ${pattern}: ${hit}.${when}`, {
    undo: async () => {
      await tried(remove(crawlPath(crawl, `/rules/${receipt.number}`)), 'Taken back.');
      onChange();
    },
  });
  onChange();
}

const Buttons = ({ onAct, about }) =>
  html`<span class="steer">${Object.entries(ACTIONS).map(([action, name]) => html`<button key=${action} type="button" class="small"
    onClick=${() => onAct(action)} aria-label="${name.slice(2)} ${about}">${name}</button>`)}</span>`;

function NewRule({ crawl, onChange }) {
  const [pattern, setPattern] = useState('');
  const rested = useRested(pattern.trim());
  const preview = useLoaded(async () => (rested ? get(crawlPath(crawl, '/rules/preview'), { pattern: rested }) : null), [crawl, rested]);
  const act = async (action) => {
    await steer(crawl, action, pattern.trim(), onChange);
    setPattern('');
  };
  const seen = preview.data;
  return html`<section class="card"><h2>Steer by a pattern</h2>
    <${Field} id="pattern" label="Host, url, or url with *" help="example.org hits a host and those below it; example.org/shop/* a folder; *.pdf all that end so.">
      <input id="pattern" value=${pattern} placeholder="example.org/shop/*" autocomplete="off" spellcheck="false" aria-describedby="pattern-help pattern-preview"
        onInput=${(event) => setPattern(event.target.value)} /><//>
    <div id="pattern-preview" role="status" class="preview">
      ${rested && preview.isLoading && html`<p class="quiet">Looking what it would hit …</p>`}
      ${preview.error && html`<p class="field-error">${preview.error.message}</p>`}
      ${rested && seen && html`<p>It would hit <strong>${counted(seen.urls, 'waiting url')}</strong> on ${counted(seen.hosts, 'host')}${seen.is_complete ? '' : ', at least'}.</p>
        <ul class="small">${seen.examples.slice(0, 5).map((url) => html`<li key=${url}><bdi>${url}</bdi></li>`)}</ul>`}
    </div>
    ${pattern.trim() && html`<p class="actions"><${Buttons} onAct=${act} about=${pattern.trim()} /></p>`}
  </section>`;
}

/** More urls to start from, for a crawl that is there: it takes them at once, or when it next runs. */
function MoreSeeds({ crawl, isOpen, onChange }) {
  const [text, setText] = useState('');
  const urls = urlsIn(text);
  const add = async (event) => {
    event.preventDefault();
    const sent = await tried(post(crawlPath(crawl, '/commands?wait=5'), { kind: 'add_seeds', urls }));
    if (!sent) return;
    say(sent.receipt === null ? `${counted(urls.length, 'seed')}: the crawl takes them when it next runs.` : `Seeds: ${sent.receipt}.`);
    setText('');
    onChange();
  };
  return html`<details class="card fold" open=${isOpen}><summary>Add seeds</summary><form onSubmit=${add}><${Seeds} text=${text} onText=${setText} words="" crawls=${[]} />
    <p class="actions"><button disabled=${!urls.length}>Add ${counted(urls.length, 'seed')}</button></p></form></details>`;
}

function Rules({ crawl, rules, onChange }) {
  const back = async (rule) => {
    const again = () => steer(crawl, rule.action, rule.pattern, onChange);
    await tried(remove(crawlPath(crawl, `/rules/${rule.number}`)), `${DONE[rule.action]} ${rule.pattern}: taken back.`, again);
    onChange();
  };
  return html`<section class="card"><h2>Rules</h2>
    ${rules.length ? html`<ul class="reasons">${rules.map((rule) => html`<li key=${rule.number}><span><strong>${DONE[rule.action]}</strong> <bdi>${rule.pattern}</bdi>
      <span class="quiet"> <${Time} at=${rule.time} />${rule.is_waiting ? ', from the next run on' : ''}</span></span>
      <button type="button" onClick=${() => back(rule)}>Take back<span class="unseen"> ${rule.pattern}</span></button></li>`)}</ul>`
      : html`<p class="quiet">None yet: the strategy alone decides. Of several rules that hit a url, the newest counts.</p>`}
  </section>`;
}

function Waiting({ crawl, queue, onChange, scope, onScope }) {
  const columns = [
    {
      key: 'url', name: 'Url',
      show: (row) => html`<span><${Outside} url=${row.url}>${row.url}<//>${row.via && html`<br /><span class="quiet small">found on <bdi>${row.via}</bdi></span>`}</span>`,
    },
    { key: 'priority', name: 'Priority', isNumber: true, word: 'priority', show: (row) => priority(row.priority) },
    { key: 'depth', name: 'Depth', isNumber: true, word: 'depth' },
    { key: 'action', name: 'Rule', value: (row) => row.action || '', show: (row) => (row.action ? DONE[row.action] : '–') },
    whyColumn,
    {
      key: 'steer', name: 'Steer', isAction: true,
      show: (row) => html`<${Buttons} about=${`${SCOPES[scope]}: ${patternOf(row, scope)}`} onAct=${(action) => steer(crawl, action, patternOf(row, scope), onChange)} />`,
    },
  ];
  return html`<section class="card"><div class="card-head"><h2>Next to be fetched</h2>
    <label>A click steers <${Select} value=${scope} options=${SCOPES} onChange=${onScope} /></label></div>
    <${Table} name="queue" caption="Urls that wait" columns=${columns} rows=${queue.urls} rowKey=${(row) => row.url}
      empty=${html`<${Empty} title=${queue.waiting ? 'No waiting url fits' : 'Nothing waits'}>${queue.waiting ? 'Search for something else.' : 'Run the crawl, or add seeds above.'}<//>`} /></section>`;
}

function Hosts({ crawl, queue, onChange }) {
  const columns = [
    { key: 'host', name: 'Host', word: 'host' },
    { key: 'urls', name: 'Waiting urls', isNumber: true },
    {
      key: 'steer', name: 'Steer', isAction: true,
      show: (row) => html`<${Buttons} about=${row.host} onAct=${(action) => steer(crawl, action, patternOf(row, 'host'), onChange)} />`,
    },
  ];
  return html`<section class="card"><h2>By host</h2><${Table} name="queue-hosts" caption="Waiting urls by host" columns=${columns} rows=${queue.by_host} rowKey=${(row) => row.host}
    empty=${html`<${Empty} title="Nothing waits" />`} /></section>`;
}

export default function Queue({ crawl, place }) {
  const { now } = useLive(crawl);
  const [scope, setScope] = useState('url');
  const match = useRested(place.query.match || '');
  const loaded = useLoaded(async () => {
    const [queue, rules] = await Promise.all([get(crawlPath(crawl, '/queue'), { match, most: MOST }), get(crawlPath(crawl, '/rules'))]);
    return { queue, rules: rules.items };
  }, [crawl, match]);
  useEvery(() => now?.state === 'running' && loaded.again(), LOOK_SECONDS);
  return html`<div class="stack"><div class="top"><div><h1>Queue</h1><p class="quiet">What comes next, and what shall not. It can be steered while the crawl runs.</p></div>
      ${now && html`<p class="actions"><${State} state=${now.state} /><${RunButtons} name=${crawl} state=${now.state} status=${now.status} /></p>`}</div>
    <div class="table-tools"><label><span class="unseen">Search the queue</span><input type="search" class="long" value=${place.query.match || ''} placeholder="Text in the url, or a pattern with *"
        onInput=${(event) => setQuery({ match: event.target.value })} /></label>
      <button type="button" class="link" onClick=${loaded.again}>Look again</button></div>
    <${Shown} loaded=${loaded} what="the queue">${({ queue, rules }) => html`<div class="stack">
      <dl class="card figures">
        <${Figure} name="Waiting" word="queue" value=${count(queue.waiting)} hint="urls" />
        ${match && html`<${Figure} key="hits" name="Fit the search" value=${count(queue.hits)} hint="urls" />`}
        <${Figure} name="Hosts" word="host" value=${count(queue.hosts)} />
        <${Figure} name="Raised" value=${count(queue.raised)} hint="urls" /><${Figure} name="Lowered" value=${count(queue.lowered)} hint="urls" />
        <${Figure} name="Excluded" value=${count(queue.excluded)} hint="urls" />
      </dl>
      ${!queue.is_complete && html`<p class="advice">The queue is large: these counts are of the part that could be looked at in time.</p>`}
      <div class="columns"><${NewRule} crawl=${crawl} onChange=${loaded.again} /><${Rules} crawl=${crawl} rules=${rules} onChange=${loaded.again} /><${MoreSeeds} crawl=${crawl} isOpen=${!queue.waiting} onChange=${loaded.again} /></div>
      <${Waiting} crawl=${crawl} queue=${queue} onChange=${loaded.again} scope=${scope} onScope=${setScope} />
      <div class="columns"><${Hosts} crawl=${crawl} queue=${queue} onChange=${loaded.again} />
        <section class="card"><h2><${Term} word="priority">By priority<//></h2>${
          queue.by_priority.length ? html`<${Bars} caption="Waiting urls by priority" rows=${queue.by_priority.map((share) => ({ name: `${priority(share.low)} to ${priority(share.high)}`, value: share.urls })).reverse()} />`
            : html`<p class="quiet">Nothing waits.</p>`
        }</section></div>
    </div>`}<//>
    <${PageHere} crawl=${crawl} place=${place} />
  </div>`;
}
