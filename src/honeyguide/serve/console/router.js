/** Where one is, by the address after `#`: every view, filter and chosen page is a link that can be shared. */

import { useEffect, useState } from './vendor/preact-htm.js';

/** @typedef {{parts: string[], query: Record<string, string>}} Place */

/** @returns {Place} */
export function here() {
  const [path, query] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  return {
    parts: path.split('/').filter(Boolean).map(decoded),
    query: Object.fromEntries(new URLSearchParams(query || '')),
  };
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * A link to a view. @param {string[]} parts @param {Record<string, string | number | undefined>} [query]
 */
export function linkTo(parts, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return `#/${parts.map(encodeURIComponent).join('/')}${text ? `?${text}` : ''}`;
}

/** @param {string[]} parts @param {Record<string, string | number | undefined>} [query] */
export const go = (parts, query) => void (location.hash = linkTo(parts, query));

/** Change some of the query without a new entry in the history. @param {Record<string, string | number | undefined>} changes */
export function setQuery(changes) {
  const { parts, query } = here();
  history.replaceState(null, '', linkTo(parts, { ...query, ...changes }));
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

/** @returns {Place} */
export function usePlace() {
  const [place, setPlace] = useState(here);
  useEffect(() => {
    const moved = () => setPlace(here());
    window.addEventListener('hashchange', moved);
    return () => window.removeEventListener('hashchange', moved);
  }, []);
  return place;
}
