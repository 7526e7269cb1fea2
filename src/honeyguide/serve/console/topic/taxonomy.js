/** A taxonomy: where examples fit, which classes are good; rename and move by mouse and by keyboard; train again. */

import { getAll, post } from '../api.js';
import { counted, percent } from '../format.js';
import { useLoaded } from '../loading.js';
import { Empty, Field, Outside, Select, Shown, Trouble } from '../parts/basics.js';
import { Dialog } from '../parts/dialog.js';
import { say } from '../parts/toast.js';
import { linkTo } from '../router.js';
import { html, useState } from '../vendor/preact-htm.js';
import { useWork, Working } from './work.js';

const nameOf = (path) => path.split('/').pop();
const parentOf = (path) => path.split('/').slice(0, -1).join('/');
const pathOf = (topic, rest) => `/topics/${encodeURIComponent(topic)}${rest}`;

/** All changes as the server takes them. @param {any[]} changes */
const edits = (changes) => changes.reduce((all, { kind, value }) => ({ ...all, [kind]: [...(all[kind] || []), value] }), {});

const TOLD = {
  good: (one) => `${one} becomes good`, not_good: (one) => `${one} is no longer good`, rename: (one) => `${one.path} is called ${one.to}`,
  move: (one) => `${one.path} goes below ${one.to}`, add: (one) => `${one} is new`, remove: (one) => `${one} is removed`,
  add_example: (one) => `${one.path} gets ${one.examples.urls[0]}`,
};

/** One class: its name, its examples, and what can be done with it. */
function Class({ node, isOpen, hasChildren, onOpen, onChange, onAsk, isGood }) {
  const depth = node.path.split('/').length - 1;
  const drop = (event) => {
    event.preventDefault();
    const path = event.dataTransfer.getData('text/x-class');
    if (path && path !== node.path && parentOf(path) !== node.path && !node.path.startsWith(`${path}/`)) onChange('move', { path, to: node.path });
  };
  return html`<li class="class ${isGood ? 'is-good' : ''}" style=${{ paddingInlineStart: `${depth * 1.25}rem` }} draggable="true"
      onDragStart=${(event) => event.dataTransfer.setData('text/x-class', node.path)} onDragOver=${(event) => event.preventDefault()} onDrop=${drop}>
    ${hasChildren ? html`<button type="button" class="plain fold-button" aria-expanded=${isOpen} aria-label="Classes below ${node.path}" onClick=${onOpen}>${isOpen ? '▾' : '▸'}</button>` : html`<span class="fold-button"></span>`}
    <span class="class-name"><bdi>${nameOf(node.path)}</bdi> ${node.examples > 0 && html`<span class="quiet">${counted(node.examples, 'example')}</span>`}</span>
    <span class="found-end"><button type="button" class="small" aria-pressed=${isGood} onClick=${() => onChange(isGood ? 'not_good' : 'good', node.path)}>good<span class="unseen"> ${node.path}</span></button>
      <button type="button" class="small plain" onClick=${() => onAsk(node)}>Change<span class="unseen"> ${node.path}</span></button></span></li>`;
}

function ChangeDialog({ node, nodes, onChange, onClose }) {
  const [name, setName] = useState(nameOf(node.path));
  const [below, setBelow] = useState(parentOf(node.path));
  const [child, setChild] = useState('');
  const done = (kind, value) => (onChange(kind, value), onClose());
  return html`<${Dialog} title=${node.path} onClose=${onClose}>
    <form onSubmit=${(event) => (event.preventDefault(), done('rename', { path: node.path, to: name }))}><${Field} id="class-name" label="Name"><input id="class-name" value=${name} onInput=${(event) => setName(event.target.value)} /><//>
      <button disabled=${!name.trim() || name === nameOf(node.path) || name.includes('/')}>Rename</button></form>
    <form onSubmit=${(event) => (event.preventDefault(), done('move', { path: node.path, to: below }))}><${Field} id="class-below" label="Below"><select id="class-below" value=${below} onChange=${(event) => setBelow(event.target.value)}>
      ${nodes.filter((one) => one.path !== node.path && !one.path.startsWith(`${node.path}/`)).map((one) => html`<option key=${one.path} value=${one.path}>${one.path}</option>`)}</select><//>
      <button disabled=${!below || below === parentOf(node.path)}>Move</button></form>
    <form onSubmit=${(event) => (event.preventDefault(), done('add', `${node.path}/${child}`))}><${Field} id="class-child" label="Refine: a new class below it"><input id="class-child" value=${child} onInput=${(event) => setChild(event.target.value)} /><//>
      <button disabled=${!child.trim() || child.includes('/')}>Add</button></form>
    <p class="actions"><button type="button" class="danger" onClick=${() => done('remove', node.path)}>Remove the class</button></p><//>`;
}

