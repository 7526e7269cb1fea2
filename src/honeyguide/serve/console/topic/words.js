/** Words, tried at once on a sample of pages: what would be found, which words decide, which are missing. */

import { post } from '../api.js';
import { counted, percent } from '../format.js';
import { useLoaded, useRested } from '../loading.js';
import { Empty, Field, Meter, Outside, Select, Shown } from '../parts/basics.js';
import { Passage, Words } from '../parts/label_card.js';
import { isUrls, urlsIn } from '../parts/seeds.js';
import { say } from '../parts/toast.js';
import { linkTo } from '../router.js';
import { html, useState } from '../vendor/preact-htm.js';
import { useWork, Working } from './work.js';

const SHOWN = 20;

/** Texts in a box, parted by empty lines with a dash or more. @param {string} text */
const partedTexts = (text) => text.split(/^\s*-{3,}\s*$/m).map((one) => one.trim()).filter(Boolean).slice(0, 100);

/** Words without one of them, however it is written there. @param {string} words @param {string} word */
export function without(words, word) {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const found = words.replace(new RegExp(`(^|[\\s,;])"?${escaped}"?(?=$|[\\s,;])`, 'giu'), '$1').replace(/^[\s,;]+|[\s,;]+$/g, '').replace(/\s{2,}/g, ' ').replace(/([,;])(\s*[,;])+/g, '$1');
  return found === words ? `${words} -${word.includes(' ') ? `"${word}"` : word}` : found;
}

function Deciding({ found, words, onWords }) {
  return html`<div>
    ${found.deciding.length > 0 && html`<div><h2>Words that decide</h2><ul class="words strikes">${found.deciding.map((one) => html`<li key=${one.word}>
      <bdi>${one.word}</bdi> <span class="number">${percent(one.share)}, ${counted(one.pages, 'page')}</span>
      <button type="button" class="strike" aria-label="Strike out ${one.word}" onClick=${() => onWords(without(words, one.word))}>×</button></li>`)}</ul></div>`}
    ${found.more.length > 0 && html`<div><h2>Words that the found pages share</h2><p class="quiet">Add those that belong to the topic; put a minus before those that are not meant.</p>
      <ul class="words strikes">${found.more.map((word) => html`<li key=${word} class="plain-word"><bdi>${word}</bdi>
        <button type="button" class="strike" aria-label="Add ${word}" onClick=${() => onWords(`${words.trim()}, ${word}`)}>+</button>
        <button type="button" class="strike" aria-label="Not meant: ${word}" onClick=${() => onWords(`${words.trim()} -${word}`)}>−</button></li>`)}</ul></div>`}
  </div>`;
}

function Found({ found }) {
  const shown = found.items.filter((page) => page.relevance > 0).slice(0, SHOWN);
  const hidden = found.items.filter((page) => page.relevance > 0).length - shown.length;
  return html`<div><ol class="found">${shown.map((page, at) => html`<li key=${page.url + at} class=${page.is_relevant ? '' : 'is-below'}>
      <div class="card-head"><strong>${page.url ? html`<${Outside} url=${page.url}><bdi>${page.title || page.url}</bdi><//>` : html`<bdi>${page.title}</bdi>`}</strong><${Meter} value=${page.relevance} /></div>
      ${!page.is_relevant && html`<span class="quiet">below the line: would not count</span>`}
      <${Passage} pieces=${page.pieces} /><${Words} words=${page.words} /></li>`)}</ol>
    ${hidden > 0 && html`<p class="quiet">and ${counted(hidden, 'page')} more, with ever less of these words</p>`}</div>`;
}

