/** What the tests look for in a page; evaluated there as one expression. */
({
  /** Texts that are cut, or stand beyond their box or the screen; what scrolls in a place of its own does not count. */
  overflow() {
    const found = [];
    const wide = document.documentElement.clientWidth;
    const all = document.documentElement.scrollWidth;
    if (all > wide) found.push(`the page is ${all} wide`);
    const isScrolled = (own) => own && (/auto|scroll/.test(getComputedStyle(own).overflowX) || isScrolled(own.parentElement));
    for (const own of document.querySelectorAll('.card :is(input, select, textarea, button)')) {
      const [end, most] = [own, own.closest('.card')].map((one) => one.getBoundingClientRect().right);
      if (end > most && !isScrolled(own) && !own.matches('.unseen')) found.push(`beyond its card: ${own.outerHTML.slice(0, 80)}`);
    }
    for (const own of document.querySelectorAll('body *')) {
      const hasText = [...own.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
      if (!hasText || !own.getClientRects().length || own.closest('.unseen, .skip, svg, .u-wrap, option, script')) continue;
      const style = getComputedStyle(own);
      if (style.visibility === 'hidden' || isScrolled(own)) continue;
      const name = `${own.tagName} ${own.className}: ${own.textContent.trim().slice(0, 60)}`;
      if (own.clientWidth && own.scrollWidth > own.clientWidth + 1) found.push(`${own.scrollWidth} > ${own.clientWidth} ${name}`);
      const isHidden = /hidden|clip/.test(style.overflowY) && style.webkitLineClamp === 'none';
      if (isHidden && own.clientHeight && own.scrollHeight > own.clientHeight + 1) found.push(`cut below: ${name}`);
      const { left, right } = own.getBoundingClientRect();
      if (left < -1 || right > wide + 1) found.push(`from ${left} to ${right} of ${wide}: ${name}`);
    }
    return found.slice(0, 5);
  },

  /** Number everything that a keyboard should reach, and tell how much that is. */
  reachable() {
    const all = document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"], iframe');
    const shown = [...all].filter((own) => !own.disabled && own.checkVisibility({ visibilityProperty: true })
      && !(own.type === 'radio' && !own.checked));
    shown.forEach((own, at) => (own.dataset.at = String(at)));
    document.activeElement.blur();
    scrollTo(0, 0);
    return shown.length;
  },

  /** What has the focus, whether that shows, and whether it is on the screen and not under the head of the page. */
  focused() {
    const own = document.activeElement;
    if (!own || own === document.body) return null;
    const shows = (one) => one && getComputedStyle(one).outlineStyle !== 'none' && parseFloat(getComputedStyle(one).outlineWidth) >= 2;
    const { top, bottom, left, right } = own.getBoundingClientRect();
    const head = own.closest('.head, dialog') ? 0 : document.querySelector('.head')?.getBoundingClientRect().bottom || 0;
    return {
      at: own.dataset.at,
      isMarked: shows(own) || shows(own.closest('label')),
      isSeen: bottom > head && top < innerHeight && right > 0 && left < innerWidth,
      name: `${own.tagName} ${own.className} ${own.textContent.slice(0, 40)} ${[top, bottom, head].map(Math.round)}`,
    };
  },
})
