/**
 * Where a page leads that says `<meta http-equiv="refresh" content="0; url=…">`: with no seconds to wait it is a redirect
 * that nobody reads, written by who cannot set a status. Only what a browser that runs scripts would obey counts: nothing
 * in a comment, a script, a `noscript`; nothing with a second or more to wait, which is a page that is read before.
 * Undefined where it says no such thing, or names no address (it is to be loaded again).
 */
export function refreshTarget(bytes: Uint8Array, contentType: string): string | undefined {
  if (!/^\s*(?:text\/html|application\/xhtml\+xml|;|$)/i.test(contentType)) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, LOOKED_AT)).toString();
  if (!/http-equiv/i.test(text)) return undefined;
  for (const tag of metaTags(text)) {
    const { 'http-equiv': kind = '', content = '' } = attributesOf(tag);
    if (kind.trim().toLowerCase() !== 'refresh') continue;
    // The first one counts.
    return targetIn(content);
  }
  return undefined;
}

/** What stands in each `<meta …>` that is an element. */
function* metaTags(text: string): Generator<string> {
  const lower = text.toLowerCase();
  const opening = /<(?:!--|(meta|noscript|script|style|template|title|textarea|body)(?=[\s/>]))/gi;
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const name = found[1]?.toLowerCase();
    if (name === 'body') return;
    const from = opening.lastIndex;
    if (name === 'meta') {
      const end = endOfTag(text, from);
      yield text.slice(from, end);
      opening.lastIndex = end;
      continue;
    }
    const closing = name === undefined ? '-->' : `</${name}`;
    const end = lower.indexOf(closing, from);
    if (end === -1) return;
    opening.lastIndex = end + closing.length;
  }
}

/** The `>` that no quotation marks hold. */
function endOfTag(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '>') return at;
    else if ((character === '"' || character === "'") && /=\s*$/.test(text.slice(Math.max(from, at - 10), at)))
      quote = character;
  }
  return text.length;
}

function attributesOf(tag: string): Record<string, string> {
  const attributes: Record<string, string> = Object.create(null) as Record<string, string>;
  const attribute = /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g;
  for (const [, name = '', double, single, bare] of tag.matchAll(attribute)) {
    attributes[name.toLowerCase()] ??= unescaped(double ?? single ?? bare ?? '');
  }
  return attributes;
}

/** `0; url=…` as the HTML standard reads it ("shared declarative refresh steps"). */
function targetIn(content: string): string | undefined {
  const [, seconds = '', rest = ''] = /^\s*(\d*)[\d.]*\s*[;,]?\s*(.*)$/s.exec(content) ?? [];
  if (Number(seconds) !== 0 || !/^\s*[\d.]/.test(content)) return undefined;
  const named = rest.replace(/^url\s*=\s*/i, '');
  const quote = /^["']/.exec(named)?.[0];
  const target = quote === undefined ? named : (named.slice(1).split(quote, 1)[0] ?? '');
  return target.trim() === '' ? undefined : target.trim();
}

/** The references that stand in addresses. */
function unescaped(value: string): string {
  return value
    .replaceAll(/&(?:amp|#38|#x26);/gi, '&')
    .replaceAll(/&(?:quot|#34|#x22);/gi, '"')
    .replaceAll(/&(?:apos|#39|#x27);/gi, "'");
}

/** Characters of a page in which such an element stands, if it has one. */
const LOOKED_AT = 16_384;
