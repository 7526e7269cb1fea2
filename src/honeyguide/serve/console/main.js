/** The console: who one is, where one is, and the view that is there. */

import { connection, get, remove, whenLoggedOut } from './api.js';
import { Login } from './parts/login.js';
import { Empty, Trouble } from './parts/basics.js';
import { Toasts } from './parts/toast.js';
import { here, linkTo, usePlace } from './router.js';
import { Theme } from './parts/theme.js';
import { html, render, useEffect, useErrorBoundary, useRef, useState } from './vendor/preact-htm.js';
import { CRAWL_VIEWS, viewAt, WORKSPACE_VIEWS } from './views.js';

/** Says that the server is gone for as long as it is. */
function Connection() {
  const [isLost, setLost] = useState(connection.isLost);
  useEffect(() => connection.watch(setLost), []);
  return html`<div role="alert" class="connection">${isLost && html`<p>The server does not answer. Crawls go on without it;
    this page asks again every second and goes on by itself.</p>`}</div>`;
}

function Head({ crawl, current, who, onLogout }) {
  const views = crawl
    ? Object.entries(CRAWL_VIEWS).map(([key, view]) => ({ key, name: view.name, href: linkTo(['crawls', crawl, key]) }))
    : Object.entries(WORKSPACE_VIEWS).map(([key, view]) => ({ key, name: view.name, href: linkTo(key ? [key] : []) }));
  return html`<header class="head">
    <a class="skip" href="#main" onClick=${toMain}>Skip to the content</a>
    <p class="brand"><a href="#/">honeyguide</a></p>
    ${crawl && html`<p class="where"><a href="#/">Crawls</a> <span aria-hidden="true">›</span> <strong>${crawl}</strong></p>`}
    <nav aria-label=${crawl ? `Views of ${crawl}` : 'Views'}><ul>
      ${views.map((view) => html`<li key=${view.key}><a href=${view.href} aria-current=${view.key === current ? 'page' : undefined}>
        ${view.name}</a></li>`)}
    </ul></nav>
    <div class="head-end"><a href="/api/v1/reference">API</a><${Theme} />
      ${who.role !== 'nobody' && html`<button type="button" class="plain" onClick=${onLogout}>Log out</button>`}</div>
  </header>`;
}

/** @param {Event} event */
function toMain(event) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** A view, or words on why it is not there. */
function Body({ place }) {
  const { view, crawl, key } = viewAt(place.parts);
  const [found, setFound] = useState(/** @type {any} */ ({}));
  const [broken, mend] = useErrorBoundary((error) => console.error(error));
  const main = useRef(/** @type {HTMLElement | null} */ (null));
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isOver = false;
    mend();
    view?.load().then(
      (part) => isOver || setFound({ key, part: part.default }),
      (error) => isOver || setFound({ key, error }),
    );
    document.title = [view?.name, crawl, 'honeyguide'].filter(Boolean).join(' · ');
    window.scrollTo(0, 0);
    return () => void (isOver = true);
  }, [view, crawl, turn]);
  let inside;
  if (!view) inside = html`<h1>Not here</h1><${Empty} title="There is no such view"><a href="#/">To the crawls</a><//>`;
  else if (broken) inside = html`<h1>${view.name}</h1><${Trouble} error=${broken} again=${() => (mend(), setTurn(turn + 1))} />`;
  else if (found.key !== key) inside = html`<p class="quiet" role="status">Opening ${view.name} …</p>`;
  else if (found.error) inside = html`<h1>${view.name}</h1><${Trouble} error=${found.error} again=${() => setTurn(turn + 1)} />`;
  else inside = html`<${found.part} key=${`${crawl}/${key}`} crawl=${crawl} place=${place} />`;
  return html`<main id="main" class="page" tabindex="-1" ref=${main}>${inside}</main>`;
}

function Console() {
  const place = usePlace();
  const [who, setWho] = useState(/** @type {any} */ (null));
  useEffect(() => {
    const ask = () => get('/session').then(setWho, () => {});
    ask();
    whenLoggedOut(ask);
    return connection.watch((isLost) => isLost || ask());
  }, []);
  const logout = () => remove('/session').then(() => setWho({ ...who, role: 'nobody' }), () => {});
  const { crawl, key } = viewAt(place.parts);
  if (!who) return html`<${Connection} /><main class="page"><p role="status" class="quiet">Asking the server who you are …</p></main>`;
  const isIn = who.role === 'operator';
  return html`<${Connection} />
    <${Head} crawl=${isIn ? crawl : ''} current=${key} who=${who} onLogout=${logout} />
    ${isIn ? html`<${Body} place=${place} />` : html`<${Login} who=${who} onDone=${setWho} />`}
    <${Toasts} />`;
}

viewAt(here().parts).view?.load().catch(() => {}); // while the server is asked who this is
const app = /** @type {HTMLElement} */ (document.getElementById('app'));
app.replaceChildren();
render(html`<${Console} />`, app);
