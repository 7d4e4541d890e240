/**
 * Which reader a body gets. The Content-Type header decides; where it is absent or says nothing, the first bytes do,
 * by the table of the WHATWG MIME Sniffing standard (7.1). A header is not believed for bytes that begin like a PDF,
 * an image or an archive: servers say HTML of error pages and downloads, and their bytes would be read as a page of
 * noise. Feeds are told from HTML by their first element, as the same standard does (7.3).
 */
export type MediaType = 'html' | 'xhtml' | 'text' | 'markdown' | 'csv' | 'tsv' | 'json' | 'xml' | 'pdf' | 'other';

/** `url` tells Markdown and tables from other plain text: few servers have a type for them. */
export function mediaTypeOf(contentType: string, bytes: Uint8Array, url = ''): MediaType {
  const essence = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  const start = firstCharacters(bytes);
  if (start.startsWith('%PDF-')) return 'pdf';
  if (MAGIC.some((magic) => start.startsWith(magic)) || start.startsWith('ftyp', 4)) return 'other';
  if (UNKNOWN.has(essence)) return sniffed(start);
  return refined(NAMED.find(([pattern]) => pattern.test(essence))?.[1] ?? 'other', start, url);
}

/** Whether bodies of this type may be read, as far as its name tells: no name, or one that says nothing, leaves it open. */
export function mayBeRead(essence: string): boolean {
  return !essence.includes('/') || UNKNOWN.has(essence) || NAMED.some(([pattern]) => pattern.test(essence));
}

/** What the name of a type leaves open. */
function refined(type: MediaType, start: string, url: string): MediaType {
  if (type === 'html' && FEED.test(start)) return 'xml';
  if (type === 'xml' && isXhtml(start)) return 'xhtml';
  if (type === 'text') return BY_NAME.find(([pattern]) => pattern.test(URL.parse(url)?.pathname ?? ''))?.[1] ?? 'text';
  // Its readers take one that begins within the first 1,024 bytes.
  return type === 'pdf' && !start.slice(0, 1_024).includes('%PDF-') ? 'other' : type;
}

const NAMED: readonly (readonly [RegExp, Exclude<MediaType, 'other'>])[] = [
  [/^text\/html$/, 'html'],
  [/^application\/xhtml\+xml$/, 'xhtml'],
  [/^(?:text\/xml|application\/(?:.+\+)?xml)$/, 'xml'],
  [/^(?:text\/json|application\/(?:.+\+)?json)$/, 'json'],
  [/^text\/(?:x-)?markdown$/, 'markdown'],
  [/^(?:text|application)\/(?:x-)?csv$|^text\/(?:x-)?comma-separated-values$/, 'csv'],
  [/^text\/(?:tab-separated-values|(?:x-)?tsv)$/, 'tsv'],
  [/^text\/plain$/, 'text'],
  [/^application\/(?:x-)?pdf$/, 'pdf'],
];
/** Plain text by the end of its path. */
const BY_NAME: readonly (readonly [RegExp, MediaType])[] = [
  [/\.(?:md|markdown)$/i, 'markdown'],
  [/\.csv$/i, 'csv'],
  [/\.(?:tsv|tab)$/i, 'tsv'],
];
const UNKNOWN = new Set(['', 'unknown/unknown', 'application/unknown', '*/*']);
/** PNG, GIF, JPEG, WebP and WAVE; ZIP with all that is made of it, gzip, RAR, 7z, bzip2; PostScript; Office; fonts; MP3. */
const MAGIC =
  '\u0089PNG|GIF8|\u00FF\u00D8\u00FF|RIFF|PK\u0003\u0004|\u001F\u008B|Rar!|7z\u00BC\u00AF|BZh9|%!PS|\u00D0\u00CF\u0011\u00E0|wOFF|wOF2|OTTO\u0000|ID3\u0003|ID3\u0004'.split(
    '|',
  );
const HTML_TAGS =
  /^(?:<!doctype html|<(?:html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)(?=[\s>/])|<!--)/i;
/** A feed under the name of a page: declaration, comments and style sheets may stand before its first element. */
const FEED = /^(?:\u00EF\u00BB\u00BF)?\s*(?:<\?[^>]*>\s*|<!--(?:[^-]|-(?!->))*-->\s*)*<(?:rss|feed|rdf:RDF)[\s>]/;

function sniffed(start: string): MediaType {
  const text = start.replace(/^(?:\u00EF\u00BB\u00BF)?\s+|^\u00EF\u00BB\u00BF/, '');
  if (HTML_TAGS.test(text)) return 'html';
  if (isXhtml(text)) return 'xhtml';
  if (text.startsWith('<?xml') || FEED.test(text)) return 'xml';
  return hasBinaryData(start) ? 'other' : 'text';
}

function isXhtml(start: string): boolean {
  return /<html[\s>]/i.test(start) && !FEED.test(start);
}

/** The standard's "binary data byte": a control character that no text holds. UTF-16 text has them, after its BOM. */
function hasBinaryData(start: string): boolean {
  if (/^(?:\u00FE\u00FF|\u00FF\u00FE)/.test(start)) return false;
  for (let at = 0; at < start.length; at += 1) {
    const code = start.charCodeAt(at);
    if (code <= 0x08 || code === 0x0b || (code >= 0x0e && code <= 0x1a) || (code >= 0x1c && code <= 0x1f)) return true;
  }
  return false;
}

/** A character a byte, so that signatures can be compared before anyone knows the encoding. */
function firstCharacters(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_445)).toString('latin1');
}
