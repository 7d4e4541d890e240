import { labels } from '../../../shared/label/labels.ts';
import type { Facts, Page, Segment, Zone } from '../../../shared/page/page.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { pacedWrite, type Paint, Progress } from '../../runtime/output.ts';
import { isUrl, pageFailure, PageProblem, readSource } from '../../pages/page-source.ts';
import {
  type Answer,
  asKnown,
  type FieldLabel,
  fieldLabels,
  pageObject,
  readPage,
  refusal,
  type Task,
} from '../../pages/read-page.ts';
import { printable, printableJson } from '../../../shared/text/printable.ts';
import type { Session } from '../session.ts';
import type { Labels } from '../../../shared/label/label.ts';
import { wrap } from '../../text/table.ts';
import { count } from '../../../shared/text/plural.ts';
import { accountOf, cutNote, unreadable } from '../../../shared/page/account.ts';
import { accountFields } from '../../pages/account-lines.ts';
import { absence } from '../../../shared/page/diff/absence.ts';
import { challenge, massDeletion } from '../../../shared/page/diff/doubt.ts';
import { eachLine, type Line, openFile } from '../../runtime/input.ts';
import { PagePool } from '../../pages/page-pool.ts';
import { Ending, exitCodeOf } from '../../runtime/ending.ts';
import { isObject } from '../../../shared/page/json-value.ts';

/** As extract.ts declares them. */
interface ExtractFlags {
  /** The address that the file had. */
  readonly as: string | undefined;
  readonly zone: Zone | undefined;
}

/** `hydrant extract` of what is named: a page that cannot be read is reported, and the others go on. */
export async function runExtract(session: Session, sources: readonly string[], flags: ExtractFlags): Promise<number> {
  const { context, out } = session;
  const { json, quiet } = session.flags;
  const [only] = sources;
  if (sources.length === 1 && only !== undefined) {
    await show(session, only, flags);
    return exitCode.ok;
  }
  let failed = 0;
  for (const [index, source] of sources.entries()) {
    if (context.closed?.aborted === true) break;
    const isHeaded = json !== true && quiet !== true;
    const heading = out.paint('bold', `==> ${printable(source)} <==`);
    try {
      await show(session, source, flags, isHeaded ? `${index > 0 ? '\n' : ''}${heading}\n` : '');
    } catch (error) {
      if (!(error instanceof PageProblem)) throw error;
      failed += 1;
      const { code, message } = pageFailure(source, error);
      out.warning({ code, message }, [`${out.paintNotice('red', 'error:')} ${printable(message)}`]);
    }
  }
  return failed > 0 ? exitCode.usage : exitCode.ok;
}

/** @param heading undefined where the page is the only one */
async function show(session: Session, source: string, flags: ExtractFlags, heading?: string): Promise<void> {
  const page = await pageOf(session, source, flags).catch((error: unknown) => {
    throw error instanceof PageProblem && heading === undefined ? pageFailure(source, error) : error;
  });
  const text = await format(session, page, flags, heading === undefined || isUrl(source) ? undefined : source);
  await pacedWrite(session.context.io.stdout, `${heading ?? ''}${text}\n`, session.context.closed);
  warnOfDoubts(session, page);
}

async function pageOf({ context }: Session, source: string, flags: ExtractFlags): Promise<Page> {
  return readPage(await readSource(context, source, flags.as ?? ''), context.now());
}

async function format(session: Session, read: Page, flags: ExtractFlags, file?: string): Promise<string> {
  const found = await labels(read);
  const page = asKnown(read);
  if (session.flags.json === true) {
    return printableJson({ ...(file !== undefined && { file }), ...pageObject(page, found, flags.zone) });
  }
  const segments = page.segments.filter(({ zone }) => flags.zone === undefined || zone === flags.zone);
  if (session.flags.quiet === true) return segments.map(({ text }) => printable(text)).join('\n');
  const { io } = session.context;
  const form = { paint: session.out.paint, width: io.stdout.columns ?? 80, zone: flags.zone };
  return pageLines(page, found, form).join('\n');
}

export interface PageForm {
  readonly paint: Paint;
  /** Columns. */
  readonly width: number;
  /** The only zone whose text is shown. */
  readonly zone?: Zone | undefined;
}

/** A page for people: what is known of it, then its text, a piece with its zone and its kind. */
export function pageLines(page: Page, labels: Labels, form: PageForm): string[] {
  const facts = [...saidLines(page, form), ...labelLines(labels, form), ...factLines(page, form)];
  const text = page.segments.filter(({ zone }) => form.zone === undefined || zone === form.zone);
  return [...facts, '', ...segmentLines(text, form)];
}

