/** A page to be labelled: what it is, the words that decide on it where they stand, and the answers. */

import { crawlPath, get } from '../api.js';
import { decimal } from '../format.js';
import { useLoaded } from '../loading.js';
import { html, useEffect, useRef } from '../vendor/preact-htm.js';
import { Meter, Outside, Shown } from './basics.js';
import { Dialog } from './dialog.js';

const NAMES = { useful: 'useful', not: 'not useful', unsure: 'unsure' };

/** Words with what each adds or takes away. */
export const Words = ({ words }) => html`<ul class="words" aria-label="Words that decide">${words.map(([word, number]) => html`<li key=${word}
  class=${number < 0 ? 'against' : 'for'}><bdi>${word}</bdi> <span class="number">${number < 0 ? '−' : '+'}${decimal(Math.abs(number))}</span></li>`)}</ul>`;

/** A passage in which some words are marked. */
export const Passage = ({ pieces }) => html`<p class="passage" dir="auto">${pieces.map(([text, isMarked], at) => (isMarked
  ? html`<mark key=${at}>${text}</mark>` : html`<span key=${at}>${text}</span>`))}</p>`;

/** How far a label has come. */
function Standing({ given }) {
  if (!given) return null;
  const words = { saving: `saving: ${NAMES[given.verdict]} …`, saved: `✓ saved: ${NAMES[given.verdict]}`, failed: `not saved: ${given.error}` };
  return html`<span class="standing standing-${given.state} verdict-${given.verdict}">${words[given.state]}</span>`;
}

const ANSWERS = [['useful', 'Useful', 'u'], ['not', 'Not', 'n'], ['unsure', 'Unsure', '?']];

/**
 * @param {{page: any, glance: any, given: any, isCurrent: boolean, onCurrent: () => void, onSay: (verdict: any) => void,
 *   onSkip: () => void, onShow: () => void}} props
 */
export function LabelCard({ page, glance, given, isCurrent, onCurrent, onSay, onSkip, onShow }) {
  const own = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const focus = document.activeElement; // whoever has gone on from the cards is not called back
    const isElsewhere = focus && focus !== document.body && !focus.closest('.label-card, dialog');
    if (isCurrent && !isElsewhere) own.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return html`<article ref=${own} class="card label-card ${isCurrent ? 'is-current' : ''} ${given?.state === 'saved' ? 'is-said' : ''}"
      aria-label=${page.title || page.url} aria-current=${isCurrent ? 'true' : undefined} onClick=${onCurrent} onFocusIn=${onCurrent}>
    <div class="card-head"><h2><${Outside} url=${page.url}><bdi>${page.title || '(no title)'}</bdi><//></h2><${Meter} value=${page.relevance} /></div>
    <p class="quiet address"><bdi>${page.url}</bdi></p>
    ${glance ? html`<div><${Passage} pieces=${glance.pieces} />${glance.words.length > 0 && html`<${Words} words=${glance.words} />`}</div>`
      : html`<p class="quiet">${glance === null ? 'The page itself is not kept.' : 'Reading the words that decide …'}</p>`}
    <div class="answers">
      ${ANSWERS.map(([verdict, name, key]) => html`<button key=${verdict} type="button" class="answer-${verdict}" aria-pressed=${given?.verdict === verdict}
        onClick=${() => onSay(verdict)}>${name} <kbd aria-hidden="true">${key}</kbd></button>`)}
      <button key="skip" type="button" class="plain" onClick=${onSkip}>Skip <kbd aria-hidden="true">s</kbd></button>
      <button key="show" type="button" class="plain" onClick=${onShow}>Show page <kbd aria-hidden="true">o</kbd></button>
      <span key="standing" class="standing-place" role="status"><${Standing} given=${given} /></span>
    </div>
  </article>`;
}

/** The archived copy of a page: from another origin, in a frame that may do nothing. */
export function CopyDialog({ crawl, page, onClose, children }) {
  const loaded = useLoaded(() => get(crawlPath(crawl, '/copy'), { url: page.url }), [page.url]);
  return html`<${Dialog} title=${page.title || page.url} wide onClose=${onClose}>
    <p class="quiet">The page as it was fetched, without scripts, and without pictures from elsewhere. <${Outside} url=${page.url}>Open it on the Web<//></p>
    <${Shown} loaded=${loaded} what="where the copy is">${({ link }) => (link
      ? html`<iframe class="copy" sandbox="" referrerpolicy="no-referrer" title="Archived copy of ${page.title || page.url}" src=${link}></iframe>`
      : html`<p>This page is not kept in the archive.</p>`)}<//>
    ${children}
  <//>`;
}
