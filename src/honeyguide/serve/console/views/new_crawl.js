/** A new crawl: what it looks for, where it starts, how it chooses, how far it goes, how it behaves, what it costs. */

import { get, post, Problem } from '../api.js';
import { costs } from '../costs.js';
import { useLoaded, useRested } from '../loading.js';
import { Field, Figure, Shown, Term, Trouble } from '../parts/basics.js';
import { Seeds } from '../parts/seeds.js';
import { AllSettings, SettingField } from '../parts/settings.js';
import { say } from '../parts/toast.js';
import { go } from '../router.js';
import { html, useState } from '../vendor/preact-htm.js';

const LIMITS = { 'limits.max_pages': 'Pages at most', 'limits.max_seconds': 'Time at most', 'scope.max_depth': 'Links from a seed at most', 'scope.allow_hosts': 'Only these hosts', 'scope.deny_hosts': 'Never these hosts' };
const MANNERS = { 'politeness.contact': 'Who crawls', 'politeness.delay_seconds': 'Rest between two requests to a host', 'politeness.one_request_per': 'One request at a time to each', 'fetch.in_flight': 'Requests at the same time', 'fetch.sitemaps': 'Read sitemaps', 'output.archive': 'Keep the pages themselves' };
const ELSEWHERE = ['topic.text', 'topic.file', 'topic.model', 'seeds.urls', 'seeds.file', 'strategy.name', 'output.folder', 'output.archive_at', 'web.recording', 'web.sample_pages', 'web.fetcher'];
const STRATEGIES = {
  honeyguide: 'Learns while it crawls which links lead to good pages. The best choice unless you compare strategies.',
  'soft-focus': 'Links of relevant pages come first; nothing is shut out.',
  'hard-focus': 'Follows links of pages on the topic alone: strict, may run out of links.',
  distilled: 'Finds the best hubs now and then, and what they link to comes first.',
  'best-first': 'Links of the page most similar to the topic come first.',
  'shark-search': 'Weighs the words of and around a link, and what its page inherited.',
  'link-context': 'Weighs the words around each link against the whole page.',
  'breadth-first': 'In the order of discovery, whatever the topic: a yardstick.',
};
const FIRST = 5;
const WEBS = { live: 'The live Web', sample: 'The sample web: made up, to try things', recorded: 'A former crawl, as a recorded web' };
const SAMPLE_PAGES = 2000;

async function options() {
  const [settings, strategies, topics, crawls, sample] = await Promise.all([
    get('/settings'), get('/strategies'), get('/topics', { most: 1000 }), get('/crawls', { most: 1000 }), get('/sample-web', { pages: SAMPLE_PAGES }),
  ]);
  const rank = (one) => (one.name in STRATEGIES ? Object.keys(STRATEGIES).indexOf(one.name) : 99);
  return { settings, strategies: [...strategies].sort((a, b) => rank(a) - rank(b)), topics: topics.items, crawls: crawls.items.map((one) => one.name), sample };
}

/** A name made of words. @param {string} text */
const nameOf = (text) => text.toLowerCase().normalize('NFD').replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 40).replace(/-+$/, '');

