/** A topic map as graph and as tree, the whole of it: focal topics by click, weights by colour and to be edited. */

import { get, post, put } from '../api.js';
import { count, counted, decimal } from '../format.js';
import { useLoaded } from '../loading.js';
import { Empty, Field, Shown, Term, Trouble } from '../parts/basics.js';
import { colour, useTheme } from '../parts/theme.js';
import { say } from '../parts/toast.js';
import { html, useEffect, useRef, useState } from '../vendor/preact-htm.js';

const KINDS = { focal: 'in focus', hierarchy: 'right above or below', other: 'joined otherwise', rest: 'all others' };
const LARGEST = 3_000_000;
const pathOf = (topic, rest) => `/topics/${encodeURIComponent(topic)}${rest}`;
const SMALLEST = 0.3;

/** Colours of the graph, by the theme; however small it is drawn, names can be read. @param {number} zoom */
function looks(zoom) {
  const size = (pixels) => pixels / Math.min(1, Math.max(SMALLEST, zoom));
  return [
    { selector: 'node', style: { label: 'data(label)', 'font-size': size(11), color: colour('text'), 'background-color': colour('edge'), width: size(14), height: size(14), 'text-valign': 'bottom', 'text-margin-y': 3, 'text-wrap': 'ellipsis', 'text-max-width': size(120), 'text-outline-width': size(2), 'text-outline-color': colour('raised') } },
    { selector: 'node[kind = "focal"]', style: { 'background-color': colour('accent'), width: size(30), height: size(30), 'font-weight': 'bold', 'font-size': size(13) } },
    { selector: 'node[kind = "hierarchy"]', style: { 'background-color': colour('plot-2'), width: size(22), height: size(22) } },
    { selector: 'node[kind = "other"]', style: { 'background-color': colour('plot-3'), width: size(18), height: size(18) } },
    { selector: 'edge', style: { width: 1.5, 'line-color': colour('line'), 'curve-style': 'bezier' } },
    { selector: 'edge[?up]', style: { 'line-color': colour('plot-2'), 'target-arrow-shape': 'triangle', 'target-arrow-color': colour('plot-2') } },
  ];
}

/** The graph; who cannot see it has the tree beside it. */
function Graph({ map, onToggle }) {
  const own = useRef(/** @type {HTMLElement | null} */ (null));
  const toggle = useRef(onToggle);
  toggle.current = onToggle;
  const [error, setError] = useState(/** @type {any} */ (null));
  const graph = useRef(/** @type {any} */ (null));
  const theme = useTheme();
  const dress = () => void graph.current?.style(looks(graph.current.zoom()));
  useEffect(dress, [theme]);
  useEffect(() => {
    /** @type {any} */
    let drawn;
    let isOver = false;
    import('../vendor/cytoscape.js').then(({ default: cytoscape }) => {
      if (isOver || !own.current) return;
      drawn = graph.current = cytoscape({
        container: own.current,
        elements: [
          ...map.nodes.map((node) => ({ data: { id: `${node.number}`, label: node.label, kind: node.kind } })),
          ...map.edges.map((edge, at) => ({ data: { id: `e${at}`, source: `${edge.source}`, target: `${edge.target}`, up: edge.is_hierarchy } })),
        ],
        style: looks(1),
        layout: map.nodes.length > 400 ? { name: 'concentric', concentric: (node) => ({ focal: 4, hierarchy: 3, other: 2 })[node.data('kind')] || 1, levelWidth: () => 1 } : { name: 'cose', animate: false, randomize: false, nodeRepulsion: () => 20_000, idealEdgeLength: () => 70 },
      });
      dress();
      drawn.on('resize', () => (drawn.fit(undefined, 20), dress()));
      drawn.on('tap', 'node', (event) => toggle.current(Number(event.target.id())));
    }).catch(setError);
    return () => {
      isOver = true;
      graph.current = null;
      drawn?.destroy();
    };
  }, [map]);
  // The library would put a style into the page, which our policy forbids, unless it finds one by this name.
  return html`<div id="__________cytoscape_stylesheet"><${Trouble} error=${error} /><div class="graph" ref=${own} role="img" aria-label="The map as a graph; the same topics are listed in the tree"></div></div>`;
}

/** The topics below each other, as the hierarchy has them; each once. @param {any} map */
function rows(map) {
  const byNumber = new Map(map.nodes.map((node) => [node.number, node]));
  const below = new Map();
  const hasUpper = new Set();
  for (const edge of map.edges.filter((one) => one.is_hierarchy)) {
    below.set(edge.target, [...(below.get(edge.target) || []), edge.source]);
    hasUpper.add(edge.source);
  }
  const found = [];
  const seen = new Set();
  const walk = (number, depth) => {
    if (seen.has(number) || !byNumber.has(number)) return;
    seen.add(number);
    found.push({ node: byNumber.get(number), depth });
    for (const lower of below.get(number) || []) walk(lower, Math.min(depth + 1, 8));
  };
  for (const node of map.nodes) if (!hasUpper.has(node.number)) walk(node.number, 0);
  for (const node of map.nodes) walk(node.number, 0); // those in a circle
  return found;
}

function Tree({ map, focus, onToggle }) {
  const [words, setWords] = useState('');
  const shown = rows(map).filter(({ node }) => node.label.toLowerCase().includes(words.toLowerCase()));
  return html`<div><p><label>Find a topic <input type="search" value=${words} onInput=${(event) => setWords(event.target.value)} /></label></p>
    <ul class="tree tall" aria-label="Topics of the map" tabindex="0">${shown.slice(0, 1000).map(({ node, depth }) => html`<li key=${node.number} class="class" style=${{ paddingInlineStart: `${words ? 0 : depth * 1.25}rem` }}>
      <label class="class-name"><input type="checkbox" checked=${focus.includes(node.number)} onChange=${() => onToggle(node.number)} /> <span class="dot kind-${node.kind}"></span> <bdi>${node.label}</bdi></label>
      <span class="number quiet">${decimal(node.weight)}</span></li>`)}</ul></div>`;
}

