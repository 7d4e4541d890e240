import { mayHoldPage } from '../../../shared/archive/archived-page.ts';
import { ARCHIVE_QUESTIONS } from '../../../shared/limits.ts';
import type { ArchiveFile } from '../../archive/archive-file.ts';
import { megabytes } from './ingest-report.ts';
import { expectRecords, pageIn, type Run, type Sighted } from './ingest-stream.ts';
import { count } from '../../text/plural.ts';
import type { Place } from '../../../shared/archive/byte-window.ts';

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