/** Where examples fit. */
function Fits({ topic, onChange }) {
  const [text, setText] = useState('');
  const [found, setFound] = useState(/** @type {any} */ ({}));
  const ask = async (event) => {
    event.preventDefault();
    setFound({ isBusy: true });
    const texts = text.split(/^\s*-{3,}\s*$/m).map((one) => one.trim().slice(0, 100_000)).filter(Boolean).slice(0, 100);
    setFound(await post(pathOf(topic, '/proposals'), { texts }).then((items) => ({ items, texts: texts.length }), (error) => ({ error })));
  };
  return html`<section class="card" key="fits"><h2>Where do my examples fit?</h2><form onSubmit=${ask}>
      <${Field} id="fit-text" label="Texts of examples" help="Several are parted by a line with three dashes."><textarea id="fit-text" rows="4" aria-describedby="fit-text-help" value=${text} onInput=${(event) => setText(event.target.value)}></textarea><//>
      <button disabled=${!text.trim() || found.isBusy}>${found.isBusy ? 'Looking …' : 'Find their classes'}</button></form>
    <${Trouble} error=${found.error} />
    ${found.items && html`<ul class="reasons" aria-label="Classes that fit">${found.items.map((one) => html`<li key=${one.path}><span>${one.path} <span class="quiet">${one.examples} of ${counted(found.texts, 'example')}, ${percent(one.probability)} sure</span></span>
      <button type="button" class="small" onClick=${() => onChange('good', one.path)}>Mark good<span class="unseen"> ${one.path}</span></button></li>`)}</ul>`}</section>`;
}

const WHERE = { parent: 'above', sibling: 'beside', elsewhere: 'elsewhere in the tree' };

/** Classes around the good ones that would bring more, by the links of a former crawl. */
function Broaden({ topic, crawls, changes, onChange }) {
  const [crawl, setCrawl] = useState(crawls[0] || '');
  const { work, run } = useWork();
  const found = work.done && JSON.parse(work.done.output);
  const isMarked = (path) => changes.some((one) => one.kind === 'good' && one.value === path);
  return html`<section class="card" key="broaden"><h2>Broaden</h2><p class="quiet">Parents, siblings and others that pages on the good classes link to, or are linked from: mark them good, too, to bring more.</p>
    <p class="table-tools"><label>By the links of <${Select} value=${crawl} options=${crawls} onChange=${setCrawl} /></label>
      <button type="button" disabled=${!crawl || Boolean(work.text)} onClick=${() => run(() => post(pathOf(topic, '/suggest'), { crawl, pages: 500 }), 'Reading pages and their links')}>Look</button></p>
    <div role="status">${work.text && html`<p>${work.text} …</p>`}${found && html`<p>${found.ties.length ? `By ${counted(found.pages, 'page')}:` : `None: of ${counted(found.pages, 'page')}, those on the good classes link among themselves.`}</p>`}</div><${Trouble} error=${work.error} />
    ${found?.ties.length > 0 && html`<ul class="reasons" aria-label="Classes around the good ones">${found.ties.map((one) => html`<li key=${one.path}><span>${one.path} <span class="quiet">${WHERE[one.relation]}; gets ${percent(one.cited)} of their links, gives ${percent(one.citing)}</span></span>
      <button type="button" class="small" disabled=${isMarked(one.path)} onClick=${() => onChange('good', one.path)}>${isMarked(one.path) ? 'marked' : 'Mark good'}<span class="unseen"> ${one.path}</span></button></li>`)}</ul>`}</section>`;
}

/** Further examples of the good classes, from a former crawl. */
function Further({ topic, crawls, changes, onChange, onCrawl }) {
  const [crawl, setCrawl] = useState(crawls[0] || '');
  const [rejected, setRejected] = useState(/** @type {string[]} */ ([]));
  const loaded = useLoaded(async () => (crawl ? post(pathOf(topic, '/suggestions'), { crawl }) : []), [topic, crawl]);
  const used = changes.filter((one) => one.kind === 'add_example').map((one) => one.value.examples.urls[0]);
  return html`<section class="card" key="further"><h2>Suggested examples</h2>
    <p><label>From the crawl <${Select} value=${crawl} options=${crawls} onChange=${setCrawl} /></label></p>
    <${Shown} loaded=${loaded} what="pages that may be examples">${(items) => {
      const shown = items.filter((one) => !used.includes(one.url) && !rejected.includes(one.url)).slice(0, 8);
      return shown.length ? html`<ul class="reasons">${shown.map((one) => html`<li key=${one.url}><span><${Outside} url=${one.url}><bdi>${one.title || one.url}</bdi><//> <span class="quiet">${nameOf(one.path)}</span></span>
        <span class="found-end"><button type="button" class="small" onClick=${() => (onCrawl(crawl), onChange('add_example', { path: one.path, examples: { urls: [one.url] } }))}>Accept<span class="unseen"> ${one.title}</span></button>
          <button type="button" class="small" onClick=${() => setRejected([...rejected, one.url])}>Reject<span class="unseen"> ${one.title}</span></button></span></li>`)}</ul>`
        : html`<p class="quiet">No page of this crawl looks like an example of the good classes.</p>`;
    }}<//></section>`;
}