function Loaded({ topic, first }) {
  const [map, setMap] = useState(first);
  const focusOf = (some) => some.nodes.filter((node) => node.kind === 'focal').map((node) => node.number);
  const [focus, setFocus] = useState(/** @type {number[]} */ (focusOf(first)));
  const [weights, setWeights] = useState(/** @type {Record<string, any>} */ (first.weights));
  const [work, setWork] = useState(/** @type {any} */ ({}));
  const toggle = (number) => setFocus((old) => (old.includes(number) ? old.filter((one) => one !== number) : [...old, number]));
  const isChanged = JSON.stringify([[...focus].sort(), weights]) !== JSON.stringify([focusOf(map).sort(), map.weights]);
  const apply = async () => {
    setWork({ isBusy: true });
    try {
      const keys = map.nodes.filter((node) => focus.includes(node.number)).map((node) => node.key);
      const changed = await post(pathOf(topic, '/focus'), { focus: keys, weights });
      setMap(changed);
      setFocus(focusOf(changed));
      setWeights(changed.weights);
      setWork({});
      say(`${counted(keys.length, 'topic')} of ${topic} in focus.`);
    } catch (error) {
      setWork({ error });
    }
  };
  const weigh = (kind) => (event) => setWeights({ ...weights, [kind]: event.target.value === '' && kind === 'rest' ? null : Number(event.target.value) });
  return html`<div class="beside"><section class="card"><h2>The map</h2><p class="quiet">${counted(map.topics, 'topic')}${map.nodes.length < map.topics ? `, the ${count(map.nodes.length)} weightiest shown` : ''}. Click a topic to put it in focus.</p>
      <${Graph} map=${map} onToggle=${toggle} /><ul class="legend">${Object.entries(KINDS).map(([kind, name]) => html`<li key=${kind}><span class="dot kind-${kind}"></span> ${name}</li>`)}</ul></section>
    <aside class="stack" aria-label="Focus and weights"><section class="card"><h2><${Term} word="focus">In focus<//></h2>
        <ul class="words strikes">${map.nodes.filter((node) => focus.includes(node.number)).map((node) => html`<li key=${node.number}><bdi>${node.label}</bdi><button type="button" class="strike" aria-label="Take ${node.label} out of focus" onClick=${() => toggle(node.number)}>×</button></li>`)}</ul>
        <div class="fields">${Object.entries(KINDS).map(([kind, name]) => html`<${Field} key=${kind} id="weight-${kind}" label=${html`<span class="dot kind-${kind}"></span> ${name}`}><input id="weight-${kind}" type="number" min="0" max="1" step="0.05" value=${weights[kind] ?? ''} placeholder="by size" onInput=${weigh(kind)} /><//>`)}</div>
        <${Trouble} error=${work.error} /><p class="actions"><button type="button" class="strong" disabled=${!isChanged || !focus.length || work.isBusy} onClick=${apply}>${work.isBusy ? 'Weighing the topics …' : 'Use this focus'}</button></p></section>
      <section class="card"><h2>As a tree</h2><${Tree} map=${map} focus=${focus} onToggle=${toggle} /></section></aside></div>`;
}

function NewMap({ names, onSaved }) {
  const [name, setName] = useState('');
  const [work, setWork] = useState(/** @type {any} */ ({}));
  const take = async (files) => {
    const file = files[0];
    if (!file || !name) return setWork({ error: new Error(name ? 'Choose a file.' : 'Give the topic a name first.') });
    if (file.size > LARGEST) return setWork({ error: new Error('Maps of more than 3 MB are read by the command line: honeyguide topic new --ontology FILE') });
    setWork({ isBusy: true });
    return put(pathOf(name, '/map'), { text: await file.text() }).then(() => onSaved(name), (error) => setWork({ error }));
  };
  return html`<details class="card fold" open=${!names.length} onDragOver=${(event) => event.preventDefault()} onDrop=${(event) => (event.preventDefault(), take(event.dataTransfer.files))}><summary>A new topic from a map</summary>
    <${Field} id="map-name" label="Name of the topic"><input id="map-name" autocomplete="off" value=${name} pattern="[A-Za-z0-9][A-Za-z0-9._\\-]*" onInput=${(event) => setName(event.target.value)} /><//>
    <${Field} id="map-file" label="The map" help="XTM, or SKOS, OWL or RDFS as RDF/XML, Turtle, N-Triples or JSON-LD; it can be dropped here."><input id="map-file" type="file" aria-describedby="map-file-help" onChange=${(event) => take(event.target.files)} /><//>
    <div role="status">${work.isBusy && html`<p class="quiet">Reading the map …</p>`}</div><${Trouble} error=${work.error} /></details>`;
}

export function TopicMapStep({ topic, onSaved }) {
  const loaded = useLoaded(async () => (topic ? get(pathOf(topic, '/map'), { most: 2000 }) : { nodes: null }), [topic]);
  return html`<div class="stack"><${Shown} loaded=${loaded} what="the map">${(map) => (map.nodes ? html`<${Loaded} key=${topic} topic=${topic} first=${map} />`
    : html`<${Empty} title="There is no topic map yet">A thesaurus or topic map of your field is a topic at once: choose a file below.<//>`)}<//>
    <${NewMap} names=${topic ? [topic] : []} onSaved=${onSaved} /></div>`;
}
