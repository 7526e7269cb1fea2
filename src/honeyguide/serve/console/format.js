/** Numbers with their units, and times as the reader's clock has them. */

const whole = new Intl.NumberFormat('en');
const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** @param {number | null | undefined} value */
export const count = (value) => (value === null || value === undefined ? '–' : whole.format(Math.round(value)));

/** @param {number} value @param {string} one @param {string} [many] */
export const counted = (value, one, many = `${one}s`) => `${count(value)} ${Math.round(value) === 1 ? one : many}`;

/** @param {number | null | undefined} value a share of one */
export const percent = (value) =>
  value === null || value === undefined ? '–' : `${(value * 100).toFixed(value > 0 && value < 0.1 ? 1 : 0)} %`;

/** @param {number | null | undefined} value a relevance or another number of about one */
export const decimal = (value) => (value === null || value === undefined ? '–' : value.toFixed(2));

/** @param {number} value */
export function bytes(value) {
  let unit = 0;
  let left = value;
  while (left >= 1000 && unit < UNITS.length - 1) {
    left /= 1000;
    unit++;
  }
  return `${unit && left < 10 ? left.toFixed(1) : Math.round(left)} ${UNITS[unit]}`;
}

/** @param {number} seconds */
export function duration(seconds) {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129600) return `${(seconds / 3600).toFixed(1)} h`;
  return `${Math.round(seconds / 86400)} days`;
}

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** @param {number | null | undefined} seconds since 1970 */
export const time = (seconds) => (seconds ? moment.format(new Date(seconds * 1000)) : '–');

/** What to show on hovering over a time. @param {number | null | undefined} seconds */
export const timeHint = (seconds) =>
  seconds ? `${time(seconds)}, ${zone} (your time); ${new Date(seconds * 1000).toISOString()}` : '';

/** @param {number | null | undefined} seconds since 1970 */
export function ago(seconds) {
  if (!seconds) return 'never';
  const past = Date.now() / 1000 - seconds;
  return past < 2 ? 'just now' : `${duration(past)} ago`;
}

/** A url without what everybody knows, for where space is short. @param {string} url */
export const shortUrl = (url) => url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '') || url;

/** An address that a link may have: a page's url may be anything. @param {string} url */
export const safeLink = (url) => (/^https?:\/\//i.test(url) ? url : undefined);
