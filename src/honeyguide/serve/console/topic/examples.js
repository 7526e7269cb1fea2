/** Pages that are meant and pages that are not: pasted, dropped, from bookmarks, or suggested and accepted. */

import { post } from '../api.js';
import { bytes, counted } from '../format.js';
import { useLoaded, useRested } from '../loading.js';
import { Empty, Field, Meter, Outside, Select, Shown } from '../parts/basics.js';
import { isUrls, urlsIn } from '../parts/seeds.js';
import { say } from '../parts/toast.js';
import { html, useState } from '../vendor/preact-htm.js';
import { useWork, Working } from './work.js';

const MOST_BYTES = 3_500_000;
const WAYS = {
  train: { name: 'Learn to tell them apart', help: 'The most exact. Needs about ten good examples; bad ones help.' },
  expand: { name: 'Take more words from them', help: 'The words that the good examples share join yours. Two or three are enough.' },
  class: { name: 'A class of its own in the built-in taxonomy', help: 'Told from 136 other classes. A few examples are enough.' },
};

/** @typedef {{url?: string, text?: string, html?: string, title: string, isGood: boolean}} Example */

/** What a text box or a file holds, as examples. @param {string} text @param {boolean} isGood @param {string} [file] @returns {Example[]} */
export function examplesIn(text, isGood, file = '') {
  const urls = urlsIn(text);
  const isList = isUrls(text) || isBookmarks(text);
  if (isList && urls.length) return urls.slice(0, 1000).map((url) => ({ url, title: url, isGood }));
  if (!text.trim()) return [];
  const title = file || text.trim().split('\n')[0].slice(0, 80);
  return [/^\s*<(!doctype|html|head|body)/i.test(text) ? { html: text, title, isGood } : { text, title, isGood }];
}

/** @param {string} text */
const isBookmarks = (text) => /^\s*<!doctype netscape-bookmark/i.test(text);

