import type { Diagnostic } from '../../../shared/api/diagnostic.ts';
import { matchesValues } from '../../../shared/match/evaluate.ts';
import { adultProblem, qualityProblem } from '../../../shared/match/quality.ts';
import type { FieldValues } from '../../../shared/match/document.ts';
import { validate } from '../../../shared/query/validate.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { Failure, UsageError } from '../../runtime/failure.ts';
import { eachLine, INPUT_BYTES, type Line, openFile } from '../../runtime/input.ts';
import { pacedWrite } from '../../runtime/output.ts';
import { printableJson } from '../../../shared/text/printable.ts';
import { report } from '../../text/report.ts';
import { at, type MatchFlags, parseJson, valuesOfDocument } from './match-subject.ts';
import { formOn } from '../query-report.ts';
import type { Session } from '../session.ts';
import { count } from '../../../shared/text/plural.ts';
import { isObject } from '../../../shared/page/json-value.ts';

/**
 * `hydrant match --cases`: JSON lines in, each a query and a document; JSON lines out, each what became of them. How
 * users keep tests of their rules, and how the language is held to Lucene's own answers. One case is held at a time. A
 * line that is not a case is reported and the others go on: one slip in a file of thousands hides nothing else.
 */
export async function runCases(session: Session, file: string, flags: MatchFlags): Promise<number> {
  const { context } = session;
  const now = flags.now ?? context.now();
  const tally: Tally = { all: 0, malformed: 0, expecting: 0, differing: 0 };
  for await (const line of linesOf(session, file)) {
    if (context.closed?.aborted === true) return exitCode.ok;
    if (line.text?.trim() === '') continue;
    tally.all += 1;
    const found = attempt(session, line, now, flags);
    if (!found) tally.malformed += 1;
    else if (flags.check === true) await tell(session, compare(found, tally));
    else await tell(session, found.answer);
  }
  if (context.closed?.aborted === true) return exitCode.ok;
  return summarize(session, tally, flags);
}

interface Tally {
  all: number;
  malformed: number;
  expecting: number;
  differing: number;
}

interface Case {
  readonly id: unknown;
  readonly query: string;
  readonly values: FieldValues;
  readonly expected: Expected;
}

interface Expected {
  readonly ok?: boolean;
  readonly match?: boolean;
}

interface Answer {
  readonly id: unknown;
  /** Whether the query is valid. */
  readonly ok: boolean;
  /** Absent when it is not. */
  readonly match?: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

function linesOf({ context }: Session, file: string): AsyncIterable<Line> {
  return file === '-' ? context.readLines('the cases') : eachLine(openFile(file), file);
}

/** Undefined, and an error on stderr, where the line cannot be answered. */
function attempt(
  session: Session,
  line: Line,
  now: number,
  flags: MatchFlags,
): { answer: Answer; expected: Expected } | undefined {
  const file = flags.cases === undefined || flags.cases === '-' ? 'stdin' : flags.cases;
  try {
    const found = line.text === undefined ? undefined : parseJson(line.text, file, line.number);
    return at(`${file}:${line.number}`, () => {
      const { id, query, values, expected } = read(line, found, now);
      return { answer: { id, ...answer(query, values, flags) }, expected };
    });
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure;
    complain(session, failure, file, line.number);
    return undefined;
  }
}

/** What is no usage error is a query that takes too long: its line is no better than one that cannot be read. */
function complain({ out, context }: Session, error: Error, file: string, line: number): void {
  const failure =
    error instanceof Failure ? error : new Failure('failed', exitCode.usage, `${file}:${line}: ${error.message}`);
  const text = report(failure, formOn(context.io.stderr, out.paintNotice));
  out.warning({ code: failure.code, message: failure.message, line }, text.trimEnd().split('\n'));
}

function read({ number, text }: Line, found: unknown, now: number): Case {
  if (text === undefined) throw new UsageError(`the line has more than ${INPUT_BYTES} characters`);
  if (!isObject(found)) throw new UsageError('a case is an object with a query and a doc');
  const { id = number, query, doc } = found;
  if (typeof query !== 'string') throw new UsageError('the case has no `query`, which is a text');
  if (doc === undefined) throw new UsageError('the case has no `doc`, which is an object of fields');
  const expected = { ...booleanOf(found, 'ok'), ...booleanOf(found, 'match') };
  return { id, query, values: valuesOfDocument(doc, now), expected };
}

function booleanOf(found: Readonly<Record<string, unknown>>, key: keyof Expected): Expected {
  const value = found[key] ?? undefined;
  if (value === undefined) return {};
  if (typeof value === 'boolean') return { [key]: value };
  throw new UsageError(`the case's \`${key}\` is neither true nor false`);
}

function answer(text: string, values: FieldValues, flags: MatchFlags): Omit<Answer, 'id'> {
  const { query, diagnostics } = validate(text);
  if (!query) return { ok: false, diagnostics };
  return { ok: true, match: passes(values, flags) && matchesValues(query, values), diagnostics };
}

/** What a rule's switches ask besides its query. */
function passes(values: FieldValues, { quality, nsfw }: MatchFlags): boolean {
  if (quality === true && qualityProblem(values) !== undefined) return false;
  return nsfw || adultProblem(values) === undefined;
}

/** What differs from what was expected, with that beside it; undefined where nothing does. */
function compare(found: { answer: Answer; expected: Expected }, tally: Tally): object | undefined {
  const { answer, expected } = found;
  const keys = ['ok', 'match'] as const;
  if (keys.some((key) => expected[key] !== undefined)) tally.expecting += 1;
  if (keys.every((key) => expected[key] === undefined || expected[key] === answer[key])) return undefined;
  tally.differing += 1;
  const { id, ...rest } = answer;
  return { id, expected, ...rest };
}

async function tell({ context }: Session, answer: object | undefined): Promise<void> {
  if (answer) await pacedWrite(context.io.stdout, `${printableJson(answer)}\n`, context.closed);
}

function summarize({ out }: Session, { all, malformed, expecting, differing }: Tally, flags: MatchFlags): number {
  const bad = malformed === 0 ? '' : `, ${count(malformed, 'line')} skipped`;
  if (flags.check === true) out.notice(`${differing} of ${count(expecting, 'case')} differ${bad}`);
  else out.notice(`${count(all - malformed, 'case')}${bad}`);
  if (malformed > 0) return exitCode.usage;
  // A check that compares nothing would always pass.
  if (flags.check === true && expecting === 0) throw new UsageError('no case has an `ok` or a `match` to compare with');
  return differing > 0 ? exitCode.no : exitCode.ok;
}