export function Taxonomy({ topic, crawls }) {
  const loaded = useLoaded(async () => (topic ? getAll(pathOf(topic, '/tree'), { most: 1000 }) : []), [topic]);
  const [open, setOpen] = useState(/** @type {Record<string, boolean>} */ ({}));
  const [words, setWords] = useState('');
  const [changes, setChanges] = useState(/** @type {any[]} */ ([]));
  const [asked, setAsked] = useState(/** @type {any} */ (null));
  const [recording, setRecording] = useState('');
  const { work, run } = useWork();
  if (!topic) return html`<${Empty} title="There is no taxonomy yet">Give some <a href=${linkTo(['new-topic'], { step: 'examples' })}>examples</a> and make them a class of the built-in taxonomy, or drop your bookmarks there.<//>`;
  const change = (kind, value) => setChanges((old) => [...old.filter((one) => !(['good', 'not_good'].includes(kind) && ['good', 'not_good'].includes(one.kind) && one.value === value)), { kind, value }]);
  const train = async () => {
    const made = await run(() => post(pathOf(topic, '/tree'), { ...edits(changes), recording: recording ? `crawls/${recording}` : '' }), 'Changing the taxonomy and training it again');
    if (!made) return;
    say(`${topic} is trained again.`);
    setChanges([]);
    loaded.again();
  };
  const isGood = (node) => changes.reduce((good, one) => (one.value === node.path && one.kind === 'good' ? true : one.value === node.path && one.kind === 'not_good' ? false : good), node.is_good);
  return html`<div class="beside"><section class="card"><h2>Classes</h2>
      <p class="quiet">Drag a class onto another to move it, or use “Change”. Nothing changes before you train again.</p>
      <${Shown} loaded=${loaded} what="the classes">${(nodes) => {
        const wanted = words.toLowerCase();
        const goods = nodes.filter(isGood).map((node) => node.path);
        const isShown = (node) => (wanted ? node.path.toLowerCase().includes(wanted) : !parentOf(node.path) || open[parentOf(node.path)] || goods.some((path) => path === node.path || path.startsWith(`${node.path}/`)));
        return html`<div><p><label>Find a class <input type="search" value=${words} onInput=${(event) => setWords(event.target.value)} /></label> <span class="quiet" role="status">${counted(nodes.length, 'class', 'classes')}, ${goods.length} good</span></p>
          <ul class="tree" aria-label="Classes">${nodes.filter(isShown).map((node) => html`<${Class} key=${node.path} node=${node} isGood=${isGood(node)} isOpen=${Boolean(open[node.path])}
            hasChildren=${nodes.some((one) => parentOf(one.path) === node.path)} onOpen=${() => setOpen({ ...open, [node.path]: !open[node.path] })} onChange=${change} onAsk=${setAsked} />`)}</ul>
          ${asked && html`<${ChangeDialog} node=${asked} nodes=${nodes} onChange=${change} onClose=${() => setAsked(null)} />`}</div>`;
      }}<//></section>
    <aside class="stack" aria-label="Changes and advice"><section class="card" key="changes"><h2>Changes</h2>
        ${changes.length ? html`<ul class="reasons">${changes.map((one, at) => html`<li key=${at}><span>${TOLD[one.kind](one.value)}</span><button type="button" class="plain" aria-label="Drop this change: ${TOLD[one.kind](one.value)}" onClick=${() => setChanges(changes.filter((other) => other !== one))}>×</button></li>`)}</ul>` : html`<p class="quiet">None yet.</p>`}
        <p class="actions"><button type="button" class="strong" disabled=${!changes.length || Boolean(work.text)} onClick=${train}>${work.text ? 'At work …' : 'Train again'}</button></p><${Working} work=${work} /></section>
      <${Fits} topic=${topic} onChange=${change} />
      <${Further} topic=${topic} crawls=${crawls} changes=${changes} onChange=${change} onCrawl=${setRecording} />
      <${Broaden} topic=${topic} crawls=${crawls} changes=${changes} onChange=${change} /></aside></div>`;
}
