import type { Context, Environment } from '../../runtime/context.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { printable } from '../../../shared/text/printable.ts';
import { duration } from '../../text/time.ts';
import { type Ending, exitCodeOf, watchReader } from '../../runtime/ending.ts';
import { Feed, type FeedEvent, type FeedFacts, followed } from './tail-feed.ts';
import type { RuleEdit, TailActions } from '../../screens/tail-actions.ts';
import { type ExecFacts, type LineForm, sinkOf } from './tail-sink.ts';
import type { Client } from '../../client/client.ts';
import type { Lane } from '../../client/lane.ts';
import { browse } from '../../runtime/child-processes.ts';

/**
 * Matches as they come, until there is a reason to stop: the screen on a terminal, lines for people, JSON lines for
 * programs, or a command for each. Matches go to stdout, whatever else is to be said to stderr. A slow reader of
 * stdout slows the reading of the streams, and so the daemon; nothing is kept meanwhile. `hydrant tail` and
 * `hydrant demo` both end up here.
 */
export interface TailSession {
  readonly context: Pick<Context, 'io' | 'now'>;
  /** One at least. */
  readonly taps: readonly FeedFacts[];
  readonly form: LineForm | ScreenForm;
  /** A command for each match, instead of lines. */
  readonly exec?: ExecFacts | undefined;
  readonly ending: Ending;
  /** The daemon, as the head line and the first notice name it. */
  readonly label: string;
  /** The screen shows the newest match in full from the start. */
  readonly open: boolean;
  /** Milliseconds after which it ends by itself. */
  readonly durationMs: number | undefined;
  /** Matches of all taps together after which it ends. */
  readonly limit?: number | undefined;
  /** Read to the head of the log, and end. */
  readonly once: boolean;
  readonly quiet: boolean;
  /** The command that goes on after an event; none where there is nothing to go on with. */
  readonly resume: ((lastEventId: string) => string) | undefined;
}

interface ScreenForm {
  readonly kind: 'screen';
  readonly colour: boolean;
  /** What keys may do besides moving; undefined: nothing. */
  readonly actions: TailActions | undefined;
}

export type TailForm = (LineForm | { readonly kind: 'screen' })['kind'];

/** Answers with the exit code. @throws what `follow` throws */
export async function runTail(session: TailSession): Promise<number> {
  const { context, ending, taps } = session;
  const began = context.now();
  const faults: unknown[] = [];
  const feeds = taps.map((facts) =>
    feedOf(session, facts, (fault) => {
      faults.push(fault);
      stop();
    }),
  );
  const stop = (): void => {
    for (const { lane } of feeds) lane.following.close();
  };
  ending.signal.addEventListener('abort', stop, { once: true });
  if (ending.signal.aborted) stop();
  const timer = session.durationMs === undefined ? undefined : setTimeout(stop, session.durationMs);
  const unwatch = watchReader(context.io.stdout, () => ending.because('closed'));
  let failures = 0;
  try {
    const events = followed(feeds, session.limit ?? Number.POSITIVE_INFINITY, {
      say: (line) => say(session, line),
      stopped: ending.signal,
    });
    const done = await (session.form.kind === 'screen'
      ? onScreen(session, session.form, feeds, events)
      : inLines(session, session.form, feeds, events));
    failures = done.failures;
    if (faults.length > 0) throw faults[0];
    summarize(session, feeds, done, context.now() - began);
  } finally {
    clearTimeout(timer);
    unwatch();
    ending.signal.removeEventListener('abort', stop);
    stop();
    for (const { cursor } of feeds) cursor?.close();
  }
  // Leaving the screen with Ctrl-C is as good as `q`: raw mode makes it a key like any other.
  if (session.form.kind === 'screen' && ending.cause === 'SIGINT') return exitCode.ok;
  return ending.cause === 'done' && failures > 0 ? exitCode.no : exitCodeOf(ending.cause);
}

function feedOf(session: TailSession, facts: FeedFacts, onFault: (error: unknown) => void): Feed {
  const { taps, label, once } = session;
  const count = `${facts.rules.size} ${facts.rules.size === 1 ? 'rule' : 'rules'}`;
  const isAlone = taps.length === 1;
  return new Feed(facts, {
    once,
    title: isAlone ? `${facts.tap} · ${label} · ${count}` : `${label} · ${count}`,
    say: (line) => say(session, isAlone ? line : `${facts.tap}: ${line}`),
    onFault,
  });
}

interface Done {
  readonly matches: number;
  readonly failures: number;
}

