/** What labels have taught: learn, what changed, revisions side by side, what was missed, when to stop. */

import { crawlPath, finished, get, post } from '../api.js';
import { count, counted, decimal, percent } from '../format.js';
import { whenToStop } from '../labelling.js';
import { useLoaded } from '../loading.js';
import { linkTo } from '../router.js';
import { html, useState } from '../vendor/preact-htm.js';
import { Outside, Shown, Term, Trouble } from './basics.js';
import { say } from './toast.js';

/** What the last learning gave, from the job that did it. @param {string} crawl */
export async function lastRevision(crawl) {
  const jobs = (await get('/jobs', { most: 200 })).items;
  for (const one of jobs.filter((job) => job.kind === 'revise' && job.about === crawl && job.state === 'done')) {
    const job = await get(`/jobs/${encodeURIComponent(one.id)}`);
    try {
      return JSON.parse(job.output);
    } catch { /* it went back to a revision, and told nothing */ }
  }
  return null;
}

/** The last words of a job that went wrong. @param {any} job */
export const complaint = (job) =>
  new Error(job.log.trim().split('\n').slice(-2).join(' ').replace(/^error: /, '') || `The work ended (${job.state}) and said nothing.`);

const Change = ({ before, after }) => html`<span class="number change"><span class="unseen">from </span>${percent(before)}<span aria-hidden="true"> → </span><span class="unseen"> to </span>
  <strong class=${after > before ? 'up' : 'down'}>${percent(after)}</strong></span>`;

function Gained({ word }) {
  const gain = word.after - word.before;
  return html`<li class=${gain < 0 ? 'against' : 'for'}><bdi>${word.word}</bdi> <span class="number">${gain < 0 ? '−' : '+'}${decimal(Math.abs(gain))}</span></li>`;
}

