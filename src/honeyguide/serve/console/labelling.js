/** Labels as they are given: each is sent at once, told apart by how far it has come, and can be taken back. */

import { connection, crawlPath, getAll, post } from './api.js';
import { say } from './parts/toast.js';
import { useEffect, useRef, useState } from './vendor/preact-htm.js';

/** @typedef {'useful' | 'not' | 'unsure'} Verdict */
/** @typedef {{verdict: Verdict, state: 'saving' | 'saved' | 'failed', error?: string}} Given */

/** @type {Record<Verdict, {relevant: boolean | null, unsure: boolean}>} */
const SENT = {
  useful: { relevant: true, unsure: false },
  not: { relevant: false, unsure: false },
  unsure: { relevant: null, unsure: true },
};

/** All labels of a crawl. @param {string} crawl @returns {Promise<any[]>} */
export const allLabels = (crawl) => getAll(crawlPath(crawl, '/labels'), { most: 1000 });

/**
 * @param {string} crawl @param {() => void} onSaved
 */
export function useLabels(crawl, onSaved) {
  const [given, setGiven] = useState(/** @type {Record<string, Given>} */ ({}));
  const newest = useRef(given);
  const past = useRef(/** @type {string[][]} */ ([]));
  const change = (entries) => setGiven((newest.current = { ...newest.current, ...entries }));
  const send = async (urls, said) => {
    const path = crawlPath(crawl, '/labels');
    try {
      for (let at = 0; at < urls.length; at += 500) await post(path, { labels: urls.slice(at, at + 500).map(said) });
      return '';
    } catch (error) {
      return /** @type {Error} */ (error).message;
    }
  };
  const keep = async (urls, verdict, queue) => {
    const all = (entry) => Object.fromEntries(urls.map((url) => [url, { verdict, queue, ...entry }]));
    change(all({ state: 'saving' }));
    const error = await send(urls, (url) => ({ url, ...SENT[verdict], asked: queue }));
    change(all(error ? { state: 'failed', error } : { state: 'saved' }));
    onSaved();
    return !error;
  };
  const label = (urls, verdict, queue) => {
    if (!urls.length) return;
    past.current.push(urls);
    keep(urls, verdict, queue);
  };
  /** Take back what was said last; gives the urls. */
  const undo = async () => {
    const urls = past.current.pop();
    if (!urls) return [];
    const error = await send(urls, (url) => ({ url, relevant: null }));
    if (error) past.current.push(urls);
    else setGiven((newest.current = Object.fromEntries(Object.entries(newest.current).filter(([url]) => !urls.includes(url)))));
    onSaved();
    if (error) throw new Error(error);
    return urls;
  };
  // What could not be saved because the server was away is saved when it is back.
  useEffect(() => connection.watch((isLost) => {
    if (isLost) return;
    for (const [url, one] of Object.entries(newest.current)) {
      if (one.state === 'failed') keep([url], one.verdict, /** @type {any} */ (one).queue).then((isSaved) => isSaved && say(`The label that waited for the server is saved: ${url}`));
    }
  }), [crawl]);
  return { given, label, undo, canUndo: past.current.length > 0 };
}

const FEW_USEFUL = 3;
const LOOKED_BACK = 10;
const ENOUGH_RANDOM = 30;

/**
 * Whether to go on labelling, and with which pages.
 * @param {any[]} labels @param {any} revision the last one learned, if any @param {any} estimate
 */
export function whenToStop(labels, revision, estimate) {
  const useful = labels.filter((one) => one.relevant === true).length;
  const newest = [...labels].sort((a, b) => b.time - a.time);
  const best = newest.filter((one) => one.asked === 'best').slice(0, LOOKED_BACK);
  const hits = best.filter((one) => one.relevant).length;
  const said = [];
  if (useful < FEW_USEFUL) said.push(`Go on: ${useful} of the ${FEW_USEFUL} useful pages are labelled that the topic needs to learn from.`);
  if (revision && revision.is_used && revision.is_settled) said.push('The last revision changed hardly a verdict: more labels of this kind teach little. Let the crawl go on.');
  if (revision && revision.is_used && revision.changed >= 0.01) said.push('The last revision changed verdicts: some more labels of “would teach most” are worth your time.');
  if (best.length === LOOKED_BACK && hits <= 1) said.push('Of the last ten best pages hardly one was useful: you have seen the good ones.');
  if (useful >= FEW_USEFUL && (!estimate || estimate.labelled < ENOUGH_RANDOM)) {
    said.push(`To know how much was missed, label ${ENOUGH_RANDOM - (estimate?.labelled || 0)} more pages of “check what I missed”.`);
  }
  if (estimate && estimate.labelled >= ENOUGH_RANDOM) said.push('The random pages tell enough: the interval gets narrower only slowly from here.');
  return said;
}
