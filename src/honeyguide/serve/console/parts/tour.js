/** A tour: what to try, one step after the other, on a crawl that is there. */

import { linkTo } from '../router.js';
import { html, useState } from '../vendor/preact-htm.js';

const KEY = 'honeyguide-tour';
/** View, what to do there, and what one sees. */
const STEPS = [
  ['monitor', 'Run the crawl, and watch', 'Each page is a dot, the higher the more on the topic. Click one: it tells how it was found, and why it was judged so.'],
  ['queue', 'Exclude a host', 'Choose “its host” and exclude one that looks useless. The preview tells what it hits; Undo takes it back.'],
  ['label', 'Label ten pages', 'Press u for useful, n for not. Then learn: pages and words that moved are listed, and the crawl follows.'],
  ['results', 'See what was found', 'The best pages, hubs, sites and who cites them; search them, and save any table.'],
  ['sql', 'Ask a question', 'Choose “Which sites are dense?” and ask; the answer is a table and a chart, and its address can be shared.'],
];

function done() {
  try {
    return Number(localStorage.getItem(KEY) || 0);
  } catch {
    return 0;
  }
}

/** @param {{crawl: string, isNew: boolean}} given who has just come sees it all */
export function Tour({ crawl, isNew }) {
  const [at, setAt] = useState(done);
  const go = (step) => {
    setAt(step);
    try {
      localStorage.setItem(KEY, String(step));
    } catch { /* then it lasts as long as the page */ }
  };
  return html`<details class="card fold tour" open=${(isNew || at > 0) && at < STEPS.length}><summary>A tour, in ${STEPS.length} steps${at ? `: ${Math.min(at, STEPS.length)} done` : ''}</summary>
    <ol>${STEPS.map(([view, name, what], step) => html`<li key=${view} class=${step < at ? 'quiet' : ''}>
      <a href=${linkTo(['crawls', crawl, view])} aria-current=${step === at ? 'step' : undefined} onClick=${() => go(Math.max(at, step + 1))}>${name}</a>${step < at ? ' ✓' : ''} <span class="quiet">${what}</span></li>`)}</ol>
    <p class="actions"><a class="button" href=${linkTo(['new-topic'], { words: 'beekeeping, honey' })}>Then make a topic of your own</a>
      ${at > 0 && html`<button type="button" class="plain" onClick=${() => go(0)}>Begin again</button>`}</p></details>`;
}
