import { type FollowOptions, follow, type Following } from '../client/follow.ts';
import type { RuleBook } from '../client/rule-book.ts';
import type { Context } from '../context.ts';
import type { Paint } from '../output.ts';
import { pacedWrite } from '../paced-write.ts';
import { printable } from '../printable.ts';
import { duration } from '../time.ts';
import { type Ending, exitCodeOf } from './ending.ts';
import { HeadWatch } from './head-watch.ts';
import { watchReader } from './reader-watch.ts';
import { jsonLine, plainLines } from './tail-lines.ts';
import { Notices } from './tail-notices.ts';

/**
 * Matches as they come, until there is a reason to stop: the screen on a terminal, lines for people, or JSON lines for
 * programs. Matches go to stdout, whatever else is to be said to stderr. A slow reader of stdout slows the reading of
 * the stream, and so the daemon; nothing is kept meanwhile. `hydrant tail` and `hydrant demo` both end up here.
 */
export interface TailSession {
  readonly context: Pick<Context, 'io' | 'now'>;
  readonly follow: FollowOptions;
  readonly rules: RuleBook;
  readonly form: TailForm;
  readonly ending: Ending;
  /** The tap and the daemon, as the head line and the first notice name them. */
  readonly tap: string;
  readonly label: string;
  /** The screen shows the newest match in full from the start. */
  readonly open: boolean;
  /** Milliseconds after which it ends by itself. */
  readonly durationMs: number | undefined;
  /** Read to the head of the log, and end. */
  readonly once: boolean;
  readonly quiet: boolean;
  readonly paint: Paint;
  readonly colour: boolean;
  /** The command that goes on after an event; none where there is nothing to go on with. */
  readonly resume: ((lastEventId: string) => string) | undefined;
}

export type TailForm = 'screen' | 'plain' | 'json';

/** Answers with the exit code. @throws what `follow` throws */
export async function runTail(session: TailSession): Promise<number> {
  const { context, ending } = session;
  const began = context.now();
  const following = follow(session.follow);
  const stop = (): void => following.close();
  ending.signal.addEventListener('abort', stop, { once: true });
  if (ending.signal.aborted) stop();
  const timer = session.durationMs === undefined ? undefined : setTimeout(stop, session.durationMs);
  const unwatch = watchReader(context.io.stdout, () => ending.because('closed'));
  try {
    const matches = session.form === 'screen' ? await onScreen(session, following) : await inLines(session, following);
    summarize(session, matches, following.lastEventId, context.now() - began);
  } finally {
    clearTimeout(timer);
    unwatch();
    ending.signal.removeEventListener('abort', stop);
    following.close();
  }
  // Leaving the screen with Ctrl-C is as good as `q`: raw mode makes it a key like any other.
  return session.form === 'screen' && ending.cause === 'SIGINT' ? 0 : exitCodeOf(ending.cause);
}

async function onScreen(session: TailSession, following: Following): Promise<number> {
  // Ink and React cost half a second and 45 MB: only who looks at the screen pays for them.
  const { showTail } = await import('../screens/TailScreen.tsx');
  const { context, rules, tap, label, open, colour } = session;
  return showTail({ context, following, rules, tap, label, open, colour });
}

async function inLines(session: TailSession, following: Following): Promise<number> {
  const { context, rules, ending } = session;
  const notices = new Notices((line) => say(session, line), titleOf(session));
  const head = new HeadWatch(session.once, () => following.close());
  let matches = 0;
  try {
    for await (const event of following) {
      if (ending.signal.aborted) break;
      head.pause();
      if (event.type === 'update') {
        const found = await rules.find(event.match.query_ids);
        await pacedWrite(context.io.stdout, format(session, event, found), ending.signal);
        matches += 1;
      }
      notices.hear(event);
      head.resume(event);
    }
  } finally {
    head.pause();
  }
  return matches;
}

function format(session: TailSession, ...[update, rules]: Parameters<typeof jsonLine>): string {
  if (session.form === 'json') return jsonLine(update, rules);
  const { columns, isTTY } = session.context.io.stdout;
  return plainLines(update, rules, {
    paint: session.paint,
    ...(isTTY === true && columns !== undefined && { columns }),
  });
}

function summarize(session: TailSession, matches: number, lastId: string | undefined, ms: number): void {
  // Who closed the pipe wants to hear no more.
  if (session.ending.cause === 'closed') return;
  const counted = `${matches} ${matches === 1 ? 'match' : 'matches'} in ${duration(ms)}`;
  const resume = lastId === undefined ? undefined : session.resume?.(lastId);
  say(session, resume === undefined ? counted : `${counted} · resume: ${resume}`);
}

function titleOf({ tap, label, rules }: TailSession): string {
  return `${tap} · ${label} · ${rules.size} ${rules.size === 1 ? 'rule' : 'rules'}`;
}

/** Names and messages come from elsewhere too. */
function say({ context, quiet }: TailSession, line: string): void {
  if (!quiet) context.io.stderr.write(`${printable(line)}\n`);
}
