/** The one door to the server: the REST API, its problems, its live events, and whether it can be reached at all. */

const BASE = '/api/v1';
const RETRY_MILLISECONDS = 1000;

/** What the server says is wrong, in the words of the command line. */
export class Problem extends Error {
  /** @param {number} status @param {string} detail */
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

/** The server did not answer; whoever sees this waits for `connection` to mend. */
export class Lost extends Problem {
  constructor() {
    super(0, 'The server does not answer. It is asked again every second.');
  }
}

/** Whether the server answers. Told to whoever subscribes, at once in both directions. */
export const connection = {
  isLost: false,
  /** @type {Set<(isLost: boolean) => void>} */
  watchers: new Set(),
  /** @param {(isLost: boolean) => void} watcher */
  watch(watcher) {
    connection.watchers.add(watcher);
    return () => void connection.watchers.delete(watcher);
  },
};

/** @param {boolean} isLost */
function tell(isLost) {
  if (connection.isLost === isLost) return;
  connection.isLost = isLost;
  for (const watcher of [...connection.watchers]) watcher(isLost);
  if (isLost) setTimeout(ask, RETRY_MILLISECONDS);
}

/** Ask whether it is there again, until it is. */
async function ask() {
  try {
    const answer = await fetch(`${BASE}/session`, { cache: 'no-store' });
    if (answer.status < 500) return tell(false);
  } catch { /* still lost */ }
  setTimeout(ask, RETRY_MILLISECONDS);
}

/** @type {() => void} what to do when the session has ended */
let onLoggedOut = () => {};
/** @param {() => void} action */
export const whenLoggedOut = (action) => void (onLoggedOut = action);

/**
 * @param {string} path @param {RequestInit} how
 * @returns {Promise<Response>}
 */
async function send(path, how) {
  let answer;
  try {
    answer = await fetch(BASE + path, how);
  } catch (error) {
    if (how.signal?.aborted) throw error;
    tell(true);
    throw new Lost();
  }
  tell(false);
  if (answer.ok) return answer;
  const said = await answer.json().catch(() => ({}));
  if (answer.status === 401 && path !== '/session') onLoggedOut();
  const details = [said.detail || said.title || `HTTP ${answer.status}`, ...(said.errors || [])];
  throw new Problem(answer.status, details.join('; '));
}

/**
 * A path with a query; what is undefined, null or empty is left out.
 * @param {string} path @param {Record<string, any>} [query]
 */
export function withQuery(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return text ? `${path}?${text}` : path;
}

/** @param {Response} answer */
const bodyOf = async (answer) => (answer.status === 204 ? null : answer.json());

/** @param {string} path @param {Record<string, any>} [query] @param {AbortSignal} [signal] @returns {Promise<any>} */
export const get = async (path, query, signal) => bodyOf(await send(withQuery(path, query), { signal }));

/** @param {string} path @param {Record<string, any>} [query] @returns {Promise<string>} */
export const getText = async (path, query) => (await send(withQuery(path, query), {})).text();

/** @param {string} path @param {Record<string, any>} [query] @returns {Promise<DataView>} */
export const getBytes = async (path, query) =>
  new DataView(await (await send(withQuery(path, query), {})).arrayBuffer());

/** @param {string} method @param {any} body @returns {RequestInit} */
const json = (method, body) => (body === undefined ? { method } : { method, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } });

/** @param {string} method @returns {(path: string, body?: any) => Promise<any>} */
const sender = (method) => async (path, body) => bodyOf(await send(path, json(method, body)));
export const post = sender('POST');

/** What the server makes of something, as a file. @param {string} path @param {any} body @returns {Promise<Blob>} */
export const postForFile = async (path, body) => (await send(path, json('POST', body))).blob();
export const put = sender('PUT');
export const remove = sender('DELETE');

/** The address of a file that the browser is to save. @param {string} path @param {Record<string, any>} [query] */
export const fileLink = (path, query) => BASE + withQuery(path, query);

/** The path of a crawl in the API. @param {string} name @param {string} [rest] */
export const crawlPath = (name, rest = '') => `/crawls/${encodeURIComponent(name)}${rest}`;

/** All of a list that is given in parts. @param {string} path @param {Record<string, any>} [query] @returns {Promise<any[]>} */
export async function getAll(path, query = {}) {
  const found = [];
  for (let cursor; ;) {
    const part = await get(path, { ...query, cursor });
    found.push(...part.items);
    if (part.next === null) return found;
    cursor = part.next;
  }
}

/**
 * Live events. When the stream breaks, the server is looked for, and the stream begins again once it is there.
 * @param {string} path @param {Record<string, (data: any) => void>} handlers
 * @returns {() => void} ends it
 */
export function events(path, handlers) {
  /** @type {EventSource | null} */
  let source = null;
  let timer = 0;
  let isOver = false;
  const begin = () => {
    if (isOver) return;
    source = new EventSource(BASE + path);
    for (const [kind, handle] of Object.entries(handlers)) {
      source.addEventListener(kind, (event) => handle(JSON.parse(/** @type {MessageEvent} */ (event).data)));
    }
    source.onopen = () => tell(false);
    source.onerror = () => {
      source?.close();
      if (isOver) return;
      get('/session').catch(() => {}); // says that the server is lost, if it is
      timer = window.setTimeout(begin, RETRY_MILLISECONDS);
    };
  };
  begin();
  return () => {
    isOver = true;
    clearTimeout(timer);
    source?.close();
  };
}

/**
 * Wait for a job of the server to end, telling how it goes.
 * @param {any} job as the server gave it @param {(job: any) => void} [onChange]
 */
export async function finished(job, onChange = () => {}) {
  for (;;) {
    const now = await get(`/jobs/${encodeURIComponent(job.id)}`);
    onChange(now);
    if (now.state !== 'running') return now;
    await new Promise((done) => setTimeout(done, 500));
  }
}
