import { closeSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../shared/page/json-value.ts';
import type { Outside } from '../outside.ts';

/**
 * Pages that are being read at this moment, in a file beside the database: a process that is killed (by the kernel, for its
 * memory, or by a bug of a library) leaves there what it was reading. A page that was being read at two such ends in a row
 * is not read again before a back-off is over, which is longer after each further end; once it was read, all is forgotten.
 *
 * The file is written without a sync, and not in a commit: a killed process leaves what it wrote with the kernel, and a
 * power cut is no page's fault. A line costs some microseconds, and is written only where a body has to be analyzed.
 */
export class BegunVisits {
  readonly #path: string;
  readonly #outside: Pick<Outside, 'now'>;
  readonly #onError: (what: string, error: unknown) => void;
  readonly #visits: Map<string, BegunVisit>;
  #file: number | undefined;
  #bytes = 0;

  /** Never throws: without the file nothing is known of ends, and everything is read. */
  constructor(dataDir: string, outside: Pick<Outside, 'now'>, onError: (what: string, error: unknown) => void) {
    this.#path = join(dataDir, 'begun-visits.jsonl');
    this.#outside = outside;
    this.#onError = onError;
    this.#visits = new Map(this.#read().slice(-MOST_VISITS));
    this.#rewrite();
  }

  /** Pages that were being read when the process before this one ended without a shutdown, or an earlier one. */
  get suspects(): readonly Suspect[] {
    return [...this.#visits].filter(([, { ends }]) => ends > 0).map(([url, { ends }]) => ({ url, ends }));
  }

  /** Why the page is not to be read now, and until when, in ms since 1970; undefined where it may be. */
  refusal(url: string): { readonly detail: string; readonly until: number } | undefined {
    const visit = this.#visits.get(url);
    if (visit === undefined || visit.ends < ENDS_TO_REFUSE) return undefined;
    const now = this.#outside.now();
    const longest = now + Math.min(FIRST_BACKOFF_MS * 4 ** (visit.ends - ENDS_TO_REFUSE), LONGEST_BACKOFF_MS);
    // The clock may have been set.
    const until = Math.min(visit.until ?? longest, longest);
    if (until !== visit.until) this.#note(url, { ...visit, until });
    if (until <= now) return undefined;
    const times = `${visit.ends} times in a row`;
    const when = new Date(until).toISOString().slice(0, 16);
    return {
      detail: `The daemon was killed or crashed ${times} while it analyzed this page; the next attempt is not before ${when}Z.`,
      until,
    };
  }

  /** Its reading begins now, not before: what only waits for a thread brings nothing down. */
  began(url: string): void {
    const before = this.#visits.get(url);
    if (before?.isBegun !== true) this.#note(url, { ends: 0, ...before, isBegun: true });
  }

  /** It was read, whatever came of it. */
  ended(url: string): void {
    if (this.#visits.get(url)?.isBegun === true) this.#note(url, undefined);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #note(url: string, visit: BegunVisit | undefined): void {
    if (visit) this.#visits.set(url, visit);
    else this.#visits.delete(url);
    if (this.#file === undefined) return;
    try {
      this.#bytes += writeSync(this.#file, lineOf(url, visit));
      if (this.#bytes > MOST_BYTES) this.#rewrite();
    } catch (error) {
      // A full disk takes nothing from the crawl but this.
      this.close();
      this.#onError('the list of pages being analyzed can no longer be written', error);
    }
  }

  /** What is known as the whole of the file. */
  #rewrite(): void {
    this.close();
    const text = [...this.#visits].map(([url, visit]) => lineOf(url, visit)).join('');
    try {
      writeFileSync(`${this.#path}.new`, text, { mode: 0o600 });
      renameSync(`${this.#path}.new`, this.#path);
      this.#file = openSync(this.#path, 'a', 0o600);
      this.#bytes = Buffer.byteLength(text);
    } catch (error) {
      this.#onError('the list of pages being analyzed cannot be written', error);
    }
  }

  /** Each page with one more end where it was being read. What is no line of ours (a power cut tears the last) is passed over. */
  #read(): [string, BegunVisit][] {
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch {
      return [];
    }
    const visits = new Map<string, BegunVisit>();
    for (const line of text.split('\n')) {
      const [url, visit] = parsed(line);
      if (url === undefined) continue;
      visits.delete(url);
      if (visit) visits.set(url, visit);
    }
    return [...visits].map(([url, { ends, until, isBegun }]) => [
      url,
      isBegun ? { ends: ends + 1, isBegun: false } : { ends, isBegun, ...(until !== undefined && { until }) },
    ]);
  }
}

export interface Suspect {
  readonly url: string;
  /** Ends without a shutdown in a row while it was being read. */
  readonly ends: number;
}

interface BegunVisit {
  /** Ends without a shutdown, each of which it was being read at. */
  readonly ends: number;
  readonly isBegun: boolean;
  /** Not read before; ms since 1970. */
  readonly until?: number;
}

/** Without a visit: there is nothing to know of the page any more. */
function lineOf(url: string, visit: BegunVisit | undefined): string {
  return `${JSON.stringify({ url, ...visit })}\n`;
}

function parsed(line: string): readonly [string | undefined, BegunVisit | undefined] {
  let found: unknown;
  try {
    found = JSON.parse(line);
  } catch {
    return [undefined, undefined];
  }
  if (!isObject(found) || typeof found['url'] !== 'string') return [undefined, undefined];
  const { url, ends, until, isBegun } = found;
  if (typeof ends !== 'number' || !Number.isInteger(ends) || ends < 0) return [url, undefined];
  return [url, { ends, isBegun: isBegun === true, ...(typeof until === 'number' && { until }) }];
}

const ENDS_TO_REFUSE = 2;
const HOUR_MS = 3_600_000;
const FIRST_BACKOFF_MS = HOUR_MS;
const LONGEST_BACKOFF_MS = 30 * 24 * HOUR_MS;
/** More than are ever under way, with those of former ends. */
const MOST_VISITS = 10_000;
const MOST_BYTES = 1_048_576;
