/** Light or dark: as the system has it, or as chosen here. */

import { html, useEffect, useState } from '../vendor/preact-htm.js';

const KEY = 'honeyguide-theme';
const NEXT = { auto: 'light', light: 'dark', dark: 'auto' };
/** @type {Set<() => void>} */
const watchers = new Set();
const system = matchMedia('(prefers-color-scheme: dark)');
system.addEventListener('change', () => watchers.forEach((watcher) => watcher()));

/** @returns {'auto' | 'light' | 'dark'} */
function chosen() {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : 'auto';
  } catch {
    return 'auto';
  }
}

/** @param {'auto' | 'light' | 'dark'} theme */
function use(theme) {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch { /* then it lasts as long as the page */ }
  watchers.forEach((watcher) => watcher());
}

document.documentElement.dataset.theme = chosen();

/** A colour of the theme, for what is drawn. @param {string} name */
export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Draw again when the colours change. @returns {number} */
export function useTheme() {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const changed = () => setTurn((old) => old + 1);
    watchers.add(changed);
    return () => void watchers.delete(changed);
  }, []);
  return turn;
}

export function Theme() {
  useTheme();
  const theme = chosen();
  return html`<button type="button" class="plain" onClick=${() => use(/** @type {any} */ (NEXT[theme]))}
    title="Colours: ${theme}. Click for ${NEXT[theme]}."><span aria-hidden="true">◐</span> <span class="theme-name">${theme}</span>
    <span class="unseen">colours; change to ${NEXT[theme]}</span></button>`;
}
