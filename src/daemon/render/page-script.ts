/**
 * What runs inside of a page. `CLOSED_DOORS` runs in the page's own world before any script of it; the others run in a world of
 * their own, where no script of the page has put anything in the place of what they use. The document is the same in both, so
 * properties are read by the accessors of their prototypes: an `<input name=childNodes>` would hide those of its form.
 */

/**
 * Shadow roots are made open, so that they can be read; what makes connections beside HTTP, or goes on behind the page, is not
 * there. The last is for a page's own good: it falls back to what it can use. What holds is the proxy.
 */
export const CLOSED_DOORS = String.raw`(() => {
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (init) {
    return attach.call(this, { ...init, mode: 'open' });
  };
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport', 'WebSocket', 'SharedWorker']) {
    delete globalThis[name];
  }
  delete Navigator.prototype.serviceWorker;
  globalThis.open = () => null;
})()`;

/** Milliseconds for which nothing in the document or its shadow roots has changed; 0 while it is loading. */
export const QUIET_MS = String.raw`(() => {
  const state = (globalThis.__quiet ??= { since: performance.now(), roots: new WeakSet() });
  state.observer ??= new MutationObserver(() => { state.since = performance.now(); });
  const rootOf = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot').get;
  const watch = (root) => {
    if (!state.roots.has(root)) {
      state.roots.add(root);
      state.since = performance.now();
      state.observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
    }
    const all = document.createNodeIterator(root, NodeFilter.SHOW_ELEMENT);
    for (let element = all.nextNode(); element; element = all.nextNode()) {
      const inner = rootOf.call(element);
      if (inner) watch(inner);
    }
  };
  watch(document);
  return document.readyState === 'complete' ? performance.now() - state.since : 0;
})()`;

/** Whether there is an element that the selector matches, in the document or in a shadow root. */
export function isThere(selector: string): string {
  return String.raw`(() => {
    const rootOf = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot').get;
    const has = (root) => {
      if (root.querySelector(${JSON.stringify(selector)})) return true;
      const all = document.createNodeIterator(root, NodeFilter.SHOW_ELEMENT);
      for (let element = all.nextNode(); element; element = all.nextNode()) {
        const inner = rootOf.call(element);
        if (inner && has(inner)) return true;
      }
      return false;
    };
    return has(document);
  })()`;
}

/**
 * The composed tree as a reader sees it, as HTML without shadow roots: their content in the place of their hosts', what is
 * assigned to a slot in the place of the slot. Scripts go, data in JSON stays. Null where it is longer than `most`.
 */
export function flattened(most: number): string {
  return String.raw`(() => {
    const get = (prototype, name) => (node) => Object.getOwnPropertyDescriptor(prototype, name).get.call(node);
    const type = get(Node.prototype, 'nodeType'), children = get(Node.prototype, 'childNodes');
    const parent = get(Node.prototype, 'parentNode'), data = get(CharacterData.prototype, 'data');
    const name = get(Element.prototype, 'localName'), attributes = get(Element.prototype, 'attributes');
    const rootOf = get(Element.prototype, 'shadowRoot');
    const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;
    const RAW = /^(?:script|style|xmp|noembed|noframes|plaintext)$/;
    const LEFT_OUT = /^(?:template|iframe|noscript)$/;
    const NAME = /^[^\s"'<>/=]+$/;
    const text = (value) => value.replace(/[&<>]/g, (one) => (one === '&' ? '&amp;' : one === '<' ? '&lt;' : '&gt;'));
    const quoted = (value) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    const out = [];
    let length = 0;
    const put = (part) => {
      length += part.length;
      out.push(part);
      return length <= ${most};
    };
    // By hand and not by recursion: a page may be nested deeper than the stack.
    const todo = [document.documentElement];
    const push = (nodes) => {
      for (let at = nodes.length - 1; at >= 0; at -= 1) todo.push(nodes[at]);
    };
    put('<!DOCTYPE html>');
    while (todo.length > 0) {
      const next = todo.pop();
      if (typeof next === 'string') {
        if (!put(next)) return null;
        continue;
      }
      const kind = type(next);
      if (kind === 3) {
        const above = parent(next);
        const isRaw = above && type(above) === 1 && RAW.test(name(above));
        if (!put(isRaw ? data(next) : text(data(next)))) return null;
      }
      if (kind !== 1) continue;
      const tag = name(next);
      if (!NAME.test(tag) || LEFT_OUT.test(tag)) continue;
      const list = attributes(next);
      if (tag === 'script' && !/json/.test(list.getNamedItem('type')?.value ?? '')) continue;
      if (tag === 'slot' && next instanceof HTMLSlotElement && next.getRootNode() instanceof ShadowRoot) {
        const given = next.assignedNodes({ flatten: true });
        push(given.length > 0 ? given : children(next));
        continue;
      }
      let start = '<' + tag;
      for (const { name, value } of list) if (NAME.test(name)) start += ' ' + name + '="' + quoted(value) + '"';
      if (!put(start + '>')) return null;
      if (VOID.test(tag)) continue;
      todo.push('</' + tag + '>');
      push(children(rootOf(next) ?? next));
    }
    return out.join('');
  })()`;
}
