/** All crawls of the workspace: how each stands, what is wrong, and what to do next. */

import { crawlPath, get, getAll, post, put, remove } from '../api.js';
import { count, counted, percent } from '../format.js';
import { useEvery, useLoaded } from '../loading.js';
import { Empty, Figure, Select, Shown, State, Time } from '../parts/basics.js';
import { CloneDialog } from '../parts/clone.js';
import { ACTIVE, RunButtons } from '../parts/control.js';
import { Spark } from '../parts/spark.js';
import { say, tried } from '../parts/toast.js';
import { Tour } from '../parts/tour.js';
import { linkTo, setQuery } from '../router.js';
import { html, useState } from '../vendor/preact-htm.js';

const LOOK_SECONDS = 3;
const SHOWN = { all: 'All but archived', active: 'At work', idle: 'Not at work', wrong: 'Something is wrong', archived: 'Archived' };

/** @param {any} crawl @param {string} shown @param {string} words */
function isShown(crawl, shown, words) {
  const text = `${crawl.name} ${crawl.status?.topic || ''} ${crawl.status?.strategy || ''}`.toLowerCase();
  if (!words.toLowerCase().split(/\s+/).every((word) => text.includes(word))) return false;
  if (crawl.is_archived !== (shown === 'archived')) return false;
  if (shown === 'active') return ACTIVE.includes(crawl.state);
  if (shown === 'idle') return !ACTIVE.includes(crawl.state);
  return shown !== 'wrong' || Boolean(crawl.problem) || crawl.advice.length > 0;
}

function CrawlCard({ crawl, onChange, onClone }) {
  const { name, status, state } = crawl;
  const isActive = ACTIVE.includes(state);
  const throwAway = async () => {
    const trashed = await tried(remove(crawlPath(name)));
    const back = () => tried(post(`/trash/${encodeURIComponent(trashed.name)}/restore`), `${name} is back.`).then(onChange);
    if (trashed) say(`${name} is in the trash.`, { undo: back });
    onChange();
  };
  const path = crawlPath(name, '/archived');
  const archive = async () => {
    await tried(put(path), `${name} is archived.`, () => tried(remove(path), `${name} is taken up again.`).then(onChange));
    onChange();
  };
  const takeUp = () => tried(remove(path), `${name} is taken up again.`).then(onChange);
  return html`<article class="card crawl-card" aria-labelledby="crawl-${name}">
    <div class="card-head"><h2 id="crawl-${name}"><a href=${linkTo(['crawls', name, 'monitor'])}>${name}</a></h2><${State} state=${state} /></div>
    ${status && html`<p class="card-topic" title=${status.topic}>${status.topic}</p>
      <dl class="figures">
        <${Figure} name="Pages" value=${count(status.pages)} hint=${`${count(status.relevant)} relevant`} />
        <${Figure} name="Harvest" word="harvest" value=${percent(status.pages ? status.harvest_last_500 : null)} hint="lately" />
        <${Figure} name="Queue" word="queue" value=${count(status.urls_by_status.queued)} hint="urls" />
      </dl>
      <${Spark} values=${crawl.harvest} crawl=${name} pages=${status.pages} />
      <p class="quiet">${status.last_time ? html`Last page <${Time} at=${status.last_time} />` : 'No page yet'}
        ${' · '}${counted(status.hosts, 'host')} · ${counted(status.failures, 'failure')}</p>`}
    ${(crawl.problem ? [crawl.problem] : crawl.advice).map((text) => html`<p class="advice" key=${text}>${text}</p>`)}
    <div class="actions">
      ${!crawl.problem && html`<${RunButtons} name=${name} state=${state} status=${status} onChange=${onChange} />`}
      ${status && html`<button type="button" onClick=${() => onClone(name)}>Clone</button>`}
      ${!isActive && status && (crawl.is_archived ? html`<button type="button" onClick=${takeUp}>Take up again<span class="unseen"> ${name}</span></button>`
        : html`<button type="button" class="plain" onClick=${archive}>Archive<span class="unseen"> ${name}</span></button>`)}
      ${!isActive && html`<button type="button" class="plain danger" onClick=${throwAway}>Delete<span class="unseen"> ${name}</span></button>`}
    </div>
  </article>`;
}

