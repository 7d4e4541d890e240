import { matchOf, matchOfChange, type PastMatch } from '../../shared/documents/past-match.ts';
import { type OpenedTap, openTap } from '../client/found.ts';
import { follow } from '../client/follow.ts';
import { HeadWatch } from '../client/head-watch.ts';
import { cursorBefore, pastChanges } from '../client/watch-changes.ts';
import { RuleBook } from '../client/rule-book.ts';
import { gapOf, type StreamEvent, type Update } from '../client/stream-event.ts';
import { exitCode } from '../runtime/exit-code.ts';
import { Failure } from '../runtime/failure.ts';
import { utcMinute } from '../../shared/text/universal-time.ts';
import type { Session } from './session.ts';

/** The taps that are named; none: the only one, or each of several. `mayBeNone`: that there is no tap is no error. */
export async function tapsNamed(session: Session, wanted: readonly string[], mayBeNone = false): Promise<OpenedTap[]> {
  const { connection, client } = await session.connect();
  if (wanted.length === 0 && connection.credential.kind !== 'tap') {
    const taps = await client.taps();
    if (mayBeNone && taps.length === 0) return [];
    // Of none and of one it is known what to say.
    if (taps.length > 1) return taps.map((tap) => ({ tap, token: tap.token }));
  }
  const opened = [];
  for (const name of wanted.length === 0 ? [undefined] : wanted) opened.push(await openTap(connection, client, name));
  const once = new Map(opened.map((one) => [one.token, one]));
  return [...once.values()];
}

/** How far a log went back. */
export interface Reach {
  /** The time from which on it is complete, ISO-8601, where that is later than what was asked for. */
  readonly keptFrom: string | undefined;
  /** Matches that are there, and were more than are wanted. */
  readonly passedOver: number;
  /** What is lost between what was asked for and what there is, as a sentence; undefined where nothing is. */
  readonly gap: string | undefined;
}

/** Where a reading of the log begins. */
type Start =
  /** So many seconds ago; it goes to the head of the log. */
  | { readonly seconds: number }
  /** Behind the match of this id; it goes to the head, or so many matches far. */
  | { readonly after: string; readonly limit: number };

type Past = Start & {
  /** Matches at most, the newest: of a log of months there may be millions. Default: all. */
  readonly most?: number;
};

/** That older matches than these were asked for. */
export function tellShort(out: Session['out'], keptFrom: string): void {
  const why = 'earlier ones are no longer kept (the daemon’s setting stream-retention)';
  out.notice(`the log has all matches since ${utcMinute(keptFrom)} only: ${why}`);
}

/** Reads a tap's log from where it is to begin to its head, and ends. Tells each match; no more than one is held. */
export async function eachPastMatch(
  session: Session,
  { tap, token }: OpenedTap,
  { most = Infinity, ...start }: Past,
  tell: (match: PastMatch) => void,
): Promise<Reach> {
  const { client } = await session.connect();
  const read = () => client.rules(token);
  const rules = new RuleBook(await read(), read, session.context.now);
  let reach: Pick<Reach, 'keptFrom' | 'gap'> = { keptFrom: undefined, gap: undefined };
  let passedOver = 0;
  // A tap without rules has no stream, and may have had matches all the same; nobody can read them.
  if (rules.size === 0) return { ...reach, passedOver };
  const name = tap?.name ?? '';
  const toMatch = async (update: Update): Promise<PastMatch | undefined> => {
    const found = await rules.find(update.match.query_ids);
    return matchOf(
      update,
      found.map((rule) => rule.tag ?? rule.value),
      name,
    );
  };
  for await (const { event, fromHead } of pastEvents(session, { token, name, start })) {
    if (event.type === 'connected') {
      reach = startingAt(event, reach);
    } else if (fromHead > most) {
      passedOver += 1;
    } else {
      const match = await toMatch(event);
      if (match) tell(match);
    }
  }
  return { ...reach, passedOver };
}

/** What is missing is what the first connection says; later ones go on where it ended. */
function startingAt(
  { start }: Extract<StreamEvent, { type: 'connected' }>,
  { keptFrom, gap }: Pick<Reach, 'keptFrom' | 'gap'>,
): Pick<Reach, 'keptFrom' | 'gap'> {
  if (!start) return { keptFrom, gap };
  const isClamped = start.reason === 'clamped';
  return {
    keptFrom: keptFrom ?? (isClamped ? start.keptFrom : undefined),
    gap: gap ?? (isClamped ? gapOf(start) : undefined),
  };
}

/** The changes of all watches since so many seconds ago, in the form of matches; their tap is called `watches`. */
export async function eachPastChange(
  session: Session,
  seconds: number,
  tell: (match: PastMatch) => void,
): Promise<void> {
  const { watches } = (await session.connect()).client;
  const start = await cursorBefore(watches, session.context.now() - seconds * 1_000);
  for await (const item of pastChanges(watches, start)) tell(matchOfChange(item));
}

interface Log {
  readonly token: string;
  /** Of the tap. */
  readonly name: string;
  readonly start: Start;
}

interface PastEvent {
  readonly event: Extract<StreamEvent, { type: 'connected' | 'update' }>;
  /** How many events before the head it is, if that is known. */
  readonly fromHead: number;
}

/** The events up to the head of the log; one that is longer than a connection may last is read over several. */
async function* pastEvents(session: Session, { token, name, start }: Log): AsyncGenerator<PastEvent, void> {
  const { now, random, closed } = session.context;
  const { target } = (await session.connect()).connection;
  const from = 'after' in start ? { lastEventId: start.after, limit: start.limit } : { since: start.seconds };
  const following = follow({ target, token, ...from, reconnect: 'agreed', now, random });
  const close = (): void => following.close();
  let failure: Error | undefined;
  const head = new HeadWatch(true, {
    reached: close,
    failed: (error) => {
      failure = error;
      close();
    },
  });
  closed?.addEventListener('abort', close, { once: true });
  try {
    for await (const event of following) {
      head.pause();
      // A digest that lacks half of the day looks like that of a quiet day.
      if (event.type === 'error') throw new Failure('stream', exitCode.refused, `${name || 'tap'}: ${event.message}`);
      if (event.type === 'connected') yield { event, fromHead: 0 };
      if (event.type === 'update') yield { event, fromHead: head.distanceOf(event.id) };
      // A daemon that does not say where its log ends has come to it, or to the end of its time.
      if (event.type === 'end' && !head.isKnown) close();
      head.resume(event);
    }
    if (failure !== undefined) throw failure;
  } finally {
    head.pause();
    closed?.removeEventListener('abort', close);
  }
}
