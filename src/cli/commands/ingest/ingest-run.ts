import type { Readable } from 'node:stream';
import { ArchiveFile } from '../../archive/archive-file.ts';
import { Tally } from '../../archive/tally.ts';
import { UsageError } from '../../failure.ts';
import { Progress } from '../../progress.ts';
import { Ending, exitCodeOf } from '../ending.ts';
import { planOf } from './ingest-plan.ts';
import { damagesFor, summaryOf } from './ingest-report.ts';
import { sendPlan } from './ingest-send.ts';
import { type Run, sendStream } from './ingest-stream.ts';
import type { Session } from '../session.ts';
import { count } from '../count.ts';

/**
 * `hydrant ingest`: files are read twice, once to find their pages and once to send them in order of their dates; stdin
 * once, in its order. A stop lets the records under way arrive, and the next run goes on behind them. Answers the exit
 * code.
 */
export async function ingest(session: Session, names: readonly string[], isDryRun: boolean): Promise<number> {
  const { context, flags, out } = session;
  const inputs = await openInputs(session, names);
  const ending = new Ending(process, context.closed);
  // A pipe without data would keep the process from ending.
  ending.signal.addEventListener('abort', () => inputs.stdin?.destroy(), { once: true });
  const progress = new Progress(context, { silent: flags.quiet === true || flags.json === true });
  const damages = damagesFor(out, progress);
  const tally = new Tally();
  try {
    const client = isDryRun ? undefined : (await session.connect()).client.ingest;
    await send({ client, tally, damages, progress, signal: ending.signal, now: context.now }, inputs);
    damages.tellOthers();
    const isStopped = ending.signal.aborted;
    const form = summaryOf(tally, { from: inputs.name, isDryRun, isStopped });
    out.done({ ...tally.toJson(), stopped: isStopped }, form);
    return exitCodeOf(ending.cause);
  } catch (error) {
    if (tally.answers > 0) out.notice(`${count(tally.answers, 'page')} had arrived; run it again, and it goes on`);
    throw error;
  } finally {
    ending.dispose();
    inputs.stdin?.destroy();
    for (const file of inputs.files) await file.close();
  }
}

async function send(run: Run, { stdin, files }: Inputs): Promise<void> {
  try {
    if (stdin) await sendStream(run, stdin);
    else await sendPlan(run, await planOf(run, files));
  } finally {
    run.progress.end();
  }
}

interface Inputs {
  /** Either stdin or files. */
  readonly stdin: Readable | undefined;
  readonly files: readonly ArchiveFile[];
  /** For people: `2 files`. */
  readonly name: string;
}

async function openInputs({ context }: Session, names: readonly string[]): Promise<Inputs> {
  if (!names.includes('-')) {
    const files = await openAll(names);
    return { stdin: undefined, files, name: count(files.length, 'file') };
  }
  if (names.length > 1) throw new UsageError('`-` stands alone: stdin and files are not read together');
  return { stdin: context.readBytes('the archive'), files: [], name: 'stdin' };
}

/** All of them before the first is read: a wrong name sends nothing. */
async function openAll(names: readonly string[]): Promise<ArchiveFile[]> {
  const files: ArchiveFile[] = [];
  try {
    for (const name of new Set(names)) files.push(await ArchiveFile.open(name));
  } catch (error) {
    for (const file of files) await file.close();
    throw error;
  }
  return files;
}
