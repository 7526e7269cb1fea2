/** Which view is where. A view is a file of its own, read when it is first opened. */

/**
 * @typedef {{name: string, load: () => Promise<{default: any}>}} View
 */

/** Views of the whole workspace, by the first part of the address. @type {Record<string, View>} */
export const WORKSPACE_VIEWS = {
  '': { name: 'Crawls', load: () => import('./views/home.js') },
  'new-topic': { name: 'New topic', load: () => import('./views/new_topic.js') },
  'new-crawl': { name: 'New crawl', load: () => import('./views/new_crawl.js') },
  reports: { name: 'Reports', load: () => import('./views/reports.js') },
};

/** Views of one crawl: `#/crawls/NAME/VIEW`. @type {Record<string, View>} */
export const CRAWL_VIEWS = {
  monitor: { name: 'Monitor', load: () => import('./views/monitor.js') },
  queue: { name: 'Queue', load: () => import('./views/queue.js') },
  label: { name: 'Label', load: () => import('./views/label.js') },
  results: { name: 'Results', load: () => import('./views/results.js') },
  sql: { name: 'SQL', load: () => import('./views/sql.js') },
};

/** @param {string[]} parts @returns {{view: View | undefined, crawl: string, key: string}} */
export function viewAt(parts) {
  if (parts[0] === 'crawls' && parts[1]) {
    const key = parts[2] || 'monitor';
    return { view: CRAWL_VIEWS[key], crawl: parts[1], key };
  }
  return { view: WORKSPACE_VIEWS[parts[0] || ''], crawl: '', key: parts[0] || '' };
}
