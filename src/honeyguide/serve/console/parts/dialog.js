/** A dialog of the browser's own kind: focus stays inside, Escape closes, focus goes back. */

import { html, useEffect, useRef } from '../vendor/preact-htm.js';

export function Dialog({ title, onClose, wide = false, children }) {
  const own = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    own.current?.showModal();
    return () => before?.focus?.();
  }, []);
  const outside = (event) => event.target === own.current && onClose();
  return html`<dialog ref=${own} class=${wide ? 'wide' : ''} aria-labelledby="dialog-title" onClose=${onClose} onClick=${outside}>
    <div class="dialog-inside">
      <header class="dialog-head"><h2 id="dialog-title">${title}</h2>
        <button type="button" class="plain" aria-label="Close" onClick=${onClose}>×</button></header>
      ${children}
    </div>
  </dialog>`;
}

/** A question before something that takes long to repair. */
export const Confirm = ({ title, action, onYes, onClose, children }) => html`<${Dialog} title=${title} onClose=${onClose}>
  <div>${children}</div>
  <p class="actions"><button type="button" class="strong" onClick=${() => (onClose(), onYes())}>${action}</button>
    <button type="button" onClick=${onClose}>Cancel</button></p>
<//>`;