function saidLines({ title, url, publishTime, futureTime }: Page, form: PageForm): string[] {
  const heading = title === undefined ? form.paint('dim', '(no title)') : form.paint('bold', printable(title));
  const date = publishTime && `${publishTime.local}  (${new Date(publishTime.instant).toISOString()})`;
  const noDate = futureTime ? `no date: ${futureTime.local}, which the page says, is in the future` : 'no date';
  return [heading, ...(url === '' ? [] : [printable(url)]), '', ...row('published', date ?? noDate, form)];
}

const NAMES: Readonly<Record<FieldLabel['field'], string>> = {
  language: 'language',
  page_type: 'page type',
  page_category: 'category',
};

function labelLines(labels: Labels, form: PageForm): string[] {
  const all = fieldLabels(labels);
  return Object.entries(NAMES).flatMap(([field, name]) => {
    const found = all.filter((label) => label.field === field);
    if (found.length === 0) return row(name, form.paint('dim', 'not sure'), form);
    return found.flatMap(({ value, reason }, index) =>
      row(index === 0 ? name : '', `${printable(value)}  ${form.paint('dim', printable(reason))}`, form),
    );
  });
}

function factLines(page: Page, form: PageForm): string[] {
  const { facts, segments, anchors, links } = page;
  const inZone = (zone: Zone): string => `${zone} ${segments.filter((segment) => segment.zone === zone).length}`;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ...saidByFacts(facts),
    ['counts', listed(Object.entries(facts.counts).map(([name, often]) => `${name} ${often}`))],
    ['links', `${count(anchors.length, 'link')} with a text, ${count(links.length, 'target')} in all`],
    ['text', `${count(segments.length, 'piece')}: ${(['main', 'body', 'chrome'] as const).map(inZone).join(', ')}`],
    ...accountFields(accountOf(page)),
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : row(name, printable(value), form)));
}

function saidByFacts(facts: Facts): readonly (readonly [string, string | undefined])[] {
  const { isFamilyFriendly, alternates } = facts;
  return [
    ['canonical', facts.canonical],
    ['site', facts.siteName],
    ['description', facts.description],
    ['declares', facts.language],
    ['sections', listed(facts.sections)],
    ['schema.org', listed(facts.schemaTypes)],
    ['og:type', facts.ogType],
    ['robots', listed(facts.robots)],
    ['rating', listed(facts.ratings)],
    ['family', isFamilyFriendly === undefined ? undefined : `isFamilyFriendly is ${isFamilyFriendly}`],
    ['generator', facts.generator],
    ['alternates', alternates.length === 0 ? undefined : listed(alternates.map((one) => one.hreflang ?? one.href))],
  ];
}

function listed(values: readonly string[]): string | undefined {
  return values.length === 0 ? undefined : values.join(', ');
}

const NAME_COLUMNS = 13;

/** @param value printable */
function row(name: string, value: string, { paint, width }: PageForm): string[] {
  const [first = '', ...others] = wrap(value, width, NAME_COLUMNS);
  return [`${paint('dim', name.padEnd(NAME_COLUMNS))}${first}`, ...others];
}

const ZONE_COLUMNS = 8;
const KIND_COLUMNS = 10;

/** The zone where it begins, the kind at each piece. */
function segmentLines(segments: readonly Segment[], { paint, width }: PageForm): string[] {
  let last: Zone | undefined;
  return segments.flatMap(({ text, kind, zone }) => {
    const shownZone = zone === last ? '' : zone;
    last = zone;
    const [first = '', ...others] = wrap(printable(text), width, ZONE_COLUMNS + KIND_COLUMNS);
    const styled = (line: string): string =>
      kind === 'heading' ? paint('bold', line) : zone === 'chrome' ? paint('dim', line) : line;
    const lead = paint('green', shownZone.padEnd(ZONE_COLUMNS)) + paint('dim', kind.padEnd(KIND_COLUMNS));
    return [lead + styled(first), ...others.map(styled)];
  });
}

/** Warns of what a visit of the daemon would not take for the page, or not at once. */
export function warnOfDoubts({ out }: Session, after: Page, before?: Page): void {
  const absent = absence(after, before);
  const foreign = unreadable(after);
  const doubts = [
    ['challenge', before && challenge(before)],
    ['challenge', challenge(after)],
    ...(absent ? [[absent.reason, absent.detail] as const] : []),
    ...(foreign ? [[foreign.reason, foreign.detail] as const] : []),
    ['mass_deletion', massDeletion(before, after)],
    ['cut', before && cutNote(before)],
    ['cut', cutNote(after)],
  ] as const;
  for (const [code, message] of doubts) {
    if (message === undefined) continue;
    out.warning({ code, message }, [`${out.paintNotice('yellow', 'warning:')} ${printable(message)}`]);
  }
}

/**
 * `hydrant extract --jsonl`: JSON lines in, each a file; JSON lines out, each what hydrant sees of it, in the order of
 * the input. Pages are read on all cores, and only so many are held that memory does not grow with their number.
 */
