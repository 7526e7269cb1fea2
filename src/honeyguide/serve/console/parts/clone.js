/** A new crawl with the topic, seeds and settings of an old one. */

import { post } from '../api.js';
import { go } from '../router.js';
import { html, useState } from '../vendor/preact-htm.js';
import { Field, Trouble } from './basics.js';
import { Dialog } from './dialog.js';
import { say } from './toast.js';

export function CloneDialog({ name, onClose, onDone }) {
  const [copy, setCopy] = useState(`${name}-2`);
  const [error, setError] = useState(/** @type {any} */ (null));
  const make = async (event) => {
    event.preventDefault();
    try {
      await post('/crawls', { name: copy, like: name });
      say(`${copy} is there, not started yet.`);
      onDone();
      onClose();
      go([], { find: copy });
    } catch (problem) {
      setError(problem);
    }
  };
  return html`<${Dialog} title="Clone ${name}" onClose=${onClose}>
    <p>A new crawl with the same topic, seeds and settings, and nothing fetched or learned yet.</p>
    <form onSubmit=${make}>
      <${Field} id="clone-name" label="Its name"><input id="clone-name" required value=${copy} autocomplete="off"
        onInput=${(event) => setCopy(event.target.value)} /><//>
      <${Trouble} error=${error} />
      <p class="actions"><button class="strong">Clone</button><button type="button" onClick=${onClose}>Cancel</button></p>
    </form>
  <//>`;
}
