import type { Feed, FeedEntry } from './feed.ts';
import { escaped } from './markup.ts';
import type { PastMatch } from './past-match.ts';

/** The tap of a feed. */
export interface FeedSubject {
  /** Of the tap. */
  readonly id: string;
  readonly name: string;
  /** When a feed without an entry was last changed, ISO-8601. */
  readonly since: string;
}

/**
 * An entry keeps its id for as long as the log keeps its match; the feed keeps its id permanently.
 * @param matches the newest last, as the log has them
 */
export function matchFeed({ id, name, since }: FeedSubject, matches: readonly PastMatch[]): Feed {
  const entries = matches.toReversed().map((match): FeedEntry => {
    const { at, url, title, tags, chunks } = match;
    return { key: `${id}/${match.id}`, at, url, title, tags, content: contentOf(chunks) };
  });
  return { key: id, title: `hydrant: ${name}`, url: undefined, since, entries };
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
