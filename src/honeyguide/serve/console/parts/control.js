/** Run, pause, stop: what can be done with a crawl in its state. */

import { crawlPath, post } from '../api.js';
import { html } from '../vendor/preact-htm.js';
import { tried } from './toast.js';

export const ACTIVE = ['running', 'starting', 'paused'];

export function RunButtons({ name, state, onChange = () => {} }) {
  const act = async (what, text) => {
    await tried(post(crawlPath(name, `/${what}`)), text);
    onChange();
  };
  const button = (what, label, text) =>
    html`<button key=${what} type="button" onClick=${() => act(what, text)}>${label}<span class="unseen"> ${name}</span></button>`;
  const isAtWork = state === 'running' || state === 'paused';
  return html`<span class="run-buttons">
    ${!ACTIVE.includes(state) && button('run', 'Run', `${name} is starting.`)}
    ${state === 'running' && button('pause', 'Pause', `${name} is paused.`)}
    ${state === 'paused' && button('resume', 'Go on', `${name} goes on.`)}
    ${isAtWork && button('stop', 'Stop', `${name} stops once the pages under way are stored.`)}
  </span>`;
}
