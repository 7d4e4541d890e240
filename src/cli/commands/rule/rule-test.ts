import path from 'node:path';
import { explainRule } from '../../../shared/match/explain.ts';
import { QUERY_LENGTH } from '../../../shared/limits.ts';
import { validate, type Validation } from '../../../shared/query/validate.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { UsageError } from '../../runtime/failure.ts';
import { openFile, readAll } from '../../runtime/input.ts';
import { printable, printableJson } from '../../../shared/text/printable.ts';
import type { Subject } from '../offline/match-page.ts';
import { at, valuesOfDocument } from '../offline/match-subject.ts';
import { explanationLines } from '../offline/match-run.ts';
import type { Session } from '../session.ts';
import { count } from '../../../shared/text/plural.ts';
import { YamlFields, YamlText } from '../yaml-text.ts';

/**
 * `hydrant rule test`: regression cases of queries. A file in, YAML or JSON: a list of cases, or `query` with `cases`
 * that share it; each has a query, a page or a change, and whether it is to match. Offline, by the code of a visit.
 */
interface Case {
  readonly name: string;
  readonly line: number;
  readonly query: string;
  readonly match: boolean;
  readonly quality: boolean;
  readonly nsfw: boolean;
  readonly now: number;
  readonly subject: () => Promise<Subject>;
}

interface Outcome {
  readonly name: string;
  readonly line: number;
  readonly ok: boolean;
  readonly expected: boolean;
  /** Absent where the query is not valid. */
  readonly match?: boolean;
  /** Why, for people. */
  readonly lines: readonly string[];
}

const FIELDS = ['name', 'query', 'doc', 'page', 'was', 'url', 'match', 'quality', 'nsfw', 'now'] as const;
/** Differences that are told in full. */
const SHOWN = 10;

export async function testRules(session: Session, file: string): Promise<number> {
  const { context, out, flags } = session;
  const name = file === '-' ? 'stdin' : path.basename(file);
  const text = file === '-' ? await context.readInput('the cases') : await readAll(openFile(file), file);
  const cases = casesOf(session, new YamlText(text, name), file === '-' ? '.' : path.dirname(file));
  if (cases.length === 0) throw new UsageError(`${name}: it has no test cases`);
  const outcomes: Outcome[] = [];
  for (const one of cases) outcomes.push(await outcomeOf(session, one));
  const differing = outcomes.filter(({ ok }) => !ok);
  if (flags.json === true) {
    out.text(
      `${printableJson(outcomes.map(({ name, line, ok, expected, match }) => ({ name, line, ok, expected, match })))}\n`,
    );
  } else {
    for (const one of differing.slice(0, SHOWN)) out.text(`${told(one, name).join('\n')}\n`);
    if (differing.length > SHOWN) out.notice(`and ${differing.length - SHOWN} more`);
  }
  out.notice(
    differing.length === 0
      ? `${count(cases.length, 'case')}, all as expected`
      : `${differing.length} of ${count(cases.length, 'case')} differ`,
  );
  return differing.length === 0 ? exitCode.ok : exitCode.no;
}

function told({ name, line, expected, lines }: Outcome, file: string): string[] {
  const wanted = expected ? 'a match' : 'no match';
  return [`${printable(file)}:${line}: ${printable(name)}: ${wanted} was expected`, ...lines.map((one) => `  ${one}`)];
}

async function outcomeOf({ out }: Session, given: Case): Promise<Outcome> {
  const { name, line, match: expected, quality, nsfw } = given;
  const validation = validate(given.query);
  const { query } = validation;
  if (!query) return { name, line, ok: false, expected, lines: complaints(validation) };
  const { values, isUnchanged } = await given.subject();
  const explained = explainRule(query, values, { quality, nsfw });
  const match = explained.matches && !isUnchanged;
  const why = isUnchanged
    ? ['no match: no relevant change']
    : explanationLines(explained, validation, values, out.paint);
  return { name, line, ok: match === expected, expected, match, lines: why };
}

function complaints({ diagnostics }: Validation): string[] {
  return diagnostics.map(({ severity, message }) => `${severity}: ${printable(message)}`);
}

function casesOf(session: Session, text: YamlText, directory: string): Case[] {
  const { value } = text;
  if (Array.isArray(value)) return value.map((one, index) => caseOf(session, text, [index], one, directory, undefined));
  const whole = new YamlFields(text, [], value, ['query', 'cases']);
  const cases = whole.raw('cases');
  if (!Array.isArray(cases)) throw whole.fault('cases', '`cases` is not a list of cases');
  const query = whole.text('query');
  return cases.map((one, index) => caseOf(session, text, ['cases', index], one, directory, query));
}

function caseOf(
  session: Session,
  text: YamlText,
  place: readonly (string | number)[],
  value: unknown,
  directory: string,
  shared: string | undefined,
): Case {
  const fields = new YamlFields(text, place, value, FIELDS);
  const query = fields.text('query') ?? shared ?? fields.required('query');
  if (query.length > QUERY_LENGTH) throw fields.fault('query', `\`query\` has more than ${QUERY_LENGTH} characters`);
  const match = fields.flag('match');
  if (match === undefined)
    throw fields.fault('match', '`match` is missing', 'true: the query should match; false: it should not');
  const now = nowOf(fields) ?? session.context.now();
  return {
    name: fields.text('name') ?? query,
    line: fields.line,
    query,
    match,
    quality: fields.flag('quality') ?? false,
    nsfw: fields.flag('nsfw') ?? false,
    now,
    subject: subjectOf(session, fields, directory, now),
  };
}

function nowOf(fields: YamlFields): number | undefined {
  const text = fields.text('now');
  const instant = text === undefined ? undefined : Date.parse(text);
  if (Number.isNaN(instant)) throw fields.fault('now', '`now` is not a time such as 2026-03-01T12:00:00Z');
  return instant;
}

/** A change that is written down, or a page out of a file, as `hydrant match` has it. */
function subjectOf(session: Session, fields: YamlFields, directory: string, now: number): () => Promise<Subject> {
  const [page, was, url] = ['page', 'was', 'url'].map((name) => fields.text(name));
  if (fields.has('doc') === (page !== undefined)) {
    throw fields.fault('doc', 'a case has a `doc`, which is fields, or a `page`, which is a file; one of them');
  }
  if (page === undefined) {
    const values = at(`line ${fields.line}`, () => valuesOfDocument(fields.raw('doc'), now));
    return async () => ({ values, isUnchanged: false });
  }
  const inFiles = (file: string): string => path.resolve(directory, file);
  const flags = {
    nsfw: true,
    ...(was !== undefined && { was: inFiles(was) }),
    ...(url !== undefined && { as: url }),
  };
  // Only who has pages pays for the reader and the models of the labels.
  return async () =>
    (await import('../offline/match-page.ts')).pageSubject(session, { source: inFiles(page), now, flags });
}
