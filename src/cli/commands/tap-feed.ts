import { createHash } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { exitCode } from '../exit-code.ts';
import { Failure, systemReason } from '../failure.ts';
import { inHtml, inXml } from './markup.ts';
import { type OpenedTap, openTap } from '../client/client.ts';
import { eachPastMatch, type PastMatch } from './past-matches.ts';
import type { Session } from './session.ts';
import { count } from './count.ts';

export interface FeedFlags {
  /** Seconds. */
  readonly since: number;
  readonly limit: number;
  readonly output?: string;
}

/** `hydrant tap feed`: the matches of a tap as an Atom feed (RFC 4287), an entry a match. */
export async function feed(session: Session, wanted: string | undefined, flags: FeedFlags): Promise<void> {
  const { context, out } = session;
  const { connection, client } = await session.connect();
  const opened = await openTap(connection, client, wanted);
  const matches: PastMatch[] = [];
  await eachPastMatch(session, opened, flags.since, (match) => {
    matches.push(match);
    if (matches.length > flags.limit) matches.shift();
  });
  if (context.closed?.aborted === true) return;
  const text = toAtom(subjectOf(opened, matches), matches);
  if (flags.output === undefined || flags.output === '-') return out.text(text);
  await replace(flags.output, text);
  out.notice(`${flags.output}: ${count(matches.length, 'entry').replace(/ys$/, 'ies')}`);
}

function subjectOf({ tap, token }: OpenedTap, matches: readonly PastMatch[]): FeedSubject {
  if (tap) return { id: tap.id, name: tap.name, since: tap.created_at };
  // Without its name we know no more of a tap than its token, of which nothing may be seen.
  const id = matches[0]?.tapId ?? createHash('sha256').update(token).digest('hex').slice(0, 32);
  return { id, name: 'tap', since: new Date(0).toISOString() };
}

export interface FeedSubject {
  /** Of the tap. */
  readonly id: string;
  readonly name: string;
  /** When a feed without an entry was last changed, ISO-8601. */
  readonly since: string;
}

/** The newest first. An entry keeps its id for as long as the log keeps its match; so does the feed, for ever. */
export function toAtom({ id, name, since }: FeedSubject, matches: readonly PastMatch[]): string {
  const newest = matches.toReversed();
  const entries = newest.map((match) => entryOf(id, match)).join('');
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${idOf(id, 'feed')}</id>
<title>${inXml(`hydrant: ${name}`)}</title>
<updated>${instant(newest[0]?.at ?? since)}</updated>
<author><name>hydrant</name></author>
<generator>hydrant</generator>
${entries}</feed>
`;
}

function entryOf(tapId: string, { id, at, url, title, tags, chunks }: PastMatch): string {
  const terms = tags.map((tag) => `<category term="${inXml(tag)}"/>\n`).join('');
  return `<entry>
<id>${idOf(tapId, id)}</id>
<title>${inXml(title)}</title>
<link rel="alternate" href="${inXml(url)}"/>
<updated>${instant(at)}</updated>
${terms}<content type="html">${inXml(contentOf(chunks))}</content>
</entry>
`;
}

/** HTML, to be escaped once more. */
function contentOf(chunks: PastMatch['chunks']): string {
  return chunks
    .map(({ typ, text }) => {
      const lines = text.split('\n').map(inHtml).join('<br>');
      return `<p><${typ}>${lines}</${typ}></p>`;
    })
    .join('');
}

/** A UUID made of names (RFC 9562, version 5): the same for the same tap and event, and nobody else's. */
function idOf(tapId: string, event: string): string {
  const hash = createHash('sha1').update(`hydrant ${tapId} ${event}`).digest().subarray(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return `urn:uuid:${hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
}

function instant(text: string): string {
  const at = new Date(text);
  return (Number.isNaN(at.getTime()) ? new Date(0) : at).toISOString();
}

/** Written beside and renamed: a server that reads meanwhile has the former feed, never half of one. */
async function replace(file: string, text: string): Promise<void> {
  const beside = `${file}.new`;
  try {
    await writeFile(beside, text);
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw new Failure('unwritable', exitCode.no, `cannot write ${file}: ${systemReason(error)}`, { cause: error });
  }
}