export function WordsStep({ names, crawls, draft, onDraft, onSaved }) {
  const crawl = draft.crawl ?? crawls[0] ?? '';
  const [source, setSource] = useState(crawls[0] || '');
  const urls = isUrls(draft.texts) ? urlsIn(draft.texts).slice(0, 100) : [];
  const pasted = urls.length ? { crawl: source, urls } : { crawl: '', texts: partedTexts(draft.texts) };
  const question = useRested(JSON.stringify({ words: draft.words.trim(), most: 100, ...(crawl ? { crawl } : pasted) }));
  const tried = useLoaded(async () => {
    const asked = JSON.parse(question);
    return asked.words && (asked.crawl || asked.texts?.length) ? post('/check/topic', asked) : { items: null };
  }, [question]);
  const { work, run } = useWork();
  const name = draft.name || draft.words.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 30).replace(/-+$/, '');
  const save = async (event) => {
    event.preventDefault();
    const made = await run(() => post('/topics', { name, words: draft.words, replace: names.includes(name) }), 'Saving the topic');
    if (made) {
      say(`The topic ${name} is saved.`);
      onSaved(name);
    }
  };
  return html`<div class="beside"><div class="stack">
      <section class="card"><${Field} id="topic-words" label="What are good pages about?" help="Words and “phrases” in quotes; a minus before what is not meant.">
          <textarea id="topic-words" rows="3" aria-describedby="topic-words-help" placeholder="beekeeping, honey bees, hives -wasps" value=${draft.words} onInput=${(event) => onDraft({ words: event.target.value })}></textarea><//>
        <${Field} id="topic-sample" label="Try it on"><select id="topic-sample" value=${crawl} onChange=${(event) => onDraft({ crawl: event.target.value })}>
          ${crawls.map((one) => html`<option key=${one} value=${one}>100 random pages of the crawl ${one}</option>`)}<option value="">texts or urls that I paste</option></select><//>
        ${!crawl && html`<${Field} id="topic-texts" label="Texts or urls" help="Texts are parted by a line with three dashes; urls stand one a line.">
          <textarea id="topic-texts" rows="6" aria-describedby="topic-texts-help" value=${draft.texts} onInput=${(event) => onDraft({ texts: event.target.value })}></textarea><//>
          ${urls.length > 0 && html`<${Field} id="topic-source" label="Taken from the crawl"><${Select} id="topic-source" value=${source} options=${crawls} onChange=${setSource} /><//>`}`}
      </section>
      <section class="card" aria-live="polite"><h2>What would be found</h2><${Shown} loaded=${tried} what="pages with these words">${(found) => (found.items === null
        ? html`<${Empty} title="Type some words">Then the pages of the sample that have them are listed here.<//>`
        : html`<div><p class="verdict"><strong>${found.relevant}</strong> of ${counted(found.sampled, 'page')} would count as relevant.</p>
          ${found.relevant === 0 && html`<p class="advice">No page of the sample would count. Use words that such pages really have, or fewer of them.</p>`}
          <${Found} found=${found} /></div>`)}<//></section></div>
    <aside class="stack sticky" aria-label="Words and saving">
      ${tried.data?.items && html`<section class="card" key="deciding"><${Deciding} found=${tried.data} words=${draft.words} onWords=${(words) => onDraft({ words })} /></section>`}
      <section class="card" key="save"><h2>Save</h2><form onSubmit=${save}>
        <${Field} id="topic-name" label="Name of the topic" error=${names.includes(name) && name ? 'There is a topic of this name; saving replaces it.' : ''}>
          <input id="topic-name" autocomplete="off" value=${draft.name} placeholder=${name || 'beekeeping'} pattern="[A-Za-z0-9][A-Za-z0-9._\\-]*" onInput=${(event) => onDraft({ name: event.target.value })} /><//>
        <p class="actions"><button class="strong" disabled=${!name || !draft.words.trim() || Boolean(work.text)}>Save the topic</button>
          <a class="button" href=${linkTo(['new-crawl'], { words: draft.words })}>Crawl with these words</a></p></form><${Working} work=${work} />
        <p class="quiet">Words alone go far. <a href=${linkTo(['new-topic'], { step: 'examples' })}>Examples</a> go further.</p></section>
    </aside></div>`;
}
