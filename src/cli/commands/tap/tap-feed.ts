import { createHash } from 'node:crypto';
import { type AtomEntry, atomFeed } from '../../changes/atom.ts';
import { escaped } from '../../changes/markup.ts';
import { type OpenedTap, openTap } from '../../client/found.ts';
import { writeWhole } from '../../written-file.ts';
import { eachPastMatch, type PastMatch } from '../past-matches.ts';
import type { Session } from '../session.ts';
import { count } from '../count.ts';

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
  await writeWhole(flags.output, text);
  out.notice(`${flags.output}: ${count(matches.length, 'entry')}`);
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
  const entries = matches.toReversed().map((match): AtomEntry => {
    const { at, url, title, tags, chunks } = match;
    return { key: `${id}/${match.id}`, at, url, title, tags, content: contentOf(chunks) };
  });
  return atomFeed({ key: id, title: `hydrant: ${name}`, url: undefined, since, entries });
}

/** HTML. */
function contentOf(chunks: PastMatch['chunks']): string {
  return chunks
    .map(({ typ, text }) => {
      const lines = text.split('\n').map(escaped).join('<br>');
      return `<p><${typ}>${lines}</${typ}></p>`;
    })
    .join('');
}
