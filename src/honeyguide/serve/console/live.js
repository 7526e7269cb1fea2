/** A crawl as it goes on: its numbers, told by the server whenever they change, and how fast it is. */

import { crawlPath, events, get } from './api.js';
import { useLoaded } from './loading.js';
import { useEffect, useRef, useState } from './vendor/preact-htm.js';

const WINDOW_SECONDS = 30;

/**
 * @param {string} crawl
 * @returns {{now: any, error: any, again: () => void, pace: number | null}} `pace` in pages a second
 */
export function useLive(crawl) {
  const first = useLoaded(() => get(crawlPath(crawl)), [crawl]);
  const [told, setTold] = useState(/** @type {any} */ (null));
  const [pace, setPace] = useState(/** @type {number | null} */ (null));
  const marks = useRef(/** @type {[number, number][]} */ ([]));
  useEffect(
    () =>
      events(crawlPath(crawl, '/events'), {
        status: (now) => {
          setTold(now);
          if (!now.status) return;
          const moment = Date.now() / 1000;
          const kept = [...marks.current, /** @type {[number, number]} */ ([moment, now.status.pages])];
          marks.current = kept.filter(([at]) => moment - at <= WINDOW_SECONDS);
          const [[from, before]] = marks.current;
          setPace(moment - from >= 1 ? (now.status.pages - before) / (moment - from) : null);
        },
      }),
    [crawl],
  );
  return {
    now: told?.status ? told : first.data,
    error: told?.problem ? new Error(told.problem) : first.error,
    again: first.again,
    pace,
  };
}