/** Two revisions side by side. @param {{crawl: string, before: number, after: number}} given */
export function Compared({ crawl, before, after }) {
  const loaded = useLoaded(() => get(crawlPath(crawl, '/revisions/compare'), { before, after, most: 8 }), [crawl, before, after]);
  return html`<${Shown} loaded=${loaded} what="what changed">${(found) => html`<div class="compared">
    <p>Of ${counted(found.sampled, 'page')} looked at, <strong>${count(found.gained)}</strong> count now that did not, and <strong>${count(found.lost)}</strong> no longer count.
      ${found.labelled > 0 && ` Right about ${found.right_after} of ${counted(found.labelled, 'label')}, before ${found.right_before}.`}</p>
    ${found.words.length > 0 && html`<h3>Words that gained or lost</h3><ul class="words">${found.words.map((word) => html`<${Gained} key=${word.word} word=${word} />`)}</ul>`}
    ${found.pages.length > 0 && html`<h3>Pages that moved</h3><ul class="reasons moved">${found.pages.map((page) => html`<li key=${page.url}>
      <${Outside} url=${page.url}><bdi>${page.title || page.url}</bdi><//><${Change} before=${page.before} after=${page.after} /></li>`)}</ul>`}
  </div>`}<//>`;
}

function Learn({ crawl, labels, onDone }) {
  const [work, setWork] = useState(/** @type {any} */ ({}));
  const useful = labels.filter((one) => one.relevant === true).length;
  const not = labels.filter((one) => one.relevant === false).length;
  const learn = async () => {
    setWork({ isBusy: true });
    try {
      const job = await finished(await post(crawlPath(crawl, '/learn')));
      if (job.state !== 'done') throw complaint(job);
      const learned = JSON.parse(job.output);
      say(learned.is_used ? `Revision ${learned.number} guides the crawl.` : `Revision ${learned.number} was learned and is not used.`);
      setWork({});
    } catch (error) {
      setWork({ error });
    }
    onDone();
  };
  return html`<section class="card" key="learn"><h2><${Term} word="label">What you said<//></h2>
    <p><strong>${useful}</strong> useful, <strong>${not}</strong> not, ${labels.length - useful - not} unsure.</p>
    <button type="button" class="strong" disabled=${work.isBusy || !labels.length} onClick=${learn}>${work.isBusy ? 'Learning, and judging pages again …' : `Learn from ${counted(labels.length, 'label')}`}</button>
    <${Trouble} error=${work.error} />
  </section>`;
}

function Revisions({ crawl, kept, used, learned, onDone }) {
  const [asked, setAsked] = useState(/** @type {any} */ (null));
  const [work, setWork] = useState(/** @type {any} */ ({}));
  const use = async (number) => {
    setWork({ number });
    try {
      const job = await finished(await post(crawlPath(crawl, `/revisions/${number}/use`)));
      if (job.state !== 'done') throw complaint(job);
      say(`Revision ${number} guides the crawl.`, { undo: () => use(used) });
      setWork({});
    } catch (error) {
      setWork({ error });
    }
    onDone();
  };
  const last = kept[kept.length - 1];
  const shown = asked || (last ? { before: kept[kept.length - 2], after: last } : null);
  const choose = (key) => (event) => setAsked({ ...shown, [key]: Number(event.target.value) });
  const options = kept.map((one) => html`<option key=${one} value=${one}>${one || '0, the first'}</option>`);
  return html`<section class="card" key="revisions"><h2><${Term} word="revision">Revisions of the topic<//></h2>
    <ul class="reasons">${kept.map((one) => html`<li key=${one}><span>${one ? `Revision ${one}` : 'The topic it began with'}</span>
      ${one === used ? html`<strong class="in-use">in use</strong>` : html`<button type="button" class="link" disabled=${work.number !== undefined} onClick=${() => use(one)}>
        ${work.number === one ? 'Judging pages again …' : 'Use it'}<span class="unseen"> revision ${one}</span></button>`}</li>`)}</ul>
    <${Trouble} error=${work.error} />
    ${learned && !learned.is_used && learned.number === last && used !== last && html`<p class="advice">Revision ${learned.number} is not used: it was learned from too few or contradicting labels, or is worse on those held out.</p>`}
    ${learned?.report.auc_after && html`<p class="quiet">On labels held out, revision ${learned.number} orders ${percent(learned.report.auc_after)} of pairs right, the first topic ${percent(learned.report.auc_before)}.</p>`}
    ${shown ? html`<h3>What changed</h3><p class="choose"><label>from <select value=${shown.before} onChange=${choose('before')}>${options}</select></label>
        <label> to <select value=${shown.after} onChange=${choose('after')}>${options}</select></label></p>
      <${Compared} crawl=${crawl} before=${shown.before} after=${shown.after} />`
      : html`<p class="quiet">Nothing was learned yet. Label some pages, then learn from them.</p>`}
  </section>`;
}

function Missed({ crawl, estimate, status }) {
  const range = estimate && [estimate.lowest * status.pages, estimate.highest * status.pages];
  return html`<section class="card" key="missed"><h2><${Term} word="estimate">What was missed<//></h2>
    ${estimate ? html`<p>Of ${counted(estimate.labelled, 'random page')} <strong>${percent(estimate.share)}</strong> are useful.</p>
      <div class="interval" role="img" aria-label="Between ${percent(estimate.lowest)} and ${percent(estimate.highest)}">
        <span class="interval-range" style=${{ left: `${estimate.lowest * 100}%`, right: `${100 - estimate.highest * 100}%` }}></span>
        <span class="interval-point" style=${{ left: `${estimate.share * 100}%` }}></span></div>
      <p>Of all ${counted(status.pages, 'page')} that is ${percent(estimate.lowest)} to ${percent(estimate.highest)} (95 % sure):
        between ${count(range[0])} and ${count(range[1])} useful pages. The topic counts ${count(status.relevant)}.</p>
      ${estimate.not_called > 0 && html`<p>Of ${counted(estimate.not_called, 'random page')} that it does not count ${count(estimate.overlooked)} are useful:
        it overlooks ${percent(estimate.overlooked_lowest)} to ${percent(estimate.overlooked_highest)} of such pages.</p>`}`
      : html`<p>Only pages chosen by the dice tell what the topic overlooks.</p>`}
    <p><a href=${linkTo(['crawls', crawl, 'label'], { queue: 'random' })}>Check what I missed</a></p>
  </section>`;
}

/** All of it, beside the questions. @param {{crawl: string, turn: number, onLearned: () => void, labels: any[]}} given */
export function Learning({ crawl, turn, onLearned, labels }) {
  const loaded = useLoaded(async () => {
    const [revisions, estimate, now, learned] = await Promise.all([
      get(crawlPath(crawl, '/revisions')), get(crawlPath(crawl, '/estimate')), get(crawlPath(crawl)), lastRevision(crawl),
    ]);
    return { revisions, estimate, status: now.status, learned };
  }, [crawl, turn]);
  const done = () => (loaded.again(), onLearned());
  return html`<${Shown} loaded=${loaded} what="what was learned">${({ revisions, estimate, status, learned }) => html`<div class="stack">
    <${Learn} crawl=${crawl} labels=${labels} onDone=${done} />
    <section class="card" key="stop"><h2>When to stop</h2><ul class="advices">${whenToStop(labels, learned, estimate).map((text) => html`<li key=${text}>${text}</li>`)}</ul></section>
    <${Revisions} crawl=${crawl} kept=${revisions.kept} used=${revisions.used} learned=${learned} onDone=${done} />
    <${Missed} crawl=${crawl} estimate=${estimate} status=${status} />
  </div>`}<//>`;
}
