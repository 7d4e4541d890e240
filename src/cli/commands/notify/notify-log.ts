import type { ParkedMessage, SinkLogEntry } from '../../../shared/api/notify.ts';
import { pacedWrite } from '../../runtime/output.ts';
import { printable, printableJson, quoted } from '../../../shared/text/printable.ts';
import { relative } from '../../text/time.ts';
import { cut } from '../../text/table.ts';
import type { EntriesAsked } from '../../client/sinks.ts';
import type { Session } from '../session.ts';
import { findSink, OUTCOMES } from './notify-state.ts';

/** `hydrant notify log`: the attempts of a sink, or what is parked, newest first. */
interface LogFlags {
  readonly failures?: true | undefined;
  readonly parked?: true | undefined;
  readonly limit?: number | undefined;
}

/** Lines without `--limit`. */
const LINES = 30;
/** Entries of one answer. */
const A_PAGE = 100;

export async function showSinkLog(session: Session, wanted: string, flags: LogFlags): Promise<void> {
  const { out } = session;
  const { client } = await session.connect();
  const { id, name } = findSink(await client.sinks.list(), wanted);
  const { limit = LINES } = flags;
  if (flags.parked === true) {
    const messages = entries((asked) => client.sinks.parked(id, asked));
    const written = await write(session, messages, limit, parkedCells);
    if (written === 0) return out.notice(`${name}: nothing was refused`);
    return out.notice('they are kept until they are sent', `hydrant notify replay ${quoted(name)} --parked`);
  }
  const isShown = ({ outcome }: SinkLogEntry): boolean => flags.failures !== true || outcome !== 'delivered';
  const attempts = chosen(
    entries((asked) => client.sinks.log(id, asked)),
    isShown,
  );
  if ((await write(session, attempts, limit, attemptCells)) > 0) return;
  if (flags.failures === true) out.notice(`${name}: no attempt failed`);
  else out.notice(`${name}: nothing was sent yet`, `hydrant notify test ${quoted(name)}`);
}

interface Numbered {
  readonly n: number;
}

async function* entries<Entry extends Numbered>(
  ask: (asked: EntriesAsked) => Promise<readonly Entry[]>,
): AsyncGenerator<Entry> {
  for (let before: number | undefined; ;) {
    const page = await ask({ limit: A_PAGE, ...(before !== undefined && { before }) });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < A_PAGE) return;
    before = last.n;
  }
}

async function* chosen<Entry>(from: AsyncIterable<Entry>, isShown: (entry: Entry) => boolean): AsyncGenerator<Entry> {
  for await (const entry of from) if (isShown(entry)) yield entry;
}

/** What a line says of an entry: its columns in a pipe; the time, the outcome and the rest on a terminal. */
interface Cells {
  readonly at: string;
  readonly outcome: SinkLogEntry['outcome'];
  readonly says: string;
  readonly plain: readonly string[];
}

/** @returns how many were written */
async function write<Entry extends Numbered>(
  session: Session,
  from: AsyncIterable<Entry>,
  limit: number,
  cellsOf: (entry: Entry) => Cells,
): Promise<number> {
  const { context, flags } = session;
  let lines = 0;
  for await (const entry of from) {
    if (lines === limit || context.closed?.aborted === true) break;
    const line =
      flags.json === true
        ? printableJson(entry)
        : flags.quiet === true
          ? String(entry.n)
          : lineOf(session, entry, cellsOf(entry));
    await pacedWrite(context.io.stdout, `${line}\n`, context.closed);
    lines += 1;
  }
  return lines;
}

const COLOURS = { delivered: 'dim', refused: 'red', unavailable: 'yellow', gone: 'red' } as const;
const NUMBERS = 6;
const AGE = '23 h 59 m ago'.length;

function lineOf({ context, out }: Session, { n }: Numbered, { at, outcome, says, plain }: Cells): string {
  if (!out.forPeople) return [String(n), at, ...plain].map(printable).join('\t');
  const text = `${String(n).padStart(NUMBERS)}  ${relative(at, out.now).padEnd(AGE)}  ${says}`;
  return out.paint(COLOURS[outcome], cut(printable(text), context.io.stdout.columns ?? 80));
}

function attemptCells(entry: SinkLogEntry): Cells {
  const { at, message_id: id, type, title, attempt, outcome, status, detail = '', ms } = entry;
  const again = attempt > 1 ? `, attempt ${attempt}` : '';
  // A line is cut at its end: why it failed says more than what it was about.
  const why = outcome === 'delivered' || detail === '' ? '' : `: ${detail}`;
  const says = `${OUTCOMES[outcome]}${status === undefined ? '' : ` ${status}`}${again}${why}  ${type}  ${title}`;
  const code = status === undefined ? '' : String(status);
  return { at, outcome, says, plain: [outcome, code, String(attempt), type, title, detail, String(ms), id] };
}

function parkedCells({ parked_at: at, message_id: id, type, title, url = '', error }: ParkedMessage): Cells {
  const code = error.status === undefined ? '' : String(error.status);
  const says = `${OUTCOMES[error.outcome]}${code === '' ? '' : ` ${code}`}: ${error.detail}  ${type}  ${title}`;
  return { at, outcome: error.outcome, says, plain: [error.outcome, code, type, title, url, error.detail, id] };
}
