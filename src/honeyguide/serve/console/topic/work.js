/** Work of the server on a topic, as somebody waits for it: what it does, what went wrong, what came of it. */

import { finished } from '../api.js';
import { Trouble } from '../parts/basics.js';
import { complaint } from '../parts/learning.js';
import { html, useState } from '../vendor/preact-htm.js';

/** Run a job, and tell how it stands. @returns {{work: any, run: (begin: () => Promise<any>, text: string) => Promise<any>}} */
export function useWork() {
  const [work, setWork] = useState(/** @type {any} */ ({}));
  const run = async (begin, text) => {
    setWork({ text });
    try {
      const begun = await begin();
      const job = begun?.id ? await finished(begun, (now) => setWork({ text, log: now.log })) : begun;
      if (job?.id && job.state !== 'done') throw complaint(job);
      setWork({ done: job });
      return job;
    } catch (error) {
      setWork({ error });
      return null;
    }
  };
  return { work, run };
}

/** The last lines that matter of what a job said. @param {string} log */
const lastLine = (log) => (log || '').trim().split('\n').filter((line) => !/^(try|use) it:/.test(line)).pop() || '';

export const Working = ({ work }) => html`<div role="status" class="working">
  ${work.text && html`<p>${work.text} … <span class="quiet">${lastLine(work.log)}</span></p>`}
  ${work.done?.output && html`<p class="quiet">${lastLine(work.done.output)}</p>`}
  <${Trouble} error=${work.error} /></div>`;
