/** What a view reads from the server: as it loads, as it is, and what went wrong; read again when the server is back. */

import { connection, Lost } from './api.js';
import { useCallback, useEffect, useRef, useState } from './vendor/preact-htm.js';

/**
 * @template T
 * @typedef {{data: T | null, error: any, isLoading: boolean, again: () => void}} Loaded
 */

/**
 * Read something whenever one of the inputs changes; what was read before is shown until then, and as long as the
 * server is away, which is said elsewhere.
 * @template T
 * @param {() => Promise<T>} read @param {any[]} inputs
 * @returns {Loaded<T>}
 */
export function useLoaded(read, inputs) {
  const [state, setState] = useState(/** @type {any} */ ({ data: null, error: null, isLoading: true }));
  const newest = useRef(0);
  const again = useCallback(() => {
    const turn = ++newest.current;
    const settle = (found) => turn === newest.current && setState((old) => ({ isLoading: false, by: again, ...found(old) }));
    setState((old) => ({ ...old, isLoading: true }));
    read().then(
      (data) => settle(() => ({ data, error: null })),
      (error) => settle((old) => ({ data: error instanceof Lost && old.by === again ? old.data : null, error })),
    );
  }, inputs);
  useEffect(() => {
    again();
    return () => void newest.current++;
  }, [again]);
  useEffect(() => connection.watch((isLost) => isLost || again()), [again]);
  return { ...state, again };
}

/** A value once it has rested so long, for what is typed. @template T @param {T} value @param {number} [milliseconds] */
export function useRested(value, milliseconds = 300) {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

/** Run something every so often while the view is shown and seen. @param {() => void} action @param {number} seconds */
export function useEvery(action, seconds) {
  const current = useRef(action);
  current.current = action;
  useEffect(() => {
    const timer = setInterval(() => document.hidden || connection.isLost || current.current(), seconds * 1000);
    return () => clearInterval(timer);
  }, [seconds]);
}

/**
 * Whether a part of the view was ever seen, for what costs much to read. @returns {[{current: any}, boolean]}
 */
export function useSeen() {
  const own = useRef(/** @type {any} */ (null));
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const watcher = new IntersectionObserver((found) => found.some((one) => one.isIntersecting) && setSeen(true));
    watcher.observe(own.current);
    return () => watcher.disconnect();
  }, []);
  return [own, isSeen];
}
