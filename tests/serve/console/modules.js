/** Each of the console's functions that only counts or writes, by itself: what it gives, and what it should give. */

import * as api from './api.js';
import * as columns from './columns.js';
import { costs } from './costs.js';
import * as format from './format.js';
import { whenToStop } from './labelling.js';
import { written } from './parts/saving.js';
import { urlsIn } from './parts/seeds.js';
import { typed } from './parts/settings.js';
import { here, linkTo, setQuery } from './router.js';
import { examplesIn, foldersIn } from './topic/examples.js';
import { without } from './topic/words.js';
import { viewAt } from './views.js';

const SECONDS = 1_700_000_000;
const at = (/** @type {string} */ hash) => (history.replaceState(null, '', hash), here());
const pages = (/** @type {number} */ many, given) => Array(many).fill(given);

/** The clock is that of Greenwich. @type {Record<string, () => [any, any][]>} */
export const CASES = {
  'numbers have separators, and none is a dash': () => [
    [[0, 1234567.8, null, undefined].map(format.count), ['0', '1,234,568', '–', '–']],
    [[0.005, 1, null].map(format.decimal), ['0.01', '1.00', '–']],
  ],
  'things are counted in words': () => [
    [format.counted(1, 'page'), '1 page'], [format.counted(0, 'page'), '0 pages'], [format.counted(2, 'copy', 'copies'), '2 copies'],
  ],
  'shares are percents': () => [[[0, 0.004, 0.05, 0.5, 1, null].map(format.percent), ['0 %', '0.4 %', '5.0 %', '50 %', '100 %', '–']]],
  'bytes have units': () => [
    [[0, 999, 1000, 25_000, 3.14e9, 1e18].map(format.bytes), ['0 bytes', '999 bytes', '1.0 kB', '25 kB', '3.1 GB', '1000000 TB']],
  ],
  'durations have units': () => [
    [[0.0123, 89, 90, 5399, 5400, 129600].map(format.duration), ['12 ms', '89 s', '2 min', '90 min', '1.5 h', '2 days']],
  ],
  'times are those of the reader, with a hint': () => [
    [[format.time(SECONDS), format.time(0), format.time(null)], ['14 Nov 2023, 22:13:20', '–', '–']],
    [format.timeHint(SECONDS), '14 Nov 2023, 22:13:20, UTC (your time); 2023-11-14T22:13:20.000Z'],
    [[null, Date.now() / 1000, Date.now() / 1000 - 60].map(format.ago), ['never', 'just now', '60 s ago']],
  ],
  'urls are shortened, and only those of the Web become links': () => [
    [['https://www.example.org/', 'http://example.org/a?b', 'mailto:a'].map(format.shortUrl), ['example.org', 'example.org/a?b', 'mailto:a']],
    [['HTTPS://a', 'http://a'].map(format.safeLink), ['HTTPS://a', 'http://a']],
    [['javascript:alert(1)', ' http://a', 'data:text/html,a', '//a', ''].map(format.safeLink), pages(5, undefined)],
  ],
  'an address is written and read again': () => [
    [linkTo(['crawls', 'a/b c'], { q: 'x&y=#é', page: undefined, none: '' }), '#/crawls/a%2Fb%20c?q=x%26y%3D%23%C3%A9'],
    [at(linkTo(['crawls', 'a/b c'], { q: 'x&y=#é?' })), { parts: ['crawls', 'a/b c'], query: { q: 'x&y=#é?' } }],
    [at('#/crawls/%zz//'), { parts: ['crawls', '%zz'], query: {} }],
    [[at('#/nowhere?a=1&b=2'), setQuery({ b: '', c: 3 }), location.hash].pop(), '#/nowhere?a=1&c=3'],
  ],
  'an address names a view, or none': () => [
    [[[], ['crawls', 'x'], ['crawls', 'x', 'sql']].map((parts) => [viewAt(parts).view?.name, viewAt(parts).crawl]), [['Crawls', ''], ['Monitor', 'x'], ['SQL', 'x']]],
    [[['nowhere'], ['crawls', 'x', 'nowhere'], ['crawls', 'x', 'toString']].map((parts) => typeof viewAt(parts).view?.load), pages(3, 'undefined')],
  ],
  'requests have paths': () => [
    [api.withQuery('/a', { b: 'c d', no: null, none: undefined, empty: '', zero: 0 }), '/a?b=c+d&zero=0'],
    [[api.crawlPath('a/b', '/x'), api.fileLink('/a', { b: 1 })], ['/crawls/a%2Fb/x', '/api/v1/a?b=1']],
  ],
  'urls are found in texts': () => [
    [urlsIn('see https://a.example/b?c or <a href="http://d.example">, ftp://e, https://a.example/b?c'), ['https://a.example/b?c', 'http://d.example']],
  ],
  'tables are written': () => [
    [written('JSONL', [{ a: 1 }, { a: 'é\n' }]), '{"a":1}\n{"a":"é\\n"}\n'],
    [written('CSV', [{ a: 'x,"y"', b: null, c: '=1+1', d: -1 }]), 'a,b,c,d\r\n"x,""y""",,\'=1+1,-1\r\n'],
    [written('Markdown', [{ a: 'x|y\n<b>' }]), '| a |\n| --- |\n| x\\|y \\<b\\> |\n'],
  ],
  'settings are read as their types': () => [
    [['5', ' ', 'x'].map((text) => typed({ type: 'whole number' }, text)), [5, undefined, 'x']],
    [typed({ type: 'list of texts' }, ' a \n\n b'), ['a', 'b']],
  ],
  'words are struck out, or not meant': () => [
    [without('bees, honey, hive', 'honey'), 'bees, hive'], [without('bees "honey bee"', 'honey bee'), 'bees'],
    [without('bees', 'wasp'), 'bees -wasp'], [without('a.b, c', 'a.b'), 'c'],
  ],
  'examples are told apart': () => [
    [examplesIn('https://a.example/ https://b.example/', true).map((one) => one.url), ['https://a.example/', 'https://b.example/']],
    [examplesIn('A text\nwith https://a.example/', false), [{ text: 'A text\nwith https://a.example/', title: 'A text', isGood: false }]],
    [examplesIn('<html>x', true, 'x.html'), [{ html: '<html>x', title: 'x.html', isGood: true }]], [examplesIn('  ', true), []],
    [foldersIn('<DL><H3>A &amp; B</H3><DL><H3>C</H3><DL></DL></DL><H3>D</H3><DL></DL></DL>'), ['A & B', 'A & B/C', 'D']],
  ],
  'it is told when to stop': () => [
    [whenToStop([], null, null), ['Go on: 0 of the 3 useful pages are labelled that the topic needs to learn from.']],
    [whenToStop([...pages(10, { relevant: false, asked: 'best', time: 1 }), ...pages(3, { relevant: true, time: 0 })], { is_used: true, is_settled: true, changed: 0 }, { labelled: 30 }).length, 3],
  ],
  'a crawl has its price': () => [
    [costs({ seeds: [], web: 'live', settings: {} }, (key) => ({ 'limits.max_pages': 0 })[key])[0].value, 'no limit'],
    [costs({ seeds: ['http://a/', 'http://A/b'], web: 'sample', settings: {} }, (key) => ({ 'limits.max_pages': 1000 })[key]).map((one) => one.value), ['1,000', '10 s', 'about 6.0 MB']],
  ],
  'another grid is asked for as a whole': () => {
    const none = new Uint32Array(0);
    const read = { width: 1, last: 9, rows: 50, mark: 0, times: new Float64Array([5, 6]), places: none, pages: none, newest: none };
    const after = (change) => {
      const cells = new columns.Cells();
      cells.take(read);
      return [cells.take({ ...read, ...change }), [1, 2, 99].map((page) => cells.timeOf(page))];
    };
    return [
      [[{}, { last: 10 }].map((change) => after(change)), pages(2, [true, [5, 6, 6]])],
      [[{ width: 2 }, { mark: 1 }, { last: 8 }].map((change) => after(change)[0]), pages(3, false)],
    ];
  },
};

/** @param {any} value */
const plain = (value) => JSON.stringify(value, (_, one) => (one === undefined ? '(undefined)' : one));

/** What is not as it should be. */
export function failures() {
  return Object.entries(CASES).flatMap(([name, given]) =>
    given().filter(([is, should]) => plain(is) !== plain(should)).map(([is, should]) => `${name}: ${plain(is)} is not ${plain(should)}`));
}

/** The cells that are known once one part after the other was taken in. @param {number[][]} parts */
export function known(parts) {
  const cells = new columns.Cells();
  for (const one of parts) cells.take(columns.readCells(new DataView(new Uint8Array(one).buffer)));
  return [cells.last, [...cells.known].map(([place, one]) => [place, one.pages, one.newest]).sort((a, b) => a[0] - b[0])];
}

/** @param {number[]} bytes */
export const rates = (bytes) => [...columns.readCurve(new DataView(new Uint8Array(bytes).buffer)).all];
