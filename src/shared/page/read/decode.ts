import { legacyHookDecode } from '@exodus/bytes/encoding.js';
import sniffEncoding from 'html-encoding-sniffer';

/**
 * Bytes to text, as a browser would: byte order mark, then the Content-Type header, then what the document itself
 * declares (WHATWG HTML, 13.2.3.2), and where nothing does, UTF-8 if the bytes are valid UTF-8, else windows-1252.
 * Bytes that mean nothing become U+FFFD; no input makes this throw.
 *
 * Decided against: Node's TextDecoder for the legacy encodings. It follows ICU, not the Encoding standard, for
 * euc-kr, big5, shift_jis and others.
 */
export function decode(
  bytes: Uint8Array,
  { contentType, xml = false }: { contentType: string; xml?: boolean },
): string {
  const label = charsetOf(contentType);
  const declared = sniffEncoding(bytes, {
    ...(label !== undefined && { transportLayerEncodingLabel: label }),
    defaultEncoding: UNDECLARED,
    ...(xml ? { xml } : { maxPrescanBytes: PRESCAN_BYTES }),
  });
  if (declared === UNDECLARED) return decodeUndeclared(bytes);
  // Bytes beyond ASCII that are valid UTF-8 are nothing else: a `meta` is a part of the template, and outlives a change
  // of what the pages are written in.
  if (label === undefined && !UTF_16.test(declared)) {
    const text = declared === 'UTF-8' ? undefined : utf8Beyond7Bits(bytes);
    if (text !== undefined) return text;
  }
  const native = NATIVE[declared];
  return native ? native().decode(bytes) : legacyHookDecode(bytes, declared);
}

const UNDECLARED = '';

/**
 * The standard's prescan ends after 1,024 bytes, but a browser that meets a later `<meta charset>` starts over with
 * it. Looking further at once comes to the same.
 */
const PRESCAN_BYTES = 32_768;

interface Decoder {
  decode(bytes: Uint8Array): string;
}

const NATIVE: Readonly<Record<string, () => Decoder>> = {
  'UTF-8': () => new TextDecoder('utf-8'),
  'UTF-16LE': () => new TextDecoder('utf-16le'),
  'UTF-16BE': () => new TextDecoder('utf-16be'),
};

const UTF_16 = /^UTF-16/;

/** Undefined where the bytes are no UTF-8, or plain ASCII, which says nothing (ISO-2022-JP is written in it). */
function utf8Beyond7Bits(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.length < bytes.length ? text : undefined;
  } catch {
    return undefined;
  }
}

function decodeUndeclared(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return legacyHookDecode(bytes, 'windows-1252');
  }
}

/** The `charset` parameter of a Content-Type, quoted or not (RFC 9110, 8.3.2). */
function charsetOf(contentType: string): string | undefined {
  const found = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;,]+))/i.exec(contentType);
  return found?.[1] ?? found?.[2] ?? found?.[3];
}
