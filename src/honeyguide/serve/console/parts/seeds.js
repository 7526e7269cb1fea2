/** Urls to start from: pasted, dropped, or found in what former crawls have fetched. */

import { crawlPath, get } from '../api.js';
import { counted } from '../format.js';
import { html, useState } from '../vendor/preact-htm.js';
import { Field, Meter, Outside, Trouble } from './basics.js';

/** The urls in a text, one a line or among other words. @param {string} text */
export const urlsIn = (text) => [...new Set(text.match(/https?:\/\/[^\s"'<>)\]]+/gi) || [])];

/** Whether a text is nothing but urls. @param {string} text */
export const isUrls = (text) => text.trim().split(/\s+/).every((word) => /^https?:\/\/./i.test(word));

/** Pages of former crawls as seeds. */
function Finder({ words, crawls, chosen, onAdd }) {
  const [asked, setAsked] = useState({ words, crawl: crawls[0] });
  const [found, setFound] = useState(/** @type {any} */ ({}));
  const find = async (event) => {
    event.preventDefault();
    setFound({ isBusy: true });
    try {
      const results = await get(crawlPath(asked.crawl, '/search'), { q: asked.words, most: 20 });
      setFound({ hits: results.hits, waiting: results.waiting });
    } catch (error) {
      setFound({ error });
    }
  };
  return html`<details class="fold"><summary>Find seeds in a former crawl</summary>
    <form class="table-tools" onSubmit=${find}>
      <label>Crawl <select value=${asked.crawl} onChange=${(event) => setAsked({ ...asked, crawl: event.target.value })}>
        ${crawls.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}</select></label>
      <label>Words <input type="search" value=${asked.words} onInput=${(event) => setAsked({ ...asked, words: event.target.value })} /></label>
      <button disabled=${found.isBusy}>${found.isBusy ? 'Searching …' : 'Find'}</button></form>
    <${Trouble} error=${found.error} />
    ${found.hits && html`<ul class="reasons" aria-label="Pages found">${found.hits.length ? found.hits.map((hit) => html`<li key=${hit.url}>
      <span><${Outside} url=${hit.url}><bdi>${hit.title || hit.url}</bdi><//> <span class="quiet">${hit.host}</span></span>
      <span class="found-end"><${Meter} value=${hit.relevance} /><button type="button" disabled=${chosen.includes(hit.url)} onClick=${() => onAdd(hit.url)}>
        ${chosen.includes(hit.url) ? 'Added' : 'Add'}<span class="unseen"> ${hit.title || hit.url}</span></button></span></li>`)
      : html`<li>${found.waiting ? `${counted(found.waiting, 'page')} of this crawl cannot be searched yet; find again in a moment.` : 'Nothing was found; try other words.'}</li>`}</ul>`}
  </details>`;
}

/** @param {{text: string, onText: (text: string) => void, words: string, crawls: string[], error?: string}} given */
export function Seeds({ text, onText, words, crawls, error }) {
  const lines = text.split('\n').map((line) => line.trim()).filter(Boolean);
  const add = (more) => onText([...lines, ...more.filter((one) => !lines.includes(one))].join('\n'));
  const dropped = async (event) => {
    event.preventDefault();
    const files = [...event.dataTransfer.files].slice(0, 20);
    const texts = files.length ? await Promise.all(files.map((file) => file.slice(0, 2_000_000).text())) : [event.dataTransfer.getData('text')];
    add(texts.flatMap(urlsIn));
  };
  return html`<div><${Field} id="seeds" label="Urls to start from" help="One a line. Pages that link to many good pages are the best seeds. A file with urls, or bookmarks, can be dropped here." error=${error}>
      <textarea id="seeds" class="code" rows="6" spellcheck="false" aria-describedby="seeds-help" value=${text} placeholder="https://example.org/" onInput=${(event) => onText(event.target.value)}
        onDragOver=${(event) => event.preventDefault()} onDrop=${dropped}></textarea><//>
    <p class="quiet" role="status">${counted(lines.length, 'seed')}</p>
    ${crawls.length > 0 && html`<${Finder} words=${words} crawls=${crawls} chosen=${lines} onAdd=${(url) => add([url])} />`}</div>`;
}