/** The order as the server takes it. @param {any} draft */
function orderOf(draft) {
  const settings = Object.fromEntries(Object.entries(draft.settings).filter(([, value]) => value !== undefined));
  if (draft.web === 'sample') settings['web.sample_pages'] = SAMPLE_PAGES;
  if (draft.strategy !== 'honeyguide') settings['strategy.name'] = draft.strategy;
  return {
    name: draft.name || nameOf(draft.topicName || draft.words),
    topic: draft.topicName ? '' : draft.words.trim(),
    topic_name: draft.topicName,
    seeds: draft.seeds.split('\n').map((line) => line.trim()).filter(Boolean),
    recording: draft.web === 'recorded' && draft.recording ? `crawls/${draft.recording}` : '',
    settings,
  };
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
/** What is wrong, said at its place. @type {[string, RegExp][]} */
const PLACES = [['name', /^name\b|there is a crawl|string should match pattern/i], ['politeness.contact', /contact/], ['topic', /topic/], ['seeds', /seed|url/], ['recording', /recording/]];

/** @param {string} problem @param {any[]} settings */
const placeOf = (problem, settings) =>
  settings.find((one) => problem.includes(one.key))?.key || PLACES.find(([, words]) => words.test(problem))?.[0] || '';

/** What is wrong with the name, if anything is. @param {string} name */
const wrongName = (name) =>
  !name ? ['name: give the crawl a name'] : NAME.test(name) ? [] : [`name: ${name} has other signs than letters, digits, dots, dashes and underscores, or does not begin with a letter or digit`];

/** What is only missing yet, said without the options of the command line. @type {[RegExp, string][]} */
const MISSING = [[/^crawl order: no topic:.*/, 'topic: choose one, or say it in words'], [/^crawl order: no seeds:.*/, 'seeds: give the urls to start from']];
const plain = (problem) => MISSING.reduce((text, [words, said]) => text.replace(words, said), problem);

/** All that is wrong, so that nobody mends one thing after the other. @param {any} order */
async function problemsOf(order) {
  const name = wrongName(order.name);
  try {
    return [...name, ...(await post('/check/crawl', name.length ? { ...order, name: 'a-crawl-without-a-name' } : order)).problems.map(plain)];
  } catch (error) {
    if (error instanceof Problem && error.status === 422) return [...new Set([...name, ...error.message.split('; ').map(plain)])];
    throw error;
  }
}

function Strategies({ strategies, chosen, onChoose }) {
  const row = (one) => html`<label key=${one.name} class="choice ${chosen === one.name ? 'is-chosen' : ''}"><input type="radio" name="strategy" value=${one.name} checked=${chosen === one.name}
    onChange=${() => onChoose(one.name)} /><span><strong>${one.name}</strong> <span class="quiet">${STRATEGIES[one.name] || one.purpose}</span></span></label>`;
  return html`<fieldset class="choices"><legend class="unseen">Strategy</legend>${strategies.slice(0, FIRST).map(row)}
    <details class="fold" open=${!strategies.slice(0, FIRST).some((one) => one.name === chosen)}><summary>${strategies.length - FIRST} others</summary>${strategies.slice(FIRST).map(row)}</details></fieldset>`;
}

function Form({ known, query }) {
  const [draft, setDraft] = useState({ name: query.name || '', words: query.words || '', topicName: query.topic || '', seeds: query.seeds || '', web: query.web || 'live', recording: known.crawls[0] || '', strategy: 'honeyguide', settings: /** @type {any} */ ({}) });
  const [touched, setTouched] = useState(/** @type {Record<string, boolean>} */ ({}));
  const [work, setWork] = useState(/** @type {any} */ ({}));
  const order = orderOf(draft);
  const rested = useRested(JSON.stringify(order));
  const checked = useLoaded(() => problemsOf(JSON.parse(rested)), [rested]);
  const change = (key, value) => (setDraft((old) => ({ ...old, [key]: value })), setTouched((old) => ({ ...old, [key]: true })));
  const set = (key, value) => (setDraft((old) => ({ ...old, settings: { ...old.settings, [key]: value } })), setTouched((old) => ({ ...old, [key]: true })));
  const problems = checked.data || [];
  const wrongAt = (place) => (touched[place] || (place === 'topic' && touched.words) ? problems.filter((one) => placeOf(one, known.settings) === place).join(' ') : '');
  const byKey = Object.fromEntries(known.settings.map((one) => [one.key, one]));
  const setting = (key) => draft.settings[key] ?? byKey[key]?.default;
  const field = ([key, label]) => html`<${SettingField} key=${key} setting=${byKey[key]} label=${label} value=${draft.settings[key]} error=${wrongAt(key)} onChange=${(value) => set(key, value)} />`;
  const input = (key) => ({ id: key, value: draft[key], autocomplete: 'off', 'aria-describedby': `${key}-help`, onInput: (event) => change(key, event.target.value) });
  const isSample = draft.web === 'sample';
  const trySample = (event) => {
    const chosen = known.sample.find((one) => one.topic === event.target.value);
    if (chosen) setDraft((old) => ({ ...old, words: chosen.words, topicName: '', seeds: chosen.seeds.join('\n') }));
  };
  const make = async (run) => {
    setWork({ isBusy: true });
    try {
      const made = await post('/crawls', { ...order, run });
      say(run ? `${made.name} is starting.` : `${made.name} is there, not started yet.`);
      go(run ? ['crawls', made.name, 'monitor'] : []);
    } catch (error) {
      setWork({ error });
    }
  };
  const places = [...Object.keys(LIMITS), ...Object.keys(MANNERS), ...ELSEWHERE];
  return html`<form class="beside" onSubmit=${(event) => (event.preventDefault(), make(true))}>
    <div class="stack">
      <section class="card" key="topic"><h2><${Term} word="topic">Topic<//></h2>
        ${known.topics.length > 0 && html`<${Field} id="topicName" label="A topic of the workspace, or words"><select id="topicName" value=${draft.topicName} onChange=${(event) => change('topicName', event.target.value)}>
          <option value="">Words, given below</option>${known.topics.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}</select><//>`}
        ${!draft.topicName && html`<${Field} id="words" label="In words" error=${wrongAt('topic')} help=${html`Words that good pages use; “phrases” in quotes; a minus before what is not meant. <a href="#/new-topic">Make a better topic</a> with examples.`}>
          <textarea ...${input('words')} rows="2" placeholder="beekeeping, honey bees, hives"></textarea><//>`}
        <${Field} id="name" label="Name of the crawl" help="Letters, digits, dots and dashes; it is the name of its folder." error=${wrongAt('name')}><input ...${input('name')} placeholder=${order.name || 'beekeeping'} /><//></section>
      <section class="card" key="web"><h2>Web and seeds</h2>
        <${Field} id="web" label="Which web"><select id="web" value=${draft.web} onChange=${(event) => change('web', event.target.value)}>
          ${Object.entries(WEBS).filter(([key]) => key !== 'recorded' || known.crawls.length).map(([key, name]) => html`<option key=${key} value=${key}>${name}</option>`)}</select><//>
        ${isSample && html`<${Field} id="sample" label="Try a topic of the sample web" help="Fills in words and seeds."><select id="sample" onChange=${trySample}><option value="">Choose one</option>
          ${known.sample.map((one) => html`<option key=${one.topic} value=${one.topic}>${one.topic}</option>`)}</select><//>`}
        ${draft.web === 'recorded' && html`<${Field} id="recording" label="Which crawl" error=${wrongAt('recording')}><select id="recording" value=${draft.recording} onChange=${(event) => change('recording', event.target.value)}>
          ${known.crawls.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}</select><//>`}
        <${Seeds} text=${draft.seeds} onText=${(text) => change('seeds', text)} words=${draft.words} crawls=${known.crawls} error=${wrongAt('seeds')} /></section>
      <section class="card" key="strategy"><h2><${Term} word="strategy">Strategy<//></h2><${Strategies} strategies=${known.strategies} chosen=${draft.strategy} onChoose=${(name) => change('strategy', name)} /></section>
      <section class="card" key="limits"><h2>Limits</h2><div class="fields">${Object.entries(LIMITS).map(field)}</div></section>
      <section class="card" key="manners"><h2><${Term} word="manners">Manners<//></h2><div class="fields">${Object.entries(MANNERS).map(field)}</div></section>
      <${AllSettings} key="all" settings=${known.settings.filter((one) => !places.includes(one.key))} values=${draft.settings} onChange=${set} />
    </div>
    <aside class="stack sticky" aria-label="Cost and start">
      <section class="card"><h2>What it will cost</h2><dl class="figures upright">${costs({ ...order, web: draft.web }, setting).map((one) => html`<${Figure} key=${one.name} name=${one.name} value=${one.value} hint=${one.hint} />`)}</dl></section>
      <section class="card"><h2>Start</h2>
        <div role="status">${checked.isLoading || rested !== JSON.stringify(order) ? html`<p class="quiet">Looking whether all is there …</p>`
          : problems.length ? html`<div><p>Before it can start:</p><ul class="advices">${problems.slice(0, 10).map((text) => html`<li key=${text}>${text}</li>`)}</ul></div>`
            : checked.error ? html`<${Trouble} error=${checked.error} again=${checked.again} />` : html`<p class="in-use">✓ All is there.</p>`}</div>
        <${Trouble} error=${work.error} />
        <p class="actions"><button class="strong" disabled=${problems.length > 0 || work.isBusy || !checked.data}>${work.isBusy ? 'Making the crawl …' : 'Start the crawl'}</button>
          <button type="button" disabled=${problems.length > 0 || work.isBusy || !checked.data} onClick=${() => make(false)}>Make it, start later</button></p></section>
    </aside>
  </form>`;
}

export default function NewCrawl({ place }) {
  const loaded = useLoaded(options, []);
  return html`<div><div class="top"><div><h1>New crawl</h1><p class="quiet">Only a topic, some seeds and a contact are needed; all else has a good default.</p></div></div>
    <${Shown} loaded=${loaded} what="what can be chosen">${(known) => html`<${Form} known=${known} query=${place.query} />`}<//></div>`;
}