export async function runExtractLines(session: Session, file: string, zone: Zone | undefined): Promise<number> {
  const { context, out } = session;
  const input = file === '-' ? context.readBytes('the lines') : openFile(file);
  const ending = new Ending(process, context.closed);
  const pool = new PagePool();
  // A pipe that says nothing, and pages under way, would hold up the end.
  const end = (): void => {
    input.destroy();
    void pool.close();
  };
  ending.signal.addEventListener('abort', end, { once: true });
  const lines = eachLine(input, file === '-' ? 'stdin' : file);
  try {
    const tally = await new Batch(session, pool, ending.signal, zone).run(lines);
    if (ending.signal.aborted) return exitCodeOf(ending.cause);
    out.notice(`${count(tally.all, 'page')}${tally.failed === 0 ? '' : `, ${tally.failed} failed`}`);
    return tally.failed > 0 ? exitCode.usage : exitCode.ok;
  } catch (error) {
    // What an interruption breaks off is no failure.
    if (ending.signal.aborted) return exitCodeOf(ending.cause);
    throw error;
  } finally {
    ending.dispose();
    input.destroy();
    await pool.close();
  }
}

/** Pages for each thread that are under way or wait for those before them; a long page holds up no more than that. */
const AHEAD = 16;
/** UTF-16 units of answers that wait; more are held only of pages that are under way already. */
const HELD = 64 * 1_024 * 1_024;

class Batch {
  readonly #session: Session;
  readonly #pool: PagePool;
  readonly #signal: AbortSignal;
  readonly #zone: Zone | undefined;
  readonly #now: number;
  readonly #progress: Progress;
  readonly #tally = { all: 0, failed: 0 };
  /** In the order of the input. */
  readonly #answers: Promise<Answer>[] = [];
  #held = 0;

  constructor(session: Session, pool: PagePool, signal: AbortSignal, zone: Zone | undefined) {
    const { context, flags } = session;
    this.#session = session;
    this.#pool = pool;
    this.#signal = signal;
    this.#zone = zone;
    this.#now = context.now();
    const { stdout, stderr } = context.io;
    const isAside = stderr.isTTY === true && stdout.isTTY !== true;
    this.#progress = new Progress(context, { silent: !isAside || flags.quiet === true || flags.json === true });
  }

  async run(lines: AsyncIterable<Line>): Promise<{ readonly all: number; readonly failed: number }> {
    try {
      for await (const line of lines) {
        if (this.#signal.aborted) break;
        if (line.text?.trim() === '') continue;
        this.#answers.push(this.#answer(line));
        while (this.#answers.length >= AHEAD * this.#pool.threads || this.#held > HELD) await this.#tell();
      }
      while (this.#answers.length > 0 && !this.#signal.aborted) await this.#tell();
    } finally {
      this.#progress.end();
    }
    return this.#tally;
  }

  async #answer(line: Line): Promise<Answer> {
    const answer = await this.#asked(line);
    this.#held += answer.line.length;
    return answer;
  }

  async #asked(line: Line): Promise<Answer> {
    const task = taskOf(line, this.#now);
    if (typeof task === 'string') return refusal({ line: line.number }, 'bad_line', task);
    return this.#pool.ask(this.#zone === undefined ? task : { ...task, zone: this.#zone });
  }

  async #tell(): Promise<void> {
    const answer = await this.#answers.shift();
    if (!answer || this.#signal.aborted) return;
    this.#held -= answer.line.length;
    this.#tally.all += 1;
    if (answer.failed) this.#tally.failed += 1;
    const { all, failed } = this.#tally;
    await pacedWrite(this.#session.context.io.stdout, `${answer.line}\n`, this.#signal);
    this.#progress.tell(() => `${count(all, 'page')}${failed === 0 ? '' : `, ${failed} failed`}`);
  }
}

/** The task, or what is wrong with the line. */
function taskOf({ text }: Line, now: number): Task | string {
  if (text === undefined) return 'the line is too long';
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (error) {
    return `the line is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (!isObject(found)) return 'a line is an object with a `file`';
  const { file, url = null, at = null } = found;
  if (typeof file !== 'string') return 'the line has no `file`, which is a text';
  if (url !== null && typeof url !== 'string') return 'its `url` is neither a text nor null';
  const time = at === null ? now : timeOf(at);
  return time === undefined ? 'its `at` is not a time: 2026-02-13T08:00:00Z, or milliseconds' : { file, url, at: time };
}

/** Without a zone it is UTC, as everywhere. */
function timeOf(at: unknown): number | undefined {
  if (typeof at === 'number') return Number.isFinite(at) ? at : undefined;
  if (typeof at !== 'string' || !/^\d{4}-\d\d-\d\d/.test(at)) return undefined;
  const hasZone = /^.{10}$|(?:Z|[+-]\d\d:?\d\d)$/.test(at);
  const time = Date.parse(hasZone ? at : `${at}Z`);
  return Number.isNaN(time) ? undefined : time;
}
