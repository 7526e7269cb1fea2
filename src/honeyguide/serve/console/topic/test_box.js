/** A box to test a topic: paste a text, or name a page of a crawl, and see its relevance and why. */

import { post } from '../api.js';
import { decimal, percent } from '../format.js';
import { useLoaded, useRested } from '../loading.js';
import { Empty, Field, Meter, Select, Shown } from '../parts/basics.js';
import { html, useState } from '../vendor/preact-htm.js';

export function TestBox({ topic, crawls }) {
  const [given, setGiven] = useState({ text: '', crawl: crawls[0] || '' });
  const isUrl = /^\s*https?:\/\/\S+\s*$/.test(given.text);
  const question = useRested(JSON.stringify(isUrl ? { crawl: given.crawl, url: given.text.trim() } : { text: given.text.trim().slice(0, 1_000_000) }));
  const told = useLoaded(async () => {
    const asked = JSON.parse(question);
    return topic && (asked.text || (asked.url && asked.crawl)) ? post(`/topics/${encodeURIComponent(topic)}/explain`, asked) : { summary: null };
  }, [topic, question]);
  if (!topic) return html`<div></div>`;
  return html`<div class="columns"><section class="card">
      <${Field} id="test-text" label="A text, or the url of a page" help="It is judged while you type.">
        <textarea id="test-text" rows="12" aria-describedby="test-text-help" value=${given.text} onInput=${(event) => setGiven({ ...given, text: event.target.value })}></textarea><//>
      ${isUrl && crawls.length > 0 && html`<${Field} id="test-crawl" label="Taken from the crawl"><${Select} id="test-crawl" value=${given.crawl} options=${crawls} onChange=${(crawl) => setGiven({ ...given, crawl })} /><//>`}</section>
    <section class="card" aria-live="polite"><h2>How relevant it is, and why</h2><${Shown} loaded=${told} what="what the topic says">${(found) => (found.summary === null
      ? html`<${Empty} title="Nothing to judge yet">${isUrl ? 'No crawl has pages yet: paste the text of this one.' : 'Paste a text on the topic, then one that only looks like it.'}<//>`
      : html`<div><p class="verdict"><${Meter} value=${found.relevance} /> <strong class=${found.is_relevant ? 'up' : 'down'}>${found.is_relevant ? 'relevant' : 'not relevant'}</strong>
          <span class="quiet">relevant from ${percent(found.relevant_above)} on${found.topic_class ? `; class ${found.topic_class}` : ''}</span></p>
        <p>${found.summary}</p>
        <dl class="parts">${found.parts.filter(([, number]) => number).slice(0, 30).map(([label, number], at) => html`<dt key=${at}><bdi>${label}</bdi></dt><dd key=${`${at}n`} class="number">${decimal(number)}</dd>`)}</dl></div>`)}<//></section></div>`;
}
