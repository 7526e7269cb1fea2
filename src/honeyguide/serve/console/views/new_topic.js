/** New topic: to come. */

import { Empty } from '../parts/basics.js';
import { html } from '../vendor/preact-htm.js';

export default function View() {
  return html`<h1>New topic</h1><${Empty} title="Not here yet">Use the command line or the API until it is.<//>`;
}
