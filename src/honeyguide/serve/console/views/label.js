/** Say of pages whether they are useful, by mouse or by single keys, and see what the topic learns from it. */

import { crawlPath, get, post } from '../api.js';
import { counted } from '../format.js';
import { allLabels, useLabels } from '../labelling.js';
import { useLoaded } from '../loading.js';
import { Empty, Shown } from '../parts/basics.js';
import { CopyDialog, LabelCard } from '../parts/label_card.js';
import { Learning } from '../parts/learning.js';
import { say, tried } from '../parts/toast.js';
import { linkTo } from '../router.js';
import { html, useEffect, useRef, useState } from '../vendor/preact-htm.js';

const SHOWN = 10;
/** @type {any[]} */
const NONE = [];
const QUEUES = {
  best: { name: 'Best unmarked', help: 'The most relevant pages that nobody has labelled: confirm the good ones, and catch what only looks good.' },
  teach: { name: 'Would teach most', help: 'Pages the topic can hardly tell: each answer moves the line between relevant and not.' },
  random: { name: 'Check what I missed', help: 'Pages chosen by the dice alone: only these tell how many useful pages there are in all.' },
};
/** Pages that were skipped are not asked about again while the console is open. @type {Record<string, Set<string>>} */
const skipped = {};

/** @param {string} crawl @param {string} queue */
async function questions(crawl, queue) {
  const without = (skipped[crawl] ||= new Set());
  const { items } = await get(crawlPath(crawl, '/questions'), { queue, most: Math.min(200, SHOWN + without.size) });
  return { queue, pages: items.filter((page) => !without.has(page.url)).slice(0, SHOWN) };
}

/** @param {string} crawl @param {any[]} pages */
async function glancesOf(crawl, pages) {
  if (!pages.length) return {};
  const found = await post(crawlPath(crawl, '/glances'), { urls: pages.map((page) => page.url) });
  const known = Object.fromEntries(found.map((one) => [one.url, one]));
  return Object.fromEntries(pages.map((page) => [page.url, known[page.url] || null]));
}

const isTyping = (event) => event.target.closest?.('input, textarea, select, [contenteditable]') || event.ctrlKey || event.metaKey || event.altKey;

