import { grouped } from '../../../shared/grouped.ts';
import type { Readable } from 'node:stream';
import { ArchiveFile } from '../../archive/archive-file.ts';
import { damagesFor, megabytes, sofar, summaryOf, Tally } from './ingest-report.ts';
import { UsageError } from '../../runtime/failure.ts';
import { Progress } from '../../runtime/output.ts';
import { Ending, exitCodeOf } from '../../runtime/ending.ts';
import { expectRecords, pageIn, type Run, sendStream, type Sighted } from './ingest-stream.ts';
import type { Session } from '../session.ts';
import { count } from '../../../shared/text/plural.ts';
import { mayHoldPage } from '../../../shared/archive/archived-page.ts';
import { IngestUpload } from '../../client/ingest.ts';
import { duration } from '../../text/time.ts';
import { ARCHIVE_QUESTIONS } from '../../../shared/limits.ts';
import type { Place } from '../../../shared/archive/records.ts';

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
    if (tally.answers > 0)
      out.notice(`${count(tally.answers, 'page')} had been imported; run the command again to continue`);
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
      return `${grouped(answers)} of ${grouped(pages)} pages sent, ${sofar(tally)}${left}`;
    });
}

/** What is to be sent. */
export interface Plan {
  readonly files: readonly ArchiveFile[];
  /** Pages that can be looked up, by file and place. */
  readonly table: RecordTable;
  /** Files that are packed as a whole, and are sent in their own order. */
  readonly wholes: readonly Whole[];
}

export interface Whole {
  readonly file: ArchiveFile;
  readonly pages: number;
  /** The date of its earliest page. */
  readonly from: number;
}

/** Reads all files once. Pages that the daemon knows already are left out, so that a second run costs no more than this. */
export async function planOf(run: Run, files: readonly ArchiveFile[]): Promise<Plan> {
  const table = new RecordTable();
  const wholes: Whole[] = [];
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  let before = 0;
  for (const [index, file] of files.entries()) {
    const tell = (): void => {
      const { tally } = run;
      const share = bytes === 0 ? 100 : Math.floor((100 * (before + file.read)) / bytes);
      run.progress.tell(() => `looking for pages: ${share} % of ${megabytes(bytes)}, ${count(tally.pages, 'page')}`);
    };
    const whole = await new Survey(run, table, { file, index, tell }).read();
    if (whole) wholes.push(whole);
    if (run.signal.aborted) break;
    before += file.bytes;
  }
  return { files, table, wholes };
}

interface Surveyed {
  readonly file: ArchiveFile;
  readonly index: number;
  readonly tell: () => void;
}

/** The reading of one file, for its places. */
class Survey {
  readonly #run: Run;
  readonly #table: RecordTable;
  readonly #of: Surveyed;
  readonly #start: number;
  #waiting: (Entry & Pick<Sighted, 'url' | 'at'>)[] = [];
  #known = 0;
  #isWhole = false;

  constructor(run: Run, table: RecordTable, of: Surveyed) {
    this.#run = run;
    this.#table = table;
    this.#of = of;
    this.#start = table.length;
  }

  async read(): Promise<Whole | undefined> {
    const { file, tell } = this.#of;
    const { tally, signal } = this.#run;
    const before = tally.records;
    let [pages, from] = [0, Infinity];
    for await (const found of file.records(mayHoldPage)) {
      if (signal.aborted) return undefined;
      tell();
      const page = pageIn(found, file.name, this.#run);
      if (!page) continue;
      pages += 1;
      from = Math.min(from, page.at);
      await this.#note(page, file.near(found.at));
    }
    expectRecords(tally.records - before, file.name);
    if (this.#isWhole) return { file, pages, from };
    await this.#ask();
    tally.skip('known', this.#known);
    return undefined;
  }

  async #note({ url, at }: Sighted, place: Omit<Entry, 'file'> | undefined): Promise<void> {
    if (this.#isWhole) return;
    if (place === undefined) {
      this.#isWhole = true;
      this.#waiting = [];
      this.#table.cut(this.#start);
      return;
    }
    this.#waiting.push({ url, at, file: this.#of.index, ...place });
    if (this.#waiting.length === ARCHIVE_QUESTIONS) await this.#ask();
  }

  async #ask(): Promise<void> {
    const asked = this.#waiting;
    this.#waiting = [];
    if (asked.length === 0) return;
    const records = asked.map(({ url, at }) => ({ url, at }));
    const known = await this.#run.client?.known({ records });
    for (const [index, entry] of asked.entries()) {
      if (known?.[index] === true) this.#known += 1;
      else this.#table.push(entry.at, entry);
    }
  }
}

/** Where a record stands: which of the files, and where in it. */
interface Entry extends Place {
  readonly file: number;
}

/** The records of all files that are to be sent, in order of their dates; 24 bytes each, so that millions are no matter. */
class RecordTable {
  #dates = new Float64Array(FIRST);
  #offsets = new Float64Array(FIRST);
  #withins = new Uint32Array(FIRST);
  #files = new Uint32Array(FIRST);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(date: number, { file, offset, within }: Entry): void {
    if (this.#length === this.#dates.length) this.#grow();
    this.#dates[this.#length] = date;
    this.#offsets[this.#length] = offset;
    this.#withins[this.#length] = within;
    this.#files[this.#length] = file;
    this.#length += 1;
  }

  /** Takes back all but the first so many. */
  cut(length: number): void {
    this.#length = Math.min(this.#length, length);
  }

  /** The date of the earliest; undefined when there is none. */
  get earliest(): number | undefined {
    let earliest = Infinity;
    for (let at = 0; at < this.#length; at += 1) earliest = Math.min(earliest, this.#dates[at] ?? Infinity);
    return earliest === Infinity ? undefined : earliest;
  }

  /** By date; those of one date in the order they were found. */
  *inOrder(): Generator<Entry> {
    const dates = this.#dates;
    const order = Uint32Array.from({ length: this.#length }, (_, index) => index);
    order.sort((one, other) => (dates[one] ?? 0) - (dates[other] ?? 0) || one - other);
    for (const at of order) {
      yield { file: this.#files[at] ?? 0, offset: this.#offsets[at] ?? 0, within: this.#withins[at] ?? 0 };
    }
  }

  #grow(): void {
    const length = this.#dates.length * 2;
    this.#dates = larger(this.#dates, new Float64Array(length));
    this.#offsets = larger(this.#offsets, new Float64Array(length));
    this.#withins = larger(this.#withins, new Uint32Array(length));
    this.#files = larger(this.#files, new Uint32Array(length));
  }
}

const FIRST = 1_024;

function larger<Numbers extends Float64Array | Uint32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
