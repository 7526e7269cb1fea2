/** Run, pause, stop: what can be done with a crawl in its state. */

import { crawlPath, post } from '../api.js';
import { count } from '../format.js';
import { html } from '../vendor/preact-htm.js';
import { tried } from './toast.js';

export const ACTIVE = ['running', 'starting', 'paused'];
const MORE = 1000;

/** How many pages more a crawl may fetch that has as many as it may; 0: it needs no leave. @param {any} status */
const moreOf = (status) => (status?.max_pages && status.pages >= status.max_pages ? Math.min(status.max_pages, MORE) : 0);

/** @param {{name: string, state: string, status?: any, onChange?: () => void}} given */
export function RunButtons({ name, state, status, onChange = () => {} }) {
  const act = async (what, text, body) => {
    await tried(post(crawlPath(name, `/${what}`), body), text);
    onChange();
  };
  const button = (what, label, text, /** @type {any} */ body = undefined) =>
    html`<button key=${what} type="button" onClick=${() => act(what, text, body)}>${label}<span class="unseen"> ${name}</span></button>`;
  const isAtWork = state === 'running' || state === 'paused';
  const more = moreOf(status);
  return html`<span class="run-buttons">
    ${!ACTIVE.includes(state) && (more ? button('run', html`Run ${count(more)} more<span class="unseen"> ${more === 1 ? 'page' : 'pages'} of</span>`, `${name} goes on to ${count(status.pages + more)} pages.`, { pages: status.pages + more })
      : button('run', 'Run', `${name} is starting.`))}
    ${state === 'running' && button('pause', 'Pause', `${name} is paused.`)}
    ${state === 'paused' && button('resume', 'Go on', `${name} goes on.`)}
    ${isAtWork && button('stop', 'Stop', `${name} stops once the pages under way are stored.`)}
  </span>`;
}