/** Keys of the whole view. @param {(key: string) => boolean} act */
function useKeys(act) {
  const current = useRef(act);
  current.current = act;
  useEffect(() => {
    const pressed = (event) => {
      if (!isTyping(event) && current.current(event.key)) event.preventDefault();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
}

function Queues({ crawl, queue }) {
  return html`<nav class="tabs" aria-label="Which pages">${Object.entries(QUEUES).map(([key, { name }]) => html`<a key=${key}
    href=${linkTo(['crawls', crawl, 'label'], { queue: key })} aria-current=${key === queue ? 'true' : undefined}>${name}</a>`)}</nav>`;
}

function Keys() {
  const keys = [['u', 'useful'], ['n', 'not useful'], ['?', 'unsure'], ['s', 'skip'], ['z', 'take back'], ['j k', 'next, previous'], ['o', 'show the page'], ['m', 'more pages']];
  return html`<p class="keys quiet">${keys.map(([key, what]) => html`<span key=${key}><kbd>${key}</kbd> ${what}</span>`)}</p>`;
}

export default function Label({ crawl, place }) {
  const queue = QUEUES[place.query.queue] ? place.query.queue : 'best';
  const [turn, setTurn] = useState(0);
  const labels = useLoaded(() => allLabels(crawl), [crawl, turn]);
  const asked = useLoaded(() => questions(crawl, queue), [crawl, queue]);
  const isThere = asked.data?.queue === queue; // or a page would be labelled as asked about for another reason
  const pages = (isThere && asked.data?.pages) || NONE;
  const glances = useLoaded(() => glancesOf(crawl, pages), [pages]);
  const [at, setAt] = useState(0);
  const [open, setOpen] = useState(/** @type {any} */ (null));
  const { given, label, undo, canUndo } = useLabels(crawl, () => setTurn((old) => old + 1));
  const [gone, setGone] = useState(/** @type {string[]} */ ([]));
  useEffect(() => setAt(0), [asked.data]);
  const shown = pages.filter((page) => !gone.includes(page.url));
  const current = shown[Math.min(at, shown.length - 1)];
  const left = shown.filter((page) => !given[page.url]);
  const sayOf = (page, verdict) => {
    label([page.url], verdict, queue);
    const later = shown.findIndex((one, place) => place > shown.indexOf(page) && !given[one.url]);
    setAt(later < 0 ? shown.indexOf(page) : later);
    if (open) setOpen(later < 0 ? null : shown[later]);
  };
  const skip = (page) => {
    skipped[crawl].add(page.url);
    setGone([...gone, page.url]);
  };
  const takeBack = async () => {
    const urls = await tried(undo());
    if (!urls?.length) return;
    say(urls.length === 1 ? 'The last label is taken back.' : `${urls.length} labels are taken back.`);
    const back = shown.findIndex((page) => page.url === urls[0]);
    if (back >= 0) setAt(back);
  };
  const all = (verdict) => {
    const urls = left.map((page) => page.url);
    label(urls, verdict, queue);
    say(`${counted(urls.length, 'page')} labelled as ${verdict === 'useful' ? 'useful' : 'not useful'}.`, { undo: takeBack });
  };
  const more = () => (setGone([]), asked.again());
  useKeys((key) => {
    const actions = {
      u: () => current && sayOf(current, 'useful'), n: () => current && sayOf(current, 'not'), '?': () => current && sayOf(current, 'unsure'),
      s: () => current && skip(current), z: takeBack, o: () => setOpen(open ? null : current), m: more,
      j: () => setAt(Math.min(shown.length - 1, at + 1)), k: () => setAt(Math.max(0, at - 1)),
    };
    if (!actions[key]) return false;
    actions[key]();
    return true;
  });
  return html`<div class="stack"><div class="top"><div><h1>Label</h1><p class="quiet">Say what is useful; the topic learns from it, also while the crawl runs.</p></div></div>
    <div><${Queues} crawl=${crawl} queue=${queue} /><p class="quiet">${QUEUES[queue].help}</p><${Keys} /></div>
    <div class="beside"><div class="stack">
      <${Shown} loaded=${isThere ? asked : { ...asked, data: null }} what="pages to ask about">${() => (shown.length
        ? html`<div class="stack">
          <div class="table-tools"><span role="status">${left.length ? `${left.length} of ${counted(shown.length, 'page')} to label` : 'All pages shown are labelled.'}</span>
            <button type="button" disabled=${!canUndo} onClick=${takeBack}>Take back</button>
            ${left.length > 0 ? html`<span class="all">All ${left.length} left: <button type="button" onClick=${() => all('useful')}>useful</button> <button type="button" onClick=${() => all('not')}>not</button></span>`
              : html`<button type="button" class="strong" onClick=${more}>More pages</button>`}</div>
          ${shown.map((page, place) => html`<${LabelCard} key=${page.url} page=${page} glance=${glances.data ? glances.data[page.url] : glances.error ? null : undefined} given=${given[page.url]}
            isCurrent=${page === current} onCurrent=${() => setAt(place)} onSay=${(verdict) => sayOf(page, verdict)} onSkip=${() => skip(page)} onShow=${() => setOpen(page)} />`)}
          <p class="actions"><button type="button" onClick=${more}>More pages</button></p></div>`
        : html`<${Empty} title="No page to ask about here"><p>Run the crawl, let it go on, or look at another queue.</p>
          <p class="actions centred"><button type="button" onClick=${more}>Look again</button></p><//>`)}<//></div>
      <${Learning} crawl=${crawl} turn=${turn} labels=${labels.data || []} onLearned=${more} /></div>
    ${open && html`<${CopyDialog} crawl=${crawl} page=${open} onClose=${() => setOpen(null)}>
      <p class="actions answers"><button type="button" class="answer-useful" onClick=${() => sayOf(open, 'useful')}>Useful <kbd aria-hidden="true">u</kbd></button>
        <button type="button" class="answer-not" onClick=${() => sayOf(open, 'not')}>Not <kbd aria-hidden="true">n</kbd></button></p><//>`}
  </div>`;
}
