/** A mail as it came over the wire: enough of MIME for what nodemailer writes, and strict about headers. */
export interface Mail {
  /** Names in lower case, decoded (RFC 2047), one value each. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly html: string;
}

/** Throws for what is no mail with a text and an HTML part. */
export function readMail(raw: string): Mail {
  const { headers, body } = partOf(raw);
  const [, boundary] = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '') ?? [];
  if (boundary === undefined) throw new Error('the mail has no parts');
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => partOf(part.replace(/^\r\n/, '')));
  const ofType = (type: string): string => {
    const found = parts.filter((part) => part.headers.get('content-type')?.startsWith(type));
    if (found.length !== 1 || !found[0]) throw new Error(`${found.length} parts of ${type}`);
    return contentOf(found[0]);
  };
  if (parts.length !== 2) throw new Error(`${parts.length} parts`);
  return { headers, text: ofType('text/plain'), html: ofType('text/html') };
}

interface Part {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

function partOf(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n');
  const headers = new Map<string, string>();
  for (const line of raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const [, name = '', value = ''] = /^([!-9;-~]+):[ \t]*(.*)$/.exec(line) ?? [];
    if (name === '') throw new Error(`no header: ${JSON.stringify(line)}`);
    if (headers.has(name.toLowerCase())) throw new Error(`${name} twice`);
    headers.set(name.toLowerCase(), decodedWords(value));
  }
  return { headers, body: raw.slice(end + 4) };
}

function contentOf({ headers, body }: Part): string {
  const coding = headers.get('content-transfer-encoding') ?? '7bit';
  if (coding === 'base64') return Buffer.from(body, 'base64').toString();
  return (coding === 'quoted-printable' ? quotedPrintable(body.replaceAll('=\r\n', '')) : body).replaceAll(
    '\r\n',
    '\n',
  );
}

function quotedPrintable(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

/** Adjacent encoded words are one text, whose characters may be cut in two by them. */
function decodedWords(value: string): string {
  return value.replaceAll(/=\?utf-8\?[qb]\?[^?]*\?=(?:\s+=\?utf-8\?[qb]\?[^?]*\?=)*/gi, (run) => {
    const words = [...run.matchAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi)];
    const bytes = words.map(([, coding = '', text = '']) =>
      coding.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64')
        : Buffer.from(quotedBytes(text.replaceAll('_', ' ')), 'latin1'),
    );
    return Buffer.concat(bytes).toString();
  });
}

function quotedBytes(text: string): string {
  return text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