async function onScreen(
  { context, label, open }: TailSession,
  { colour, actions }: ScreenForm,
  feeds: readonly Feed[],
  events: AsyncIterable<FeedEvent>,
): Promise<Done> {
  // Ink and React cost half a second and 45 MB: only who looks at the screen pays for them.
  const { inProduction } = await import('../../screens/production.ts');
  const { showTail } = await inProduction(async () => import('../../screens/TailScreen.tsx'));
  const lanes = feeds.map(({ lane }) => lane);
  const matches = await showTail({ context, lanes, events: seen(events), label, open, colour, actions });
  return { matches, failures: 0 };
}

/** What was taken for the screen counts as read when the next is asked for. */
async function* seen(events: AsyncIterable<FeedEvent>): AsyncGenerator<FeedEvent, void> {
  for await (const item of events) {
    item.feed.opened(item.event);
    yield item;
    if (item.event.type === 'update') item.feed.order.begin(item.event.id)(true);
  }
}

async function inLines(
  session: TailSession,
  form: LineForm,
  feeds: readonly Feed[],
  events: AsyncIterable<FeedEvent>,
): Promise<Done> {
  const { context, ending, exec } = session;
  const sink = sinkOf({
    io: context.io,
    form,
    exec,
    ending: ending.signal,
    namesTap: feeds.length > 1,
    say: (line) => say(session, line),
  });
  let matches = 0;
  try {
    for await (const { feed, event } of events) {
      if (ending.signal.aborted) break;
      for (const one of feeds) one.head.pause();
      feed.opened(event);
      if (event.type === 'update') {
        await sink.take(feed, event);
        matches += 1;
      }
      feed.notices.hear(event);
      for (const one of feeds) one.head.resume(one === feed ? event : undefined);
    }
  } finally {
    for (const one of feeds) one.head.pause();
    // Nobody is left to take the last lines of a closed pipe.
    if (ending.cause !== 'closed') await sink.finish();
  }
  return { matches, failures: sink.failures };
}

function summarize(session: TailSession, feeds: readonly Feed[], { matches, failures }: Done, ms: number): void {
  // Who closed the pipe wants to hear no more.
  if (session.ending.cause === 'closed') return;
  if (isBehindMark(session)) say(session, '');
  const [feed] = feeds;
  const isPlaced = feeds.length === 1 && feed?.cursor === undefined;
  const lastId = isPlaced ? feed?.lane.following.lastEventId : undefined;
  const resume = lastId === undefined ? undefined : session.resume?.(lastId);
  const parts = [
    `${counted(matches, 'match', 'matches')} in ${duration(ms)}`,
    ...(failures > 0 ? [`${counted(failures, 'command', 'commands')} failed`] : []),
    ...(resume === undefined ? [] : [`resume: ${resume}`]),
  ];
  say(session, parts.join(' · '));
}

/** Whether the terminal has written `^C` where the next line is to begin. */
function isBehindMark({ ending, form, context }: TailSession): boolean {
  return ending.cause === 'SIGINT' && form.kind !== 'screen' && context.io.stderr.isTTY === true;
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** Names and messages come from elsewhere too. */
function say({ context, quiet }: TailSession, line: string): void {
  if (!quiet)
    context.io.stderr.write(`${printable(line)}
`);
}

/** What the screen of `hydrant tail` can do besides showing. */
export function tailActions(client: Client, environment: Environment): TailActions {
  return {
    open: async (url) => browse(url, environment, process.platform),
    save: async ({ tapId }, event) => {
      if (tapId === undefined) throw new Error('matches are saved on the daemon’s own machine only');
      const { url } = await client.saved.save({ tap: tapId, event });
      return `${url} is saved`;
    },
    rules: async ({ token }) => client.rules(token),
    change: async (lane, edits) => changeRules(client, lane, edits),
  };
}

/** Rules that someone else has changed meanwhile are left alone, and nothing is changed then. */
async function changeRules(client: Client, { token }: Lane, edits: readonly RuleEdit[]): Promise<string> {
  const now = new Map((await client.rules(token)).map((rule) => [rule.id, rule.value]));
  const moved = edits.find(({ rule }) => now.get(rule.id) !== rule.value);
  if (moved)
    throw new Error(
      `rule ${moved.rule.tag ?? moved.rule.id} was changed by someone else meanwhile; nothing was changed`,
    );
  for (const { rule, value } of edits) await client.changeRule(token, rule.id, { value });
  const names = edits.map(({ rule }) => rule.tag ?? rule.id).join(', ');
  return `${edits.length === 1 ? 'rule' : 'rules'} ${names} changed`;
}
