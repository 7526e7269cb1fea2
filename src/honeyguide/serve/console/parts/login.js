/** The door: a token, as `honeyguide serve` showed it. */

import { post } from '../api.js';
import { html, useState } from '../vendor/preact-htm.js';
import { Field, Trouble } from './basics.js';

export function Login({ who, onDone }) {
  const [token, setToken] = useState('');
  const [error, setError] = useState(/** @type {any} */ (null));
  const [isBusy, setBusy] = useState(false);
  const enter = async (event) => {
    event.preventDefault();
    setBusy(true);
    try {
      const found = await post('/session', { token: token.trim() });
      if (found.role === 'operator') onDone(found);
      else setError(new Error('This is the token of a reader; the console is for operators. The portal is for readers.'));
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };
  return html`<main id="main" class="page narrow" tabindex="-1">
    <h1>Log in</h1>
    <p>Everything here is for whoever has the operator’s token.
      ${who.role === 'reader' ? ' You are logged in as a reader; ' : ' To search what was found, '}
      <a href="/">the portal</a> is the place.</p>
    <form onSubmit=${enter}>
      <${Field} id="token" label="Token" help="honeyguide serve showed it at its first start; honeyguide serve --new-token operator makes another.">
        <input id="token" type="password" autocomplete="current-password" required value=${token} aria-describedby="token-help"
          onInput=${(event) => setToken(event.target.value)} />
      <//>
      <${Trouble} error=${error} />
      <p class="actions"><button class="strong" disabled=${isBusy}>${isBusy ? 'Asking …' : 'Log in'}</button></p>
    </form>
  </main>`;
}
