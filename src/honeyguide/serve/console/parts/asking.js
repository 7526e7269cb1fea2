/** Questions in SQL, as rows that a table can show. */

import { crawlPath, post } from '../api.js';

/**
 * An answer with its rows as objects; names that occur twice are told apart.
 * @param {string} crawl @param {string} question @param {number} [most]
 * @returns {Promise<{names: string[], rows: any[], truncated: boolean}>}
 */
export async function answerTo(crawl, question, most = 1000) {
  const answer = await post(crawlPath(crawl, '/sql'), { question, most_rows: most });
  const names = answer.columns.map((name, at) => (answer.columns.indexOf(name) === at ? name : `${name} ${at + 1}`));
  return {
    names,
    rows: answer.rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]]))),
    truncated: answer.truncated,
  };
}

/** Only the rows. @param {string} crawl @param {string} question */
export const asked = async (crawl, question) => (await answerTo(crawl, question)).rows;
