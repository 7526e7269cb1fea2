/** Sites by how relevant they are and what they brought, and who cites one of them: links from other sites, by site. */

import { crawlPath, get } from '../api.js';
import { asked } from '../parts/asking.js';
import { Meter } from '../parts/basics.js';
import { linkTo } from '../router.js';
import { html } from '../vendor/preact-htm.js';
import { exported, linkColumn, Listed, number, score } from './cells.js';

const MOST = 300;
const SEEDS = 'select distinct site_of(host) as site from urls where depth = 0';

/** The most relevant sites, and whether a seed is there. @param {string} crawl */
async function sites(crawl) {
  const [{ items }, seeds] = await Promise.all([get(crawlPath(crawl, '/sites'), { most: MOST }), asked(crawl, SEEDS)]);
  const known = new Set(seeds.map((row) => row.site));
  return items.map((row) => ({ ...row, origin: known.has(row.site) ? 'seed' : 'found' }));
}

/** @param {string} key @param {string} name @param {string} word */
const meter = (key, name, word) => ({ key, name, word, isNumber: true, show: (row) => html`<${Meter} value=${row[key]} />` });

/** @param {string} site */
const citing = (site) => `select site_of(source.host) as site, count(*) as links, count(distinct source.id) as pages,
    count(distinct case when source.relevant then source.id end) as relevant, count(distinct target.id) as cited,
    max(source.url) as example, max(links.anchor) as anchor
    from links
    join urls as target on target.id = links.target_id
    join pages as source on source.id = links.source_id
    where site_of(target.host) = '${site.replaceAll("'", "''")}' and site_of(source.host) <> site_of(target.host)
    group by 1
    order by links desc limit 300`;

function Citing({ crawl, site }) {
  return html`<${Listed} title="Who cites ${site}" what="the links to it" name="citing" inputs=${[crawl, site]} empty="No other site links to it"
    next="Only pages of this crawl are looked at: let it go on." about=${html`Pages of other sites that link to it. <a href=${linkTo(['crawls', crawl, 'results'], { show: 'sites' })}>All sites</a>`}
    read=${() => asked(crawl, citing(site))} columns=${[
      { key: 'site', name: 'Site', word: 'site' }, number('links', 'Links'), number('pages', 'Pages that link'), number('relevant', 'Relevant ones'), number('cited', 'Urls linked to'),
      linkColumn('example', 'One of them'), { key: 'anchor', name: 'The words of a link' },
    ]} />`;
}

export function Sites({ crawl, place }) {
  if (place.query.site) return html`<${Citing} crawl=${crawl} site=${place.query.site} />`;
  return html`<${Listed} title="Sites by what they brought" what="the sites" name="sites" inputs=${[crawl]} empty="No site yet" next="Run the crawl." files=${exported(crawl, 'sites')}
    about=${html`The most relevant first. Look at <a href=${linkTo(['crawls', crawl, 'results'], { show: 'sites', 'sites-filter': 'found' })}>new sites alone</a>, which no seed named. A click on a site tells who cites it.`} read=${() => sites(crawl)}
    columns=${[
      { key: 'site', name: 'Site', word: 'site', show: (row) => html`<a href=${linkTo(['crawls', crawl, 'results'], { show: 'sites', site: row.site })} aria-label="Who cites ${row.site}">${row.site}</a>` },
      meter('relevance', 'Relevance', 'site relevance'), number('relevant', 'Relevant', 'relevant'), number('pages', 'Pages'), meter('density', 'Density', 'density'),
      { ...score('mean_relevance', 'Mean relevance'), isUnseen: true }, score('expected', 'Expected', 'expected'), number('hosts', 'Hosts', 'host'),
      number('waiting', 'Waiting', 'queue'), { key: 'origin', name: 'Comes from', word: 'seed' },
    ]} />`;
}
