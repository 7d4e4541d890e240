import type { Readable } from 'node:stream';
import { mayHoldPage, readArchivedPage } from '../../../shared/archive/archived-page.ts';
import { type Found, type WarcRecord, typeOf } from '../../../shared/archive/records.ts';
import { ByteSource, packingOf, recordsIn } from '../../archive/pieces.ts';
import { type IngestEndpoints, IngestUpload } from '../../client/ingest.ts';
import { Failure, systemReason, UsageError } from '../../runtime/failure.ts';
import type { Progress } from '../../runtime/output.ts';
import { count } from '../../../shared/text/plural.ts';
import { type Damages, megabytes, sofar, type Tally } from './ingest-report.ts';

/** One run of `hydrant ingest`. */
export interface Run {
  /** Undefined where nothing is to be sent. */
  readonly client: IngestEndpoints | undefined;
  readonly tally: Tally;
  readonly damages: Damages;
  readonly progress: Progress;
  /** Aborted when it is to stop after what is under way. */
  readonly signal: AbortSignal;
  readonly now: () => number;
}

/** A page that can be sent. */
export interface Sighted {
  readonly record: WarcRecord;
  readonly url: string;
  readonly host: string;
  readonly at: number;
}

/** The page in what was found; all else is counted. */
export function pageIn(
  found: Found,
  name: string,
  { tally, damages }: Pick<Run, 'tally' | 'damages'>,
): Sighted | undefined {
  if (found.kind === 'damage') {
    tally.damaged += 1;
    damages.tell(name, found.at, found.message);
    return undefined;
  }
  tally.records += 1;
  const head = found.kind === 'record' ? found.record.head : found.head;
  const isRevisit = typeOf(head) === 'revisit';
  if (!mayHoldPage(head) && !isRevisit) return undefined;
  tally.pages += 1;
  if (isRevisit) return skip(tally, 'revisit');
  if (found.kind !== 'record') return skip(tally, 'too_large');
  const page = readArchivedPage(head, found.record.block);
  if (typeof page === 'string') return skip(tally, page);
  tally.date(page.at);
  return { record: found.record, url: page.url, host: new URL(page.url).host, at: page.at };
}

function skip(tally: Tally, reason: string): undefined {
  tally.skip(reason);
}

/** What is no archive at all is told as such, not as one without pages. */
export function expectRecords(records: number, name: string): void {
  if (records > 0) return;
  throw new UsageError(`${name} holds no WARC record`, { hint: 'a WARC file begins with WARC/1.0 or WARC/1.1' });
}

/** Stdin: what comes is sent as it comes. */
export async function sendStream(run: Run, input: Readable): Promise<void> {
  const { client, tally, progress, signal } = run;
  const upload = client && new IngestUpload(client, signal, (answer) => tally.answered(answer));
  const source = new ByteSource(readable(input, signal));
  const packing = await packingOf(source, 'stdin');
  try {
    for await (const found of recordsIn(source, packing, mayHoldPage)) {
      const page = signal.aborted ? undefined : pageIn(found, 'stdin', run);
      if (page) await upload?.add(page.record.bytes, page.host);
      progress.tell(() => `${megabytes(source.offset)} read, ${count(tally.pages, 'page')}, ${sofar(tally)}`);
      if (signal.aborted) break;
    }
  } finally {
    await upload?.end();
  }
  if (!signal.aborted) expectRecords(tally.records, 'stdin');
}

/** A stop ends the reading as the end of stdin does. */
async function* readable(input: Readable, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* input as AsyncIterable<Buffer>;
  } catch (error) {
    if (signal.aborted) return;
    throw error instanceof Failure ? error : new UsageError(`cannot read stdin: ${systemReason(error)}`);
  }
}
