/**
 * Web archives, as hydrant reads them: bytes of a WARC file (ISO 28500: 1.0 and 1.1, and its drafts 0.17 and 0.18)
 * come in, records go out, one at a time, each with the place it was found at. What is damaged is told and stepped
 * over: the next line that begins with `WARC/` begins the next record. Nothing here knows files or packing, so that
 * the command line reads archives with it, the daemon the one record that it is sent, and a test any bytes at all.
 *
 * Decided against: a package (docs/decisions/0008-archives.md tells why).
 */
export interface WarcHead {
  /** `1.0`, `1.1`. */
  readonly version: string;
  /** Names in lower case; of a repeated field the first. */
  readonly fields: ReadonlyMap<string, string>;
  /** Bytes of the block that follows. */
  readonly length: number;
}

/** A head without its empty line. Or the sentence that tells why it is none. */
export function readWarcHead(text: string): WarcHead | string {
  const [first = '', ...lines] = text.split(/\r?\n/);
  const version = /^WARC\/(\d{1,3}\.\d{1,3})\s*$/.exec(first)?.[1];
  if (version === undefined) return 'a record begins without its WARC/ line';
  const fields = fieldsOf(lines);
  const length = fields.get('content-length') ?? '';
  if (!/^\d{1,15}$/.test(length)) return 'a record does not say how long it is';
  return { version, fields, length: Number(length) };
}

/** Lines that begin with a space go on with the one before (RFC 2822, 2.2.3). What has no colon is left out. */
function fieldsOf(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  let last: string | undefined;
  for (const line of lines) {
    if (/^[ \t]/.test(line)) {
      if (last !== undefined) fields.set(last, `${fields.get(last) ?? ''} ${line.trim()}`.trim());
      continue;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    last = name === '' || fields.has(name) ? undefined : name;
    if (last !== undefined) fields.set(last, line.slice(colon + 1).trim());
  }
  return fields;
}

/** `response`, `request`, `warcinfo`…; empty where the record does not say. */
export function typeOf({ fields }: WarcHead): string {
  return (fields.get('warc-type') ?? '').toLowerCase();
}
