import { RuleBook } from '../../client/rule-book.ts';
import type { Update } from '../../client/stream-event.ts';
import { type Ending, exitCodeOf, watchReader } from '../../runtime/ending.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { count } from '../../../shared/text/plural.ts';
import { replayed } from '../rule/kept-matches.ts';
import type { Placed } from '../rule/placed-rules.ts';
import type { Session } from '../session.ts';
import { InOrder } from './tail-feed.ts';
import { type ExecFacts, type LineForm, sinkOf } from './tail-sink.ts';

/** Matches that are replayed without `--limit`: they are held to be told in the order of time. */
const MOST = 1_000;

/** Where the matches go. */
interface Replay {
  readonly form: LineForm;
  readonly exec: ExecFacts | undefined;
  readonly ending: Ending;
}

/** `hydrant tail --rule`: what a rule, as it is now, matches among the changes that are kept; once, the oldest first. */
export async function replayRule(
  session: Session,
  { rule: wanted, seconds, limit = MOST }: { rule: string; seconds: number; limit?: number | undefined },
  replay: Replay,
): Promise<number> {
  const { placed, updates } = await replayed(session, wanted, seconds);
  const { newest, hasMore } = await newestOf(updates, Math.min(limit, MOST), replay.ending.signal);
  const failures = await written(session, placed, newest.toReversed(), replay);
  const { ending } = replay;
  const many = `${count(newest.length, 'match')} replayed`;
  if (ending.cause !== 'closed') session.out.notice(hasMore ? `${many}, the newest; there are more` : many);
  if (ending.signal.aborted) return exitCodeOf(ending.cause);
  return failures > 0 ? exitCode.no : exitCode.ok;
}

async function newestOf(
  updates: AsyncIterable<Update>,
  most: number,
  ending: AbortSignal,
): Promise<{ readonly newest: readonly Update[]; readonly hasMore: boolean }> {
  const newest: Update[] = [];
  for await (const update of updates) {
    if (newest.length >= most || ending.aborted) return { newest, hasMore: true };
    newest.push(update);
  }
  return { newest, hasMore: false };
}

/** Answers how many commands did not succeed. */
async function written(
  { context, out }: Session,
  { rule, tap }: Placed,
  updates: readonly Update[],
  { form, exec, ending }: Replay,
): Promise<number> {
  const rules = new RuleBook([rule], async () => [rule], context.now);
  const lane = { tap: tap?.name ?? 'tap', tapId: tap?.id, rules };
  const feed = { cursor: undefined, order: new InOrder<string>(() => {}), lane };
  const unwatch = watchReader(context.io.stdout, () => ending.because('closed'));
  const say = (line: string): void => out.notice(line);
  const sink = sinkOf({ io: context.io, form, exec, ending: ending.signal, namesTap: false, say });
  try {
    for (const update of updates) {
      if (ending.signal.aborted) break;
      await sink.take(feed, update);
    }
    if (ending.cause !== 'closed') await sink.finish();
  } finally {
    unwatch();
  }
  return sink.failures;
}
