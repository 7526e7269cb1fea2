/** What has just happened, said once, with a way to take it back. */

import { html, useEffect, useState } from '../vendor/preact-htm.js';

const SECONDS = 8;
/** @typedef {{id: number, text: string, undo?: () => any, kind: string}} Said */
/** @type {Said[]} */
let said = [];
let nextId = 1;
/** @type {(said: Said[]) => void} */
let show = () => {};

/** @param {number} id */
const forget = (id) => show((said = said.filter((one) => one.id !== id)));

/**
 * Say something. @param {string} text @param {{undo?: () => any, kind?: 'good' | 'bad'}} [how]
 */
export function say(text, { undo, kind = 'good' } = {}) {
  const id = nextId++;
  show((said = [...said.slice(-3), { id, text, undo, kind }]));
  setTimeout(() => forget(id), (undo || kind === 'bad' ? 2 : 1) * SECONDS * 1000);
}

/** Do something and say how it went. @template T @param {Promise<T>} work @param {string} [text] @param {() => any} [undo] */
export async function tried(work, text, undo) {
  try {
    const result = await work;
    if (text) say(text, { undo });
    return result;
  } catch (error) {
    say(/** @type {Error} */ (error).message, { kind: 'bad' });
    return undefined;
  }
}

/** Where it is said. */
export function Toasts() {
  const [shown, setShown] = useState(said);
  useEffect(() => {
    show = setShown;
    return () => void (show = () => {});
  }, []);
  return html`<div class="toasts" role="log" aria-label="What has just happened">
    ${shown.map((one) => html`<div key=${one.id} class="toast toast-${one.kind}">
      <span>${one.text}</span>
      ${one.undo && html`<button type="button" onClick=${() => (forget(one.id), one.undo?.())}>Undo</button>`}
      <button type="button" class="plain" aria-label="Dismiss" onClick=${() => forget(one.id)}>×</button>
    </div>`)}
  </div>`;
}
