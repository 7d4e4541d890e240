import type { CheckReport } from '../../../shared/api/watch.ts';
import { type CheckRun, checkRuns } from '../../changes/check-runs.ts';
import { checkWords, isQuiet } from '../../changes/check-words.ts';
import { pacedWrite } from '../../paced-write.ts';
import { printable, printableJson } from '../../printable.ts';
import { relative } from '../../time.ts';
import type { Session, SessionFlags } from '../session.ts';
import { allChecks } from './watch-checks.ts';
import { findWatch } from './watch-names.ts';

/** `hydrant watch log`: what the checks of a watch came to, newest first. */
interface WatchLogFlags {
  readonly changes?: true | undefined;
  readonly failures?: true | undefined;
  readonly limit?: number | undefined;
}

/** Lines without `--limit`. */
const LINES = 30;

export async function showLog(session: Session, wanted: string, flags: WatchLogFlags): Promise<void> {
  const { context, out } = session;
  const { client } = await session.connect();
  const watch = findWatch(await client.watches.list(), wanted);
  const checks = chosen(allChecks(client.watches, watch.id, flags.changes === true ? { changes: true } : {}), flags);
  let lines = 0;
  for await (const line of out.forPeople ? runLines(checks, session) : plainLines(checks, session.flags)) {
    if (context.closed?.aborted === true) return;
    await pacedWrite(context.io.stdout, `${line}\n`, context.closed);
    lines += 1;
    if (lines === (flags.limit ?? LINES)) return;
  }
  if (lines === 0) out.notice(`${watch.url}: ${none(flags)}`);
}

function none({ changes, failures }: WatchLogFlags): string {
  if (changes === true) return 'no change so far';
  return failures === true ? 'no failed check' : 'not checked yet';
}

async function* chosen(checks: AsyncIterable<CheckReport>, flags: WatchLogFlags): AsyncGenerator<CheckReport> {
  for await (const check of checks) {
    if (flags.changes === true && check.outcome !== 'changed') continue;
    if (flags.failures === true && check.outcome !== 'failed') continue;
    yield check;
  }
}

async function* plainLines(checks: AsyncIterable<CheckReport>, flags: SessionFlags): AsyncGenerator<string> {
  for await (const check of checks) {
    if (flags.json === true) yield printableJson(check);
    else if (flags.quiet === true) yield String(check.n);
    else yield [String(check.n), check.at, check.outcome, checkWords(check)].map(printable).join('\t');
  }
}

/** Runs of checks that say the same are one line. */
async function* runLines(checks: AsyncIterable<CheckReport>, { out }: Session): AsyncGenerator<string> {
  for await (const run of checkRuns(checks)) {
    const { newest, oldest, count } = run;
    const numbers = count === 1 ? String(newest.n) : `${oldest.n}–${newest.n}`;
    const text = `${numbers.padStart(NUMBERS)}  ${relative(newest.at, out.now).padEnd(AGE)}  ${words(run)}`;
    const style = { baseline: 'bold', changed: 'green', failed: 'red', unchanged: 'dim' } as const;
    yield out.paint(style[newest.outcome], printable(text));
  }
}

const NUMBERS = 9;
const AGE = '23 h 59 m ago'.length;

function words({ newest, count }: CheckRun): string {
  const said = checkWords(newest);
  if (count === 1) return said;
  return `${count.toLocaleString('en')} checks${isQuiet(newest) ? ', ' : ' '}${said}`;
}
