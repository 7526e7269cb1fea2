/** A new crawl with the settings of an old one. */

import { crawlPath, get, post } from '../api.js';
import { go } from '../router.js';
import { html, useState } from '../vendor/preact-htm.js';
import { Field, Trouble } from './basics.js';
import { Dialog } from './dialog.js';
import { say } from './toast.js';

const BY_NAME = ['output.folder', 'output.archive_at', 'topic.file', 'seeds.file', 'web.recording', 'web.fetcher'];

/** What to send for a crawl like another. @param {string} name @param {any} order @param {any} defaults */
export function likeness(name, order, defaults) {
  /** @type {Record<string, any>} */
  const settings = {};
  for (const [section, values] of Object.entries(order)) {
    for (const [key, value] of Object.entries(values)) {
      const path = `${section}.${key}`;
      if (BY_NAME.includes(path) || path === 'topic.text' || path === 'seeds.urls' || value === null) continue;
      if (JSON.stringify(value) !== JSON.stringify(defaults[path])) settings[path] = value;
    }
  }
  return { name, topic: order.topic.text || '', seeds: order.seeds.urls || [], settings };
}

export function CloneDialog({ name, onClose, onDone }) {
  const [copy, setCopy] = useState(`${name}-2`);
  const [error, setError] = useState(/** @type {any} */ (null));
  const make = async (event) => {
    event.preventDefault();
    try {
      const [order, settings] = await Promise.all([get(crawlPath(name, '/order')), get('/settings')]);
      const defaults = Object.fromEntries(settings.map((one) => [one.key, one.default]));
      await post('/crawls', likeness(copy, order, defaults));
      say(`${copy} is there, not started yet.`);
      onDone();
      onClose();
      go([], { find: copy });
    } catch (problem) {
      setError(problem);
    }
  };
  return html`<${Dialog} title="Clone ${name}" onClose=${onClose}>
    <p>A new crawl with the same topic, seeds and settings, and nothing fetched yet.</p>
    <form onSubmit=${make}>
      <${Field} id="clone-name" label="Its name"><input id="clone-name" required value=${copy} autocomplete="off"
        onInput=${(event) => setCopy(event.target.value)} /><//>
      <${Trouble} error=${error} />
      <p class="actions"><button class="strong">Clone</button><button type="button" onClick=${onClose}>Cancel</button></p>
    </form>
  <//>`;
}
