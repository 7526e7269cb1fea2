/** Small parts that every view uses. */

import { html, useEffect, useRef, useState } from '../vendor/preact-htm.js';
import { ago, percent, safeLink, shortUrl, time, timeHint } from '../format.js';
import { WORDS } from '../words.js';

/** A term with its sentence, for mouse, touch, keyboard and screen reader. */
export function Term({ word, children }) {
  const [isOpen, setOpen] = useState(false);
  const own = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = (event) => own.current?.contains(/** @type {any} */ (event.target)) || setOpen(false);
    document.addEventListener('pointerdown', close);
    return () => document.removeEventListener('pointerdown', close);
  }, [isOpen]);
  const escape = (event) => event.key === 'Escape' && setOpen(false);
  return html`<span class="term" ref=${own} onKeyDown=${escape}>
    ${children || word}<button type="button" class="term-button" aria-expanded=${isOpen} aria-label="What is ${word}?"
      onClick=${() => setOpen(!isOpen)}>?</button>
    ${isOpen && html`<span class="term-help" role="status">${WORDS[word]}</span>`}
  </span>`;
}

/** A moment, as long ago or as a date; the hint has all of it. */
export const Time = ({ at, exact = false }) =>
  html`<time dateTime=${at ? new Date(at * 1000).toISOString() : undefined} title=${timeHint(at)}>
    ${exact ? time(at) : ago(at)}</time>`;

/** A link into the hostile world: to http alone, telling nothing of us. */
export function Outside({ url, children }) {
  const href = safeLink(url);
  const text = html`<bdi>${children || shortUrl(url)}</bdi>`;
  return href
    ? html`<a href=${href} target="_blank" rel="noopener noreferrer nofollow" title=${url}>${text}</a>`
    : html`<span title=${url}>${text}</span>`;
}

/** What stands where there is nothing yet: why, and the next step. */
export const Empty = ({ title, children }) =>
  html`<div class="empty"><p class="empty-title">${title}</p><div>${children}</div></div>`;

/** What went wrong, and a way to try again. */
export function Trouble({ error, again = undefined }) {
  if (!error) return null;
  return html`<div class="trouble" role="alert">
    <p>${error.message || String(error)}</p>
    ${again && html`<button type="button" onClick=${again}>Try again</button>`}
  </div>`;
}

/** What is read, or words that it is being read, or what went wrong. */
export function Shown({ loaded, what, children }) {
  let inside;
  if (loaded.data !== null) inside = children(loaded.data);
  else if (loaded.error) inside = html`<${Trouble} error=${loaded.error} again=${loaded.again} />`;
  else inside = html`<p class="quiet" role="status">Reading ${what} …</p>`;
  return html`<div class="shown">${inside}</div>`;
}

const STATES = {
  new: 'not started', starting: 'starting', running: 'running', paused: 'paused', stopped: 'stopped', failed: 'failed',
  killed: 'died',
};

/** What a crawl is doing, by word and not by colour alone. */
export const State = ({ state }) => html`<span class="state state-${state}">${STATES[state] || state}</span>`;

/** A relevance as a bar with its number. */
export const Meter = ({ value }) => html`<span class="meter">
  <span class="meter-bar" aria-hidden="true"><span style=${{ width: `${Math.max(0, Math.min(1, value || 0)) * 100}%` }}></span></span>
  <span class="number">${percent(value)}</span></span>`;

/** A field with its label, what it is for, and what is wrong with it. */
export function Field({ label, help = undefined, error = undefined, id, children }) {
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${help && html`<p class="field-help" id="${id}-help">${help}</p>`}
    ${children}
    ${error && html`<p class="field-error" id="${id}-error" role="alert">${error}</p>`}
  </div>`;
}

/** One of some texts, or of keys with their names. @param {{value: any, options: string[] | Record<string, any>, onChange: (value: string) => void, id?: string}} given */
export const Select = ({ value, options, onChange, id = undefined }) => html`<select id=${id} value=${value} onChange=${(event) => onChange(event.target.value)}>
  ${(Array.isArray(options) ? options.map((one) => [one, one]) : Object.entries(options)).map(([key, name]) => html`<option key=${key} value=${key}>${name}</option>`)}</select>`;

/** One number with its name, large. */
export const Figure = ({ name, value, hint = undefined, word = undefined }) => html`<div class="figure">
  <dt>${word ? html`<${Term} word=${word}>${name}<//>` : name}</dt><dd>${value}${hint && html`<span class="figure-hint">${hint}</span>`}</dd></div>`;
