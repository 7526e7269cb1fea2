/** Files made of what is shown. */

import { postForFile } from '../api.js';

/** A cell that no spreadsheet takes for a formula. @param {any} value */
function csvCell(value) {
  const text = value === null || value === undefined ? '' : String(value);
  const plain = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** @param {any} value */
const markdownCell = (value) =>
  (value === null || value === undefined ? '' : String(value)).replace(/[\\|`*_<>[\]]/g, '\\$&').replace(/\s+/g, ' ');

/** @type {Record<string, {ending: string, type: string, write: (names: string[], rows: any[]) => string}>} */
const KINDS = {
  CSV: {
    ending: 'csv',
    type: 'text/csv',
    write: (names, rows) =>
      [names, ...rows.map((row) => names.map((name) => row[name]))]
        .map((row) => row.map(csvCell).join(','))
        .join('\r\n') + '\r\n',
  },
  JSONL: {
    ending: 'jsonl',
    type: 'application/jsonl',
    write: (_, rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  },
  Markdown: {
    ending: 'md',
    type: 'text/markdown',
    write: (names, rows) =>
      [names, names.map(() => '---'), ...rows.map((row) => names.map((name) => markdownCell(row[name])))]
        .map((row) => `| ${row.join(' | ')} |\n`)
        .join(''),
  },
};

/** @param {string} kind @param {any[]} rows all with the same keys */
export const written = (kind, rows) => KINDS[kind].write(Object.keys(rows[0] || {}), rows);

export const FILE_KINDS = [...Object.keys(KINDS), 'Parquet'];

/** @param {string} kind @param {any[]} rows @returns {Promise<[string, Blob]>} */
async function fileOf(kind, rows) {
  if (KINDS[kind]) return [KINDS[kind].ending, new Blob([written(kind, rows)], { type: KINDS[kind].type })];
  const columns = Object.keys(rows[0] || {});
  return ['parquet', await postForFile('/tables/parquet', { columns, rows: rows.map((row) => columns.map((name) => row[name] ?? null)) })];
}

/** Have the browser save rows as a file. @param {string} name @param {string} kind @param {any[]} rows */
export async function save(name, kind, rows) {
  const [ending, file] = await fileOf(kind, rows);
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = `${name}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
