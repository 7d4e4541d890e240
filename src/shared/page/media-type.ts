/**
 * Which reader a body gets. The Content-Type header decides; where it is absent or says nothing, the first bytes do,
 * by the table of the WHATWG MIME Sniffing standard (7.1). A header that says HTML is not believed for bytes that
 * begin like a PDF, an image or an archive: servers do that for error pages and downloads, and their bytes would be
 * read as a page of noise.
 */
export type MediaType = 'html' | 'xhtml' | 'text' | 'other';

export function mediaTypeOf(contentType: string, bytes: Uint8Array): MediaType {
  const essence = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  const start = firstCharacters(bytes);
  if (MAGIC.some((magic) => start.startsWith(magic))) return 'other';
  if (essence === 'text/html') return 'html';
  if (essence === 'application/xhtml+xml') return 'xhtml';
  if (essence === 'text/xml' || essence === 'application/xml') return isXhtml(start) ? 'xhtml' : 'other';
  if (essence === 'text/plain') return 'text';
  return UNKNOWN.has(essence) ? sniffed(start) : 'other';
}

const UNKNOWN = new Set(['', 'unknown/unknown', 'application/unknown', '*/*']);
const MAGIC = ['%PDF-', '\u0089PNG', 'GIF8', '\u00FF\u00D8\u00FF', 'PK\u0003\u0004', '\u001F\u008B', 'Rar!', '%!PS'];
const HTML_TAGS =
  /^(?:<!doctype html|<(?:html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)(?=[\s>/])|<!--)/i;

function sniffed(start: string): MediaType {
  const text = start.replace(/^(?:\u00EF\u00BB\u00BF)?\s+|^\u00EF\u00BB\u00BF/, '');
  if (HTML_TAGS.test(text)) return 'html';
  if (isXhtml(text)) return 'xhtml';
  if (text.startsWith('<?xml')) return 'other';
  return hasBinaryData(start) ? 'other' : 'text';
}

function isXhtml(start: string): boolean {
  return /<html[\s>]/i.test(start);
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
  return String.fromCharCode(...bytes.subarray(0, 1_445));
}
