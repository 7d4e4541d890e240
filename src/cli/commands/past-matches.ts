import type { DiffChunk } from '../../shared/api/match.ts';
import { type OpenedTap, openTap } from '../client/found.ts';
import { follow, HeadWatch } from '../client/follow.ts';
import { RuleBook } from '../client/rule-book.ts';
import type { Update } from '../client/stream-event.ts';
import { exitCode } from '../runtime/exit-code.ts';
import { Failure } from '../runtime/failure.ts';
import type { Session } from './session.ts';

/** A match of the log, with what a reader wants of it. */
export interface PastMatch {
  /** `<partition>-<offset>`: stable, one for each match of a tap. */
  readonly id: string;
  readonly tapId: string;
  /** Its name; empty where a tap's token is all we have. */
  readonly tap: string;
  /** ISO-8601 */
  readonly at: string;
  /** http or https. */
  readonly url: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly categories: readonly string[];
  readonly chunks: readonly DiffChunk[];
}

/** The taps that are named; none: the only one, or each of several. */
export async function tapsNamed(session: Session, wanted: readonly string[]): Promise<OpenedTap[]> {
  const { connection, client } = await session.connect();
  if (wanted.length === 0 && connection.credential.kind !== 'tap') {
    const taps = await client.taps();
    // Of none and of one it is known what to say.
    if (taps.length > 1) return taps.map((tap) => ({ tap, token: tap.token }));
  }
  const opened = [];
  for (const name of wanted.length === 0 ? [undefined] : wanted) opened.push(await openTap(connection, client, name));
  const once = new Map(opened.map((one) => [one.token, one]));
  return [...once.values()];
}

/** Reads a tap's log from so many seconds ago to its head, and ends. Tells each match; no more than one is held. */
export async function eachPastMatch(
  session: Session,
  { tap, token }: OpenedTap,
  seconds: number,
  tell: (match: PastMatch) => void,
): Promise<void> {
  const { context } = session;
  const { connection, client } = await session.connect();
  const read = () => client.rules(token);
  const rules = new RuleBook(await read(), read, context.now);
  // A tap without rules has no stream, and may have had matches all the same; nobody can read them.
  if (rules.size === 0) return;
  const { now, random } = context;
  const following = follow({ target: connection.target, token, since: `${seconds}s`, reconnect: false, now, random });
  let failure: Error | undefined;
  const head = new HeadWatch(true, {
    reached: () => following.close(),
    failed: (error) => {
      failure = error;
      following.close();
    },
  });
  const tellUpdate = async (event: Update): Promise<void> => {
    const found = await rules.find(event.match.query_ids);
    const tags = found.map((rule) => rule.tag ?? rule.value);
    const match = matchOf(event, tags, tap?.name ?? '');
    if (match) tell(match);
  };
  const close = (): void => following.close();
  context.closed?.addEventListener('abort', close, { once: true });
  try {
    for await (const event of following) {
      head.pause();
      // A digest that lacks half of the day looks like that of a quiet day.
      if (event.type === 'error')
        throw new Failure('stream', exitCode.refused, `${tap?.name ?? 'tap'}: ${event.message}`);
      if (event.type === 'update') await tellUpdate(event);
      head.resume(event);
    }
    if (failure !== undefined) throw failure;
  } finally {
    head.pause();
    context.closed?.removeEventListener('abort', close);
  }
}

/** Undefined where its address is none of the web: nothing that may be linked to. */
function matchOf({ id, match, payload }: Update, tags: readonly string[], tap: string): PastMatch | undefined {
  const { document } = match;
  const url = URL.parse(document.url);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined;
  return {
    id,
    tapId: match.tap_id,
    tap,
    at: match.matched_at,
    url: url.href,
    title: document.title?.trim() || url.href,
    tags: [...new Set(tags)],
    categories: categoriesOf(payload['document']),
    chunks: document.diff?.chunks ?? [],
  };
}

function categoriesOf(document: unknown): string[] {
  const all = typeof document === 'object' && document !== null ? Object.entries(document) : [];
  const found: unknown = all.find(([name]) => name === 'page_category')?.[1];
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : [];
}
