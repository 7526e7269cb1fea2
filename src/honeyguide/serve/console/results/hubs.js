/** Hubs and authorities, and what people say of them: the distiller listens. */

import { crawlPath, get, post } from '../api.js';
import { useLoaded } from '../loading.js';
import { Empty, Shown, Term } from '../parts/basics.js';
import { whyColumn } from '../parts/page.js';
import { Table } from '../parts/table.js';
import { tried } from '../parts/toast.js';
import { html } from '../vendor/preact-htm.js';
import { pageColumn, relevanceColumn, score, urlColumn } from './cells.js';

const SAID = { good: 'useful', bad: 'not useful', '': '' };
const VERDICTS = { good: true, bad: false, '': null };

/** Of a hub its links are said to be good or not, of an authority the page itself. */
const send = (crawl, kind, url, good) =>
  kind === 'hub' ? post(crawlPath(crawl, '/commands'), { kind: 'mark_hub', url, good }) : post(crawlPath(crawl, '/labels'), { labels: [{ url, relevant: good, asked: 'authorities' }] });

/** @param {string} crawl @param {string} kind @param {() => void} onChange */
function markColumn(crawl, kind, onChange) {
  const mark = async (row, said) => {
    const now = row.mark === said ? '' : said;
    const back = () => tried(send(crawl, kind, row.url, VERDICTS[row.mark]), 'Taken back.').then(onChange);
    await tried(send(crawl, kind, row.url, VERDICTS[now]), now ? `Marked as ${SAID[now]}: ${row.title || row.url}` : 'The mark is taken back.', back);
    onChange();
  };
  const button = (row, said, name) => html`<button type="button" class="small" aria-pressed=${row.mark === said} onClick=${() => mark(row, said)}>${name}<span class="unseen"> ${row.title || row.url}</span></button>`;
  return {
    key: 'mark', name: 'Mark', word: 'mark', value: (row) => SAID[row.mark],
    show: (row) => html`<span class="steer">${button(row, 'good', 'Useful')}${button(row, 'bad', 'Not')}</span>`,
  };
}

export function Hubs({ crawl }) {
  const loaded = useLoaded(() => get(crawlPath(crawl, '/hubs'), { most: 50 }), [crawl]);
  const part = (kind, plural, rows, empty) => html`<section class="card"><h2><${Term} word=${kind}>${plural}<//></h2>
    <${Table} name=${plural.toLowerCase()} caption=${plural} rows=${rows} rowKey=${(row) => row.url} empty=${html`<${Empty} title="No ${plural.toLowerCase()} yet">${empty}<//>`}
      columns=${[pageColumn, urlColumn, score(kind, kind === 'hub' ? 'Hub' : 'Authority', kind), relevanceColumn, markColumn(crawl, kind, loaded.again), whyColumn]} /></section>`;
  return html`<${Shown} loaded=${loaded} what="hubs and authorities">${(found) => html`<div class="stack">
    <p class="quiet" role="status">${loaded.isLoading ? 'Weighing the links again …' : 'What you mark changes their order at once, and what the strategy “distilled” follows.'}</p>
    ${part('hub', 'Hubs', found.hubs, 'They show once relevant pages of one site are linked from others: let the crawl go on.')}
    ${part('authority', 'Authorities', found.authorities, 'They show once hubs link to relevant pages: let the crawl go on.')}</div>`}<//>`;
}