const SIGNS = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The folders of bookmarks, by their paths. @param {string} text */
export function foldersIn(text) {
  const found = [];
  const path = /** @type {string[]} */ ([]);
  let name = '';
  for (const [, tag, title] of text.matchAll(/<(\/?dl|h3)\b[^>]*>(?:([^<]*)<\/h3>)?/gi)) {
    if (/^h3$/i.test(tag)) name = (title || '').replace(/&(amp|lt|gt|quot|#39);/g, (_, sign) => SIGNS[sign]).trim();
    else if (/^dl$/i.test(tag)) {
      path.push(name);
      if (name) found.push(path.filter(Boolean).join('/'));
      name = '';
    } else path.pop();
  }
  return [...new Set(found)].slice(0, 1000);
}

/** As the server takes them. @param {Example[]} some */
const sources = (some) => ({
  urls: some.filter((one) => one.url).map((one) => one.url),
  documents: some.filter((one) => !one.url).map((one) => (one.html ? { html: one.html } : { text: one.text })),
});

function Listed({ examples, onChange }) {
  if (!examples.length) return html`<${Empty} title="No examples yet">Paste the addresses or texts of some pages that you would be glad to find.<//>`;
  return html`<ul class="reasons" aria-label="Examples">${examples.map((one, at) => html`<li key=${at}>
    <span>${one.url ? html`<${Outside} url=${one.url} />` : html`<bdi>${one.title}</bdi>`}</span>
    <span class="found-end"><button type="button" class="small" aria-pressed=${one.isGood} onClick=${() => onChange(examples.map((other) => (other === one ? { ...one, isGood: !one.isGood } : other)))}>
      ${one.isGood ? 'meant' : 'not meant'}<span class="unseen"> ${one.title}</span></button>
      <button type="button" class="plain" aria-label="Remove ${one.title}" onClick=${() => onChange(examples.filter((other) => other !== one))}>×</button></span></li>`)}</ul>`;
}

/** Pages of a former crawl that the words find, to accept or reject as examples. */
function Suggested({ words, crawls, examples, onAdd }) {
  const [crawl, setCrawl] = useState(crawls[0] || '');
  const asked = useRested(words.trim(), 600);
  const found = useLoaded(async () => (asked && crawl ? (await post('/check/topic', { words: asked, crawl, most: 200 })).items : []), [asked, crawl]);
  const has = new Set(examples.map((one) => one.url));
  return html`<section class="card" key="suggested"><h2>Suggested examples</h2>
    ${crawls.length > 0 && html`<p><label>From the crawl <${Select} value=${crawl} options=${crawls} onChange=${setCrawl} /></label></p>`}
    <${Shown} loaded=${found} what="pages that may be examples">${(pages) => {
      const shown = pages.filter((page) => page.relevance > 0 && page.url && !has.has(page.url)).slice(0, 8);
      return shown.length ? html`<ul class="reasons">${shown.map((page) => html`<li key=${page.url}><span><${Outside} url=${page.url}><bdi>${page.title || page.url}</bdi><//> <${Meter} value=${page.relevance} /></span>
        <span class="found-end"><button type="button" class="small" onClick=${() => onAdd(page, true, crawl)}>Accept<span class="unseen"> ${page.title}</span></button>
          <button type="button" class="small" onClick=${() => onAdd(page, false, crawl)}>Reject<span class="unseen"> ${page.title}</span></button></span></li>`)}</ul>`
        : html`<p class="quiet">${words.trim() ? 'No further page of this crawl has these words.' : 'Give the topic some words, and pages that have them are suggested here.'}</p>`;
    }}<//></section>`;
}

export function Examples({ names, crawls, draft, onDraft, onSaved }) {
  const [examples, setExamples] = useState(/** @type {Example[]} */ ([]));
  const [pasted, setPasted] = useState('');
  const [way, setWay] = useState('train');
  const [web, setWeb] = useState({ recording: '', contact: '' });
  const [bookmarks, setBookmarks] = useState({ text: '', folders: /** @type {string[]} */ ([]), good: '' });
  const { work, run } = useWork();
  const good = examples.filter((one) => one.isGood);
  const size = examples.reduce((sum, one) => sum + (one.text || one.html || one.url || '').length, 0);
  const add = (some) => setExamples((old) => [...old, ...some.filter((one) => !one.url || !old.some((other) => other.url === one.url))].slice(0, 1000));
  const take = async (files) => {
    for (const file of [...files].slice(0, 100)) {
      const text = await file.slice(0, 2_000_000).text();
      if (isBookmarks(text)) setBookmarks({ text, folders: foldersIn(text), good: foldersIn(text)[0] || '' });
      add(examplesIn(text, true, file.name));
    }
  };
  const needsWeb = examples.some((one) => one.url);
  const name = draft.name;
  const begin = () => {
    const from = { recording: web.recording ? `crawls/${web.recording}` : '', contact: web.contact };
    const replace = names.includes(name);
    if (way === 'train') return post(`/topics/${encodeURIComponent(name)}/train`, { positive: sources(good), negative: sources(examples.filter((one) => !one.isGood)), replace, ...from });
    const given = way === 'expand' ? { words: draft.words, expand: sources(good) } : { title: draft.words.split(/[,;\n]/)[0].trim().slice(0, 100) || name, words: draft.words, examples: sources(good) };
    return post('/topics', { name, replace, ...given, ...from });
  };
  const make = async (event) => {
    event.preventDefault();
    if (!(await run(begin, 'Reading the examples and learning'))) return;
    say(`The topic ${name} is saved.`);
    onSaved(name, way === 'class' ? 'taxonomy' : 'test');
  };
  const importAll = async () => {
    const begun = () => post(`/topics/${encodeURIComponent(name)}/import`, { kind: 'bookmarks', sources: { documents: [{ html: bookmarks.text }] }, good: [bookmarks.good], replace: names.includes(name) });
    if (await run(begun, 'Making a taxonomy of the folders of the bookmarks')) onSaved(name, 'taxonomy');
  };
  return html`<div class="beside"><div class="stack"><section class="card" key="given" onDragOver=${(event) => event.preventDefault()} onDrop=${(event) => (event.preventDefault(), take(event.dataTransfer.files))}>
      <${Field} id="example-text" label="Urls, or the text of a page" help="Urls one a line, or one text at a time. Files and bookmarks can be dropped on this card."><textarea id="example-text" rows="5" aria-describedby="example-text-help" value=${pasted} onInput=${(event) => setPasted(event.target.value)}></textarea><//>
      <p class="actions"><button type="button" disabled=${!pasted.trim()} onClick=${() => (add(examplesIn(pasted, true)), setPasted(''))}>Add as meant</button>
        <button type="button" disabled=${!pasted.trim()} onClick=${() => (add(examplesIn(pasted, false)), setPasted(''))}>Add as not meant</button>
        <label class="button">Choose files<input class="unseen" type="file" multiple accept=".html,.htm,.txt,.md" onChange=${(event) => take(event.target.files)} /></label></p>
      ${bookmarks.folders.length > 0 && html`<div class="advice"><p>These are bookmarks in folders: their addresses are listed below, or the folders become a taxonomy in which one is good.</p>
        <p class="table-tools"><label>Good <select value=${bookmarks.good} onChange=${(event) => setBookmarks({ ...bookmarks, good: event.target.value })}>${bookmarks.folders.map((one) => html`<option key=${one} value=${one}>${one}</option>`)}</select></label>
          <button type="button" disabled=${!name || Boolean(work.text)} onClick=${importAll}>Import the folders as a taxonomy</button>${!name && html`<span class="quiet">Give the topic a name first.</span>`}</p></div>`}
      <h2>${counted(good.length, 'example')} meant, ${examples.length - good.length} not meant</h2><${Listed} examples=${examples} onChange=${setExamples} /></section>
      <${Suggested} words=${draft.words} crawls=${crawls} examples=${examples} onAdd=${(page, isGood, crawl) => (add([{ url: page.url, title: page.title || page.url, isGood }]), setWeb((old) => ({ ...old, recording: old.recording || crawl })))} /></div>
    <aside class="stack sticky" aria-label="Making the topic"><form class="card" onSubmit=${make}><h2>Make the topic</h2>
      <${Field} id="example-name" label="Name of the topic" error=${names.includes(name) ? 'There is a topic of this name; it will be replaced.' : ''}><input id="example-name" required autocomplete="off" pattern="[A-Za-z0-9][A-Za-z0-9._\\-]*" value=${name} onInput=${(event) => onDraft({ name: event.target.value })} /><//>
      <${Field} id="example-words" label="Its words"><textarea id="example-words" rows="2" value=${draft.words} onInput=${(event) => onDraft({ words: event.target.value })}></textarea><//>
      <fieldset class="choices"><legend>What to do with the examples</legend>${Object.entries(WAYS).map(([key, one]) => html`<label key=${key} class="choice ${way === key ? 'is-chosen' : ''}"><input type="radio" name="way" checked=${way === key} onChange=${() => setWay(key)} />
        <span><strong>${one.name}</strong> <span class="quiet">${one.help}</span></span></label>`)}</fieldset>
      ${needsWeb && html`<div><${Field} id="example-recording" label="Take the urls from"><select id="example-recording" value=${web.recording} onChange=${(event) => setWeb({ ...web, recording: event.target.value })}>
          <option value="">the live Web</option>${crawls.map((one) => html`<option key=${one} value=${one}>the crawl ${one}</option>`)}</select><//>
        ${!web.recording && html`<${Field} id="example-contact" label="Who asks" help="A web page or mail address; the live Web is asked politely."><input id="example-contact" aria-describedby="example-contact-help" value=${web.contact} onInput=${(event) => setWeb({ ...web, contact: event.target.value })} /><//>`}</div>`}
      ${size > MOST_BYTES && html`<p class="field-error">These are ${bytes(size)}; more than ${bytes(MOST_BYTES)} cannot be sent at once. Remove some.</p>`}
      <p class="actions"><button class="strong" disabled=${!good.length || !name || size > MOST_BYTES || Boolean(work.text)}>${work.text ? 'At work …' : `Make it from ${counted(good.length, 'example')}`}</button></p><${Working} work=${work} /></form></aside></div>`;
}
