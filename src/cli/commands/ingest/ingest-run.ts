import type { Readable } from 'node:stream';
import { ArchiveFile } from '../../archive/archive-file.ts';
import { damagesFor, sofar, summaryOf, Tally } from './ingest-report.ts';
import { UsageError } from '../../runtime/failure.ts';
import { Progress } from '../../runtime/progress.ts';
import { Ending, exitCodeOf } from '../../runtime/ending.ts';
import { type Plan, planOf, type Whole } from './ingest-plan.ts';
import { pageIn, type Run, sendStream } from './ingest-stream.ts';
import type { Session } from '../session.ts';
import { count } from '../../text/plural.ts';
import { mayHoldPage } from '../../../shared/archive/archived-page.ts';
import { IngestUpload } from '../../client/ingest.ts';
import { duration } from '../../text/time.ts';

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

/** Sends what was planned: what can be looked up by date over all files, a file packed as a whole at its first date. */
export async function sendPlan(run: Run, plan: Plan): Promise<void> {
  const { client, tally, signal } = run;
  if (!client || signal.aborted) return;
  const upload = new IngestUpload(client, signal, (answer) => tally.answered(answer));
  const { table, wholes } = plan;
  const tell = progressOf(
    run,
    wholes.reduce((sum, { pages }) => sum + pages, table.length),
  );
  const parts = [
    { from: table.earliest ?? Infinity, send: () => sendTable(run, plan, upload, tell) },
    ...wholes.map((whole) => ({ from: whole.from, send: () => sendWhole(run, whole, upload, tell) })),
  ].toSorted((one, other) => one.from - other.from);
  try {
    for (const { send } of parts) await send();
  } finally {
    await upload.end();
  }
}

async function sendTable(run: Run, { files, table }: Plan, upload: IngestUpload, tell: () => void): Promise<void> {
  for (const { file: index, ...place } of table.inOrder()) {
    if (run.signal.aborted) return;
    const file = files[index];
    const record = await file?.recordAt(place);
    const page = record && pageIn({ kind: 'record', at: place, record }, file?.name ?? '', unheard);
    if (page) await upload.add(page.record.bytes, page.host);
    else run.tally.skip('changed_meanwhile');
    tell();
  }
}

async function sendWhole(run: Run, { file }: Whole, upload: IngestUpload, tell: () => void): Promise<void> {
  const { signal } = run;
  for await (const found of file.records(mayHoldPage)) {
    if (signal.aborted) return;
    const page = pageIn(found, file.name, unheard);
    if (page) await upload.add(page.record.bytes, page.host);
    tell();
  }
}

/** What is read for the second time was counted, and told, at the first. */
const unheard = { tally: new Tally(), damages: { tell: () => {}, tellOthers: () => {} } };

function progressOf({ tally, progress, now }: Run, pages: number): () => void {
  const start = now();
  return () =>
    progress.tell(() => {
      const { answers } = tally;
      const left = answers === 0 ? '' : `, about ${duration(((now() - start) / answers) * (pages - answers))} left`;
      return `${answers.toLocaleString('en')} of ${pages.toLocaleString('en')} pages sent, ${sofar(tally)}${left}`;
    });
}