export default function Home({ place }) {
  const loaded = useLoaded(() => getAll('/crawls', { numbers: true }), []);
  const [cloned, setCloned] = useState('');
  useEvery(loaded.again, LOOK_SECONDS);
  const shown = place.query.shown || 'all';
  const words = place.query.find || '';
  return html`<div class="stack"><div class="top"><div><h1>Crawls</h1><p class="quiet">Each crawl is a process of its own; it goes on when this page is closed.</p></div>
      <p class="actions"><a class="button" href="#/new-topic">New topic</a> <a class="button strong" href="#/new-crawl">New crawl</a></p></div>
    <${Shown} loaded=${loaded} what="the crawls">${(crawls) => {
      if (!crawls.length) {
        return html`<${Empty} title="No crawl yet">
          <p>A crawl needs a topic, which can be a few words, and some urls to start from.</p>
          <p class="actions centred"><a class="button strong" href="#/new-crawl">Make the first crawl</a> <a class="button" href="#/new-crawl?web=sample">Try it on the sample web</a></p><//>`;
      }
      const found = crawls.filter((crawl) => isShown(crawl, shown, words));
      return html`<div class="table-tools">
          <label><span class="unseen">Find crawls</span><input type="search" class="long" placeholder="Find by name or topic" value=${words}
            onInput=${(event) => setQuery({ find: event.target.value })} /></label>
          <label>Show <${Select} value=${shown} options=${SHOWN} onChange=${(one) => setQuery({ shown: one })} /></label>
          <span class="quiet" role="status">${found.length} of ${counted(crawls.length, 'crawl')}</span>
        </div>
        ${found.length ? html`<div class="cards">${found.map((crawl) => html`<${CrawlCard} key=${crawl.name} crawl=${crawl} onChange=${loaded.again} onClone=${setCloned} />`)}</div>`
          : html`<${Empty} title=${shown === 'archived' ? 'No crawl is archived' : 'None of them fits'}><button type="button" onClick=${() => setQuery({ find: '', shown: '' })}>Show all</button><//>`}`;
    }}<//>
    ${loaded.data !== null && loaded.data.length > 0 && html`<${Tour} crawl=${(loaded.data.find((one) => !one.problem) || loaded.data[0]).name} isNew=${loaded.data.length === 1 && loaded.data[0].state === 'new'} />`}
    <${Trash} onChange=${loaded.again} />
    ${cloned && html`<${CloneDialog} name=${cloned} onClose=${() => setCloned('')} onDone=${loaded.again} />`}</div>`;
}

/** What was thrown away, to put back or to remove for good. */
function Trash({ onChange }) {
  const [isOpen, setOpen] = useState(false);
  const loaded = useLoaded(async () => (isOpen ? (await get('/trash')).items : []), [isOpen]);
  const changed = () => (loaded.again(), onChange());
  const path = (one) => `/trash/${encodeURIComponent(one.name)}`;
  return html`<details class="trash" onToggle=${(event) => setOpen(event.target.open)}>
    <summary>Trash</summary>
    ${isOpen && html`<${Shown} loaded=${loaded} what="the trash">${(items) => (items.length
      ? html`<ul class="reasons">${items.map((one) => html`<li key=${one.name}><span>${one.name.split('~')[0]}
          <span class="quiet"> thrown away <${Time} at=${Number(one.name.split('~')[1]) / 1000} /></span></span>
          <span class="actions"><button type="button" onClick=${() => tried(post(`${path(one)}/restore`), 'It is back.').then(changed)}>Put back</button>
          <button type="button" class="danger" onClick=${() => tried(remove(path(one)), 'It is gone for good.').then(changed)}>Remove for good</button></span></li>`)}</ul>`
      : html`<p class="quiet">It is empty.</p>`)}<//>`}
  </details>`;
}
