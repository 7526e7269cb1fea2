/** What a crawl will cost, before it starts: pages, time at polite speed, disk. */

import { bytes, count, counted, duration } from './format.js';

const PAGE_BYTES = 25_000; // of a page in the archive, packed, on the Web of today
const BOOK_BYTES = 6_000; // of what is remembered of a page, its links and its words
const ANSWER_SECONDS = 0.5;
const USUAL_HOSTS = 50;
const RECORDED_PAGES_PER_SECOND = 100;

/** @param {string[]} seeds */
const hostsOf = (seeds) => new Set(seeds.map((seed) => seed.replace(/^\w+:\/\//, '').split(/[/?#]/)[0].toLowerCase()).filter(Boolean)).size;

/**
 * @param {{seeds: string[], web: string, settings: Record<string, any>}} order
 * @param {(key: string) => any} setting the value of a setting, the default if it is not given
 * @returns {{name: string, value: string, hint: string}[]}
 */
export function costs(order, setting) {
  const pages = Number(setting('limits.max_pages'));
  const limit = Number(setting('limits.max_seconds'));
  const hosts = Math.max(1, hostsOf(order.seeds));
  const perPage = BOOK_BYTES + (setting('output.archive') ? PAGE_BYTES : 0);
  if (!pages) {
    return [
      { name: 'Pages', value: 'no limit', hint: 'until its links run out or you stop it' },
      { name: 'Time', value: limit ? `at most ${duration(limit)}` : 'no limit', hint: '' },
      { name: 'Disk', value: `about ${bytes(perPage * 1000)}`, hint: 'for every 1,000 pages' },
    ];
  }
  const rest = Number(setting('politeness.delay_seconds')) + ANSWER_SECONDS;
  const seconds = (some) => Math.max(pages / RECORDED_PAGES_PER_SECOND, (pages * rest) / Math.min(some, Number(setting('fetch.in_flight')) || 1));
  const longest = seconds(hosts);
  const usual = seconds(Math.max(hosts, USUAL_HOSTS));
  const capped = (value) => duration(limit ? Math.min(limit, value) : value);
  const isLive = order.web === 'live';
  return [
    { name: 'Pages', value: count(pages), hint: 'at most' },
    {
      name: 'Time',
      value: isLive ? `${capped(usual)} to ${capped(longest)}` : capped(Math.max(2, pages / RECORDED_PAGES_PER_SECOND)),
      hint: isLive ? `spread over ${count(Math.max(hosts, USUAL_HOSTS))} hosts, or all on ${counted(hosts, 'host')} of the seeds` : 'nobody has to be waited for',
    },
    { name: 'Disk', value: `about ${bytes(perPage * pages)}`, hint: setting('output.archive') ? 'the pages themselves included' : 'without the pages themselves' },
  ];
}
