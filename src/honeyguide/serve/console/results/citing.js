/** Sites by what they brought, and who cites one of them: links from other sites, by site. */

import { asked } from '../parts/asking.js';
import { Meter } from '../parts/basics.js';
import { linkTo } from '../router.js';
import { html } from '../vendor/preact-htm.js';
import { exported, linkColumn, Listed, number } from './cells.js';

const SITES = `select site, sum(relevant) as relevant, sum(pages) as pages, 1.0 * sum(relevant) / sum(pages) as density,
    sum(urls) as urls, (select count(*) from urls where depth = 0 and site_of(urls.host) = hosts.site) as seeds
    from hosts
    group by site
    having sum(pages) > 0
    order by relevant desc, density desc limit 300`;

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
  return html`<${Listed} title="Sites by what they brought" what="the sites" name="sites" inputs=${[crawl]} empty="No site yet" next="Run the crawl." files=${exported(crawl, 'hosts')}
    about="Sites without a seed were found by the crawl itself: filter by “found”."
    read=${async () => (await asked(crawl, SITES)).map((row) => ({ ...row, origin: row.seeds ? 'seed' : 'found' }))}
    columns=${[
      { key: 'site', name: 'Site', word: 'site' }, number('relevant', 'Relevant', 'relevant'), number('pages', 'Pages'),
      { key: 'density', name: 'Density', isNumber: true, word: 'density', show: (row) => html`<${Meter} value=${row.density} />` },
      number('urls', 'Known urls'), { key: 'origin', name: 'Comes from', word: 'seed' },
      { key: 'citing', name: 'Cited by', isAction: true, show: (row) => html`<a href=${linkTo(['crawls', crawl, 'results'], { show: 'sites', site: row.site })} aria-label="Who cites ${row.site}">who cites it</a>` },
    ]} />`;
}
