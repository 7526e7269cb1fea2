/** A topic, step by step: words tried at once on real pages, examples, a taxonomy, a topic map, and a box to test it. */

import { get, getAll } from '../api.js';
import { useLoaded } from '../loading.js';
import { Empty, Shown } from '../parts/basics.js';
import { linkTo, setQuery } from '../router.js';
import { Examples } from '../topic/examples.js';
import { TopicMapStep } from '../topic/map.js';
import { Taxonomy } from '../topic/taxonomy.js';
import { TestBox } from '../topic/test_box.js';
import { WordsStep } from '../topic/words.js';
import { html, useState } from '../vendor/preact-htm.js';

const STEPS = {
  words: { name: 'Words', help: 'Type what good pages talk about, and see at once what would be found.', part: WordsStep },
  examples: { name: 'Examples', help: 'Show pages that are meant, and pages that are not.', part: Examples },
  taxonomy: { name: 'Taxonomy', help: 'See where your examples fit in a tree of classes, and choose the good ones.', part: Taxonomy, kind: 'taxonomy' },
  map: { name: 'Topic map', help: 'Choose the topics of a map that are in focus; those around them count less and less.', part: TopicMapStep, kind: 'ontology' },
  test: { name: 'Test', help: 'Paste a text, or name a page of a crawl, and see how relevant it is and why.', part: TestBox, kind: 'any' },
};

/** Topics, and crawls that have pages to try them on: of the most first, which tell most. */
async function known() {
  const [topics, crawls] = await Promise.all([get('/topics', { most: 200 }), getAll('/crawls', { numbers: true })]);
  const rows = await Promise.all(topics.items.map((name) => get(`/topics/${encodeURIComponent(name)}`).catch(() => null)));
  return { topics: rows.filter(Boolean), crawls: crawls.filter((one) => one.status?.pages).sort((a, b) => b.status.pages - a.status.pages).map((one) => one.name) };
}

/** Which topic of the workspace a step works on. */
function Chosen({ topics, topic, onNone }) {
  if (!topics.length) return onNone;
  return html`<p class="table-tools"><label>Topic <select value=${topic} onChange=${(event) => setQuery({ topic: event.target.value })}>
    ${topics.map((one) => html`<option key=${one.name} value=${one.name}>${one.name} (${one.kind})</option>`)}</select></label>
    <a href=${linkTo(['new-crawl'], { topic })}>Crawl with it</a></p>`;
}

export default function NewTopic({ place }) {
  const step = STEPS[place.query.step] ? place.query.step : 'words';
  const { part, kind, help } = STEPS[step];
  const loaded = useLoaded(known, []);
  const [draft, setDraft] = useState({ name: '', words: place.query.words || '', crawl: null, texts: '' });
  const change = (changes) => setDraft((old) => ({ ...old, ...changes }));
  const saved = (topic, next) => (loaded.again(), setQuery({ topic, ...(next ? { step: next } : {}) }));
  return html`<div class="stack"><div class="top"><div><h1>New topic</h1><p class="quiet">${help}</p></div></div>
    <nav class="tabs" aria-label="Steps">${Object.entries(STEPS).map(([key, { name }], at) => html`<a key=${key} href=${linkTo(['new-topic'], { ...place.query, step: key })}
      aria-current=${key === step ? 'step' : undefined}>${at + 1}. ${name}</a>`)}</nav>
    <${Shown} loaded=${loaded} what="topics and crawls">${({ topics, crawls }) => {
      const fitting = kind ? topics.filter((one) => kind === 'any' || one.kind === kind) : [];
      const topic = fitting.some((one) => one.name === place.query.topic) ? place.query.topic : fitting[0]?.name || '';
      const none = step === 'test' && html`<${Empty} title="There is no topic yet"><a href=${linkTo(['new-topic'], { step: 'words' })}>Make one of words</a><//>`;
      return html`<div class="stack">${kind && html`<${Chosen} key="chosen" topics=${fitting} topic=${topic} onNone=${none} />`}
        <${part} key=${kind === 'any' ? step : `${step}/${topic}`} topic=${topic} names=${topics.map((one) => one.name)} crawls=${crawls} draft=${draft} onDraft=${change} onSaved=${saved} /></div>`;
    }}<//></div>`;
}
