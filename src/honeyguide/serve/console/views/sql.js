/** Questions in SQL: written here or chosen, kept, shared by their address, answered as table and chart. */

import { get } from '../api.js';
import { decimal } from '../format.js';
import { useLoaded } from '../loading.js';
import { answerTo } from '../parts/asking.js';
import { Bars } from '../parts/bars.js';
import { Empty, Field, Outside, Shown, Time } from '../parts/basics.js';
import { Table } from '../parts/table.js';
import { say } from '../parts/toast.js';
import { setQuery } from '../router.js';
import { html, useEffect, useState } from '../vendor/preact-htm.js';

const KEY = 'honeyguide-questions';
const QUESTIONS = {
  'Which sites are dense?': `select site, sum(relevant) as relevant, sum(pages) as pages, 1.0 * sum(relevant) / sum(pages) as density
from hosts group by site having sum(pages) >= 5
order by density desc, relevant desc limit 20`,
  'Which topics surround mine?': `select target.topic_class, count(*) as links, count(distinct target.id) as pages
from pages as source
join links on links.source_id = source.id
join pages as target on target.id = links.target_id
where source.relevant and not target.relevant and target.topic_class != ''
group by target.topic_class order by links desc limit 10`,
  'Why is the harvest falling?': `select number / 100 * 100 as from_page, avg(relevant) as harvest, avg(depth) as depth, count(distinct host) as hosts
from pages group by 1 order by 1`,
  'Which good pages’ neighbours were never fetched?': `select urls.url, count(*) as links, max(urls.priority) as priority
from pages join links on links.source_id = pages.id
join urls on urls.id = links.target_id
where pages.relevant and urls.status = 'queued'
group by urls.id order by links desc limit 50`,
  'How far from the seeds are good pages?': `select depth, count(*) as pages, sum(relevant) as relevant, avg(relevance) as mean
from pages group by depth order by depth`,
  'Which languages came?': `select language, count(*) as pages, sum(relevant) as relevant from pages group by language order by pages desc`,
};

/** @returns {Record<string, string>} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY) || '{}');
  } catch {
    return {};
  }
}

/** @param {Record<string, string>} questions */
function keep(questions) {
  try {
    localStorage.setItem(KEY, JSON.stringify(questions));
  } catch {
    say('This browser keeps nothing; the address of this view has the question, too.', { kind: 'bad' });
  }
}

/** Seconds since 1970, by the name of the column. @param {string} name @param {any} value */
const isTime = (name, value) => /(^|_)(time|until)$/.test(name) && typeof value === 'number' && value > 1e8;

function Views() {
  const loaded = useLoaded(() => get('/sql/views'), []);
  return html`<details class="card"><summary>What can be asked</summary>
    <${Shown} loaded=${loaded} what="the tables">${(views) =>
      html`<div>${views.map(
        (view) => html`<details key=${view.name}>
      <summary><code>${view.name}</code> <span class="quiet">${view.meaning}</span></summary>
      <dl class="parts named">${Object.entries(view.columns).map(([name, meaning]) => html`<dt key=${name}><code>${name}</code></dt><dd key=${`${name}m`}>${meaning}</dd>`)}</dl>
    </details>`,
      )}</div>`}<//></details>`;
}

function Answer({ answer }) {
  const isNumber = (name) =>
    answer.rows.some((row) => typeof row[name] === 'number') &&
    answer.rows.every((row) => row[name] === null || typeof row[name] === 'number');
  const columns = answer.names.map((name) => ({
    key: name,
    name,
    isNumber: isNumber(name),
    value: (row) => row[name],
    show: (row) =>
      /^https?:\/\//.test(String(row[name]))
        ? html`<${Outside} url=${row[name]}>${row[name]}<//>`
        : isTime(name, row[name]) ? html`<${Time} at=${row[name]} exact />`
          : typeof row[name] === 'number' && !Number.isInteger(row[name]) ? decimal(row[name]) : String(row[name] ?? ''),
  }));
  const numbers = answer.names.filter(isNumber);
  const [chosen, setChosen] = useState('');
  const label = answer.names[0];
  const value = numbers.includes(chosen) ? chosen : numbers.find((name) => name !== label);
  return html`<div class="stack">
    ${answer.truncated && html`<p class="advice">There are more rows; these are the first ${answer.rows.length}.</p>`}
    <${Table} name="answer" caption="Answer" columns=${columns} rows=${answer.rows} empty=${html`<${Empty} title="No rows">The question was understood; nothing fits it.<//>`} />
    ${
      value &&
      answer.rows.length > 1 &&
      html`<section class="card"><div class="card-head"><h2>As a chart</h2>
      <label>of <select value=${value} onChange=${(event) => setChosen(event.target.value)}>${numbers.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}</select></label></div>
      <${Bars} caption=${`${value} by ${label}`} rows=${answer.rows.slice(0, 60).map((row) => ({ name: String(row[label] ?? ''), value: row[value] || 0, shown: Number.isInteger(row[value]) ? undefined : decimal(row[value]) }))} />
    </section>`
    }
  </div>`;
}

export default function Sql({ crawl, place }) {
  const question = place.query.q || '';
  const [text, setText] = useState(question || QUESTIONS['Which sites are dense?']);
  const [own, setOwn] = useState(kept);
  useEffect(() => {
    if (question) setText(question);
  }, [question]);
  const loaded = useLoaded(
    async () => (question ? answerTo(crawl, question) : { names: [], rows: [], truncated: false }),
    [crawl, question, place.query.turn],
  );
  const ask = (event) => {
    event?.preventDefault();
    if (text === question) loaded.again();
    else setQuery({ q: text, 'answer-sort': '', 'answer-filter': '' });
  };
  const change = (questions) => (keep(questions), setOwn(questions));
  const name = text.replace(/\s+/g, ' ').trim().slice(0, 60);
  const all = { ...QUESTIONS, ...own };
  return html`<div class="stack"><div><h1>SQL</h1><p class="quiet">Questions only read, in a process of their own with limits; the crawl does not notice. The address of this view can be shared.</p></div>
    <form class="card" onSubmit=${ask}>
      <${Field} id="saved" label="Questions"><select id="saved" value="" onChange=${(event) => event.target.value && setText(all[event.target.value])}>
        <option value="">Choose one to begin with</option>
        ${Object.keys(all).map((one) => html`<option key=${one} value=${one}>${one in own ? `★ ${one}` : one}</option>`)}</select><//>
      <${Field} id="question" label="Question" help="Ctrl+Enter asks.">
        <textarea id="question" class="code" rows="7" spellcheck="false" aria-describedby="question-help" value=${text} onInput=${(event) => setText(event.target.value)}
          onKeyDown=${(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && ask(event)}></textarea><//>
      <p class="actions"><button class="strong">Ask</button>
        <button type="button" onClick=${() => (change({ ...own, [name]: text }), say('The question is kept in this browser.'))}>Keep this question</button>
        ${name in own && html`<button type="button" class="plain danger" onClick=${() => change(Object.fromEntries(Object.entries(own).filter(([key]) => key !== name)))}>Forget it</button>`}</p>
    </form>
    ${question && html`<${Shown} loaded=${loaded} what="the answer">${(answer) => html`<${Answer} answer=${answer} />`}<//>`}
    <${Views} /></div>`;
}
