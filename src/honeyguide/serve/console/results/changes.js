/** What has changed lately: pages that are new, say something else than before, or are gone. */

import { crawlPath, fileLink, get } from '../api.js';
import { whyColumn } from '../parts/page.js';
import { Select, Time } from '../parts/basics.js';
import { setQuery } from '../router.js';
import { html } from '../vendor/preact-htm.js';
import { Listed, pageColumn, relevanceColumn, urlColumn } from './cells.js';

const MOST = 200;
const SINCE = { '1d': 'the last day', '7d': 'the last week', '4w': 'the last four weeks', '1970-01-01': 'the beginning' };

export function Changes({ crawl, place }) {
  const since = place.query.since in SINCE ? place.query.since : '7d';
  const feed = { name: 'as a feed (Atom)', href: fileLink(crawlPath(crawl, '/changes.atom'), { since, most: MOST }) };
  return html`<${Listed} title="What has changed" word="change" what="what has changed" name="changes" inputs=${[crawl, since]} files=${[feed]}
    empty="Nothing has changed since then" next="Pages are asked for again by crawls that are kept fresh: the setting crawl.keep_fresh, or the option --keep-fresh."
    about=${html`Since <label><span class="unseen">Since</span><${Select} value=${since} options=${SINCE} onChange=${(chosen) => setQuery({ since: chosen })} /></label>, the latest first; of each kind at most ${MOST}.`}
    read=${async () => (await get(crawlPath(crawl, '/changes'), { since, most: MOST })).items}
    columns=${[
      { key: 'kind', name: 'Change', show: (row) => html`<span class="change-${row.kind}">${row.kind}</span>` },
      pageColumn, urlColumn, relevanceColumn,
      { key: 'time', name: 'Seen', isNumber: true, show: (row) => html`<${Time} at=${row.time} exact />` },
      { key: 'difference', name: 'Says no more (−), says now (+)', show: (row) => html`<bdi class="small">${row.difference || '–'}</bdi>` },
      whyColumn,
    ]} />`;
}
