/** One page of a crawl: what it is, how it was found, why it was chosen, why it was judged so. */

import { crawlPath, get } from '../api.js';
import { bytes, count, decimal, duration } from '../format.js';
import { useLoaded } from '../loading.js';
import { setQuery } from '../router.js';
import { html } from '../vendor/preact-htm.js';
import { Empty, Meter, Outside, Shown, Term, Time } from './basics.js';
import { Dialog } from './dialog.js';

function Parts({ reasons }) {
  const shown = reasons.parts.filter((part) => part.number).slice(0, 30);
  return html`<div><p>${reasons.summary}</p>
    ${
      shown.length > 0 &&
      html`<dl class="parts">${shown.map(
        (part, at) => html`<dt key=${at}>${part.label}</dt>
      <dd key=${`${at}n`} class="number">${decimal(part.number)}</dd>`,
      )}</dl>`
    }
    ${reasons.refers_to.filter((part) => part.url).map((part) => html`<p key=${part.url} class="quiet">${part.label} <${Outside} url=${part.url} /></p>`)}
  </div>`;
}

function Path({ path }) {
  if (!path.length) return html`<p>It is not linked from anywhere in the crawl.</p>`;
  return html`<ol class="path">${path.map(
    (link) => html`<li key=${link.target}>${link.source ? '' : 'seed '}<${Outside} url=${link.target} />
    ${link.anchor && html`<span class="quiet"> by the link “${link.anchor}”</span>`}</li>`,
  )}</ol>`;
}

/** The page that the address names, if it names one. @param {{crawl: string, place: any}} given */
export const PageHere = ({ crawl, place }) => place.query.page && html`<${PageDialog} crawl=${crawl} url=${place.query.page} onClose=${() => setQuery({ page: '' })} />`;

/** Of a table of pages: a way to see all of one. */
export const whyColumn = {
  key: 'why', name: 'Why', isAction: true,
  show: (row) => html`<button type="button" class="link" aria-label="Why ${row.title || row.url}" onClick=${() => setQuery({ page: row.url })}>why</button>`,
};

/** @param {{crawl: string, url: string, onClose: () => void}} given */
function PageDialog({ crawl, url, onClose }) {
  const loaded = useLoaded(() => get(crawlPath(crawl, '/explain'), { url }), [url]);
  return html`<${Dialog} title=${loaded.data?.visit?.title || 'Page'} wide onClose=${onClose}>
    <p><${Outside} url=${url}>${url}<//></p>
    <${Shown} loaded=${loaded} what="what is known of the page">${(page) => html`<div class="stack">
      ${
        page.visit &&
        html`<dl class="figures">
        <div class="figure"><dt><${Term} word="relevance" /></dt><dd><${Meter} value=${page.visit.relevance} /></dd></div>
        <div class="figure"><dt>Fetched</dt><dd class="small"><${Time} at=${page.visit.time} exact /></dd></div>
        <div class="figure"><dt>Page number</dt><dd class="small">${count(page.visit.number)}</dd></div>
        <div class="figure"><dt><${Term} word="depth" /></dt><dd class="small">${page.visit.depth}</dd></div>
        <div class="figure"><dt>Size</dt><dd class="small">${bytes(page.visit.bytes)}</dd></div>
        <div class="figure"><dt>Took</dt><dd class="small">${duration(page.visit.seconds)}</dd></div>
        <div class="figure"><dt>Language</dt><dd class="small">${page.visit.language || 'unknown'}</dd></div>
      </dl>`
      }
      ${page.standing && html`<p class="advice">${page.standing}</p>`}
      <section><h3>The path from the seed</h3><${Path} path=${page.path} /></section>
      <div class="columns">
        <section><h3>Why it was judged so</h3>${page.relevance ? html`<${Parts} reasons=${page.relevance} />` : html`<p class="quiet">It was not fetched, so it was not judged.</p>`}</section>
        <section><h3>Why it was chosen</h3>${page.ranking ? html`<${Parts} reasons=${page.ranking} />` : html`<p class="quiet">No reasons are kept.</p>`}</section>
      </div>
      ${page.failures.length > 0 && html`<section><h3>Failures</h3><ul>${page.failures.map((one, at) => html`<li key=${at}>${one.message} <${Time} at=${one.time} /></li>`)}</ul></section>`}
      ${!page.visit && page.status === null && html`<${Empty} title="This url is not in the crawl" />`}
    </div>`}<//>
  <//>`;
}
