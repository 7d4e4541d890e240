import path from 'node:path';
import type { Readable } from 'node:stream';
import { RatingList } from '../../../shared/rating/list.ts';
import { RatingUpload } from '../../client/crawl.ts';
import { Refused } from '../../client/transport.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { Failure, UsageError } from '../../runtime/failure.ts';
import { eachLine, type Line, openFile, unpacked } from '../../runtime/input.ts';
import { printable } from '../../../shared/text/printable.ts';
import { Progress } from '../../runtime/output.ts';
import { Ending, exitCodeOf } from '../../runtime/ending.ts';
import type { Session } from '../session.ts';
import { count } from '../../../shared/text/plural.ts';

/**
 * `hydrant rating import`: a list of any length, read and sent as it comes. Nothing holds before all of it has arrived:
 * an error, a signal or a lost daemon on the way leaves the former list as it was. Answers the exit code.
 */
export async function importRatings(session: Session, file: string): Promise<number> {
  const { context, out } = session;
  const { client } = await session.connect();
  const input = file === '-' ? context.readBytes('the list') : openFile(file);
  const name = file === '-' ? 'stdin' : path.basename(file);
  const upload = new RatingUpload(client.ratings, name);
  const ending = new Ending(process, context.closed);
  // A pipe without data would keep the process from ending.
  ending.signal.addEventListener('abort', () => input.destroy(), { once: true });
  try {
    const tally = await send(session, { input, file, upload, signal: ending.signal });
    tellBadLines(session, tally);
    check(tally, file);
    const { imported } = await upload.publish();
    out.done(
      { name, domains: imported?.domains ?? 0, lines: tally.lines, beyond: tally.beyond, bad: tally.bad },
      {
        id: String(imported?.domains ?? 0),
        notice: summary(tally, name, imported?.domains ?? 0),
        next: `hydrant rating show example.org`,
      },
    );
    return exitCode.ok;
  } catch (error) {
    await upload.giveUp().catch(() => {});
    if (!ending.signal.aborted) throw superseded(error);
    out.notice('stopped; the ratings are as they were');
    return exitCodeOf(ending.cause);
  } finally {
    ending.dispose();
    input.destroy();
  }
}

interface Tally {
  lines: number;
  rated: number;
  beyond: number;
  bad: number;
  /** The first of them. */
  readonly badLines: { readonly line: number; readonly message: string }[];
}

interface Sending {
  readonly input: Readable;
  readonly file: string;
  readonly upload: RatingUpload;
  readonly signal: AbortSignal;
}

/** Bad lines that are told; the others are counted. */
const SHOWN_BAD_LINES = 5;
/** UTF-16 units: the longest name, and columns that lists have beside it. */
const LONGEST_LINE = 4_096;
/** Lines between two looks at the clock. */
const LOOK_EVERY = 1_000;

async function send(session: Session, { input, file, upload, signal }: Sending): Promise<Tally> {
  const { context, flags } = session;
  const name = file === '-' ? 'stdin' : file;
  const progress = new Progress(context, { silent: flags.quiet === true || flags.json === true });
  const tally: Tally = { lines: 0, rated: 0, beyond: 0, bad: 0, badLines: [] };
  const list = new RatingList();
  try {
    for await (const line of eachLine(unpacked(input, name), name, LONGEST_LINE)) {
      const rated = read(list, line, tally);
      if (rated) await upload.add(rated);
      if (tally.lines % LOOK_EVERY === 0) progress.tell(() => `${count(tally.lines, 'line')} read`);
      signal.throwIfAborted();
    }
  } finally {
    progress.end();
  }
  signal.throwIfAborted();
  return tally;
}

function read(list: RatingList, { number, text }: Line, tally: Tally): readonly [string, number] | undefined {
  tally.lines += 1;
  const found = text === undefined ? ({ kind: 'bad', message: 'it is too long' } as const) : list.read(text);
  if (found.kind === 'rated') {
    tally.rated += 1;
    return [found.domain, found.rating];
  }
  if (found.kind === 'beyond') tally.beyond += 1;
  if (found.kind === 'bad') {
    tally.bad += 1;
    if (tally.badLines.length < SHOWN_BAD_LINES) tally.badLines.push({ line: number, message: found.message });
  }
  return undefined;
}

function tellBadLines({ out }: Session, { bad, badLines }: Tally): void {
  for (const { line, message } of badLines) {
    const words = `line ${line}: ${message}`;
    out.warning({ code: 'bad_line', message: words, line }, [
      `${out.paintNotice('yellow', 'warning:')} ${printable(words)}`,
    ]);
  }
  const others = bad - badLines.length;
  if (others > 0) out.notice(`and ${count(others, 'more line')} that cannot be read`);
}

/** What is no list at all must not take the place of one that is. */
function check({ lines, rated, beyond, bad }: Tally, file: string): void {
  const what = file === '-' ? 'stdin' : file;
  const hint = 'a line is `rank,domain` or `domain,rating`; see: hydrant rating import --help';
  if (rated === 0) throw new UsageError(`${what} rates no domain; the ratings are as they were`, { hint });
  if (bad <= rated + beyond) return;
  throw new UsageError(
    `${bad} of the ${count(lines, 'line')} of ${what} cannot be read; the ratings are as they were`,
    { hint },
  );
}

function summary({ beyond, bad }: Tally, name: string, domains: number): string {
  const parts = [
    `${count(domains, 'domain')} rated from ${name}`,
    ...(bad > 0 ? [`${count(bad, 'line')} could not be read`] : []),
    ...(beyond > 0 ? [`${count(beyond, 'line')} beyond the last rank`] : []),
  ];
  return parts.join('; ');
}

function superseded(error: unknown): unknown {
  if (!(error instanceof Refused) || error.status !== 404) return error;
  return new Failure('superseded', exitCode.no, 'another import has begun meanwhile and took the place of this one', {
    cause: error,
  });
}
