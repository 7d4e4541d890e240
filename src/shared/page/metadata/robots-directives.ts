/**
 * Directives of `<meta name=robots>` and X-Robots-Tag, lower case, each once: `noindex`, `max-snippet:20`. What is said
 * to all and what is said to us add up; `none` is `noindex` and `nofollow`.
 */
export function metaDirectives(toAll: readonly string[], toUs: readonly string[]): string[] {
  return limited([...toAll, ...toUs].flatMap((content) => content.split(',', DIRECTIVES)));
}

/**
 * In a header, an agent's name and a colon may come first, and what follows is said to that agent alone
 * (`otherbot: noindex, nofollow`).
 */
export function headerDirectives(header: string): string[] {
  let isForUs = true;
  const found: string[] = [];
  for (const part of header.slice(0, HEADER_LENGTH).split(',', DIRECTIVES)) {
    const colon = part.indexOf(':');
    const name = part.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const isAgent = colon !== -1 && !WITH_VALUE.has(name);
    if (isAgent) isForUs = name === 'hydrant' || name === '*';
    if (isForUs) found.push(isAgent ? part.slice(colon + 1) : part);
  }
  return limited(found);
}

/** Directives that have a colon themselves. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
  'unavailable_after',
]);
const DIRECTIVES = 32;
const DIRECTIVE_LENGTH = 80;
const HEADER_LENGTH = 4_000;

function limited(parts: readonly string[]): string[] {
  const directives = parts
    .map((part) => part.slice(0, DIRECTIVE_LENGTH).replace(/\s/g, '').toLowerCase())
    .flatMap((directive) => (directive === 'none' ? ['noindex', 'nofollow'] : directive));
  return [...new Set(directives)].filter(Boolean).slice(0, DIRECTIVES);
}
