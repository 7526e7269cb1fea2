/** Settings of a crawl as fields: by their type, with unit, meaning and default as the server tells them. */

import { html, useState } from '../vendor/preact-htm.js';
import { Field } from './basics.js';

/** Settings that have a few values only. @type {Record<string, string[]>} */
const CHOICES = {
  'politeness.longer_delays': ['skip', 'shorten', 'obey'],
  'politeness.one_request_per': ['host', 'site', 'address'],
  'output.compression': ['gzip', 'zstd'],
  'crawl.keep_fresh': ['false', 'true', 'relevant'],
};

/** @param {any} value */
const shown = (value) => (Array.isArray(value) ? value.join('\n') : value === null || value === undefined ? '' : String(value));

/** What was typed, as the setting has it; undefined: as by default. @param {any} setting @param {string} text */
export function typed(setting, text) {
  if (setting.type === 'list of texts') return text.split('\n').map((line) => line.trim()).filter(Boolean);
  if (text.trim() === '') return undefined;
  if (setting.type === 'whole number' || setting.type === 'number') return Number.isFinite(Number(text)) ? Number(text) : text;
  return text;
}

/**
 * @param {{setting: any, value: any, label?: string, error?: string, onChange: (value: any) => void}} given `value` undefined: the default
 */
export function SettingField({ setting, value, label = undefined, error = undefined, onChange }) {
  const id = `setting-${setting.key.replace('.', '-')}`;
  const name = label || setting.key.split('.')[1].replaceAll('_', ' ');
  const described = `${id}-help`;
  const help = `${setting.help[0].toUpperCase()}${setting.help.slice(1)}${setting.unit ? ` (${setting.unit})` : ''}`;
  if (setting.type === 'true or false' && !CHOICES[setting.key]) {
    return html`<div class="field"><label for=${id}><input id=${id} type="checkbox" checked=${value ?? setting.default} aria-describedby=${described}
      onChange=${(event) => onChange(event.target.checked)} /> ${name}</label><p class="field-help" id=${described}>${help}</p></div>`;
  }
  const common = { id, 'aria-describedby': described, 'aria-invalid': error ? 'true' : undefined };
  let input;
  if (CHOICES[setting.key]) {
    input = html`<select ...${common} value=${String(value ?? setting.default)} onChange=${(event) => onChange(event.target.value)}>
      ${CHOICES[setting.key].map((one) => html`<option key=${one} value=${one}>${one}</option>`)}</select>`;
  } else if (setting.type === 'list of texts') {
    input = html`<textarea ...${common} rows="3" value=${shown(value ?? setting.default)} onInput=${(event) => onChange(typed(setting, event.target.value))}></textarea>`;
  } else {
    input = html`<input ...${common} inputmode=${setting.type.includes('number') ? 'decimal' : undefined} value=${shown(value)} autocomplete="off"
      placeholder=${setting.default === null || setting.default === '' ? '' : `${setting.default}`} onInput=${(event) => onChange(typed(setting, event.target.value))} />`;
  }
  return html`<${Field} id=${id} label=${name} help=${help} error=${error}>${input}<//>`;
}

/** All settings that have no place of their own, to be found by words. */
export function AllSettings({ settings, values, onChange }) {
  const [words, setWords] = useState('');
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = settings.filter((one) => wanted.every((word) => `${one.key} ${one.help}`.toLowerCase().includes(word)));
  const changed = settings.filter((one) => values[one.key] !== undefined).length;
  return html`<details class="card fold"><summary>All other settings ${changed ? `(${changed} changed)` : ''}</summary>
    <p><label>Find a setting <input type="search" value=${words} onInput=${(event) => setWords(event.target.value)} /></label>
      <span class="quiet" role="status"> ${found.length} of ${settings.length}</span></p>
    <div class="fields">${found.map((setting) => html`<${SettingField} key=${setting.key} setting=${setting} label=${setting.key} value=${values[setting.key]}
      onChange=${(value) => onChange(setting.key, value)} />`)}</div></details>`;
}
