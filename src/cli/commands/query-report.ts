import type { Diagnostic } from '../../shared/api/diagnostic.ts';
import { Refused } from '../client/transport.ts';
import type { GlobalFlags, Output } from '../runtime/context.ts';
import { exitCode } from '../runtime/exit-code.ts';
import { Failure } from '../runtime/failure.ts';
import type { Paint } from '../runtime/output.ts';
import { diagnosticLines, type ReportForm } from '../text/report.ts';
import type { Session } from './session.ts';
import { quoted } from '../../shared/text/printable.ts';

/** The flags of `rule add` and `rule edit`, as typed: what is absent was not named. */
export interface RuleFlags {
  readonly value?: string | undefined;
  readonly tag?: string | undefined;
  readonly quality?: boolean | undefined;
  readonly nsfw?: boolean | undefined;
}

/** The command as it was typed, up to its query: what a corrected one is made from. */
export interface QueryCommand {
  readonly words: readonly string[];
  readonly flags: RuleFlags;
}

/** Runs `send`; when the query is what was refused, the failure shows where and suggests a command that works. */
export async function withQuery<Result>(
  { flags }: Session,
  query: string | undefined,
  command: QueryCommand,
  send: () => Promise<Result>,
): Promise<Result> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof Refused) || error.diagnostics.length === 0 || query === undefined) throw error;
    throw refusal(error, query, { ...command, where: whereOf(flags) });
  }
}

function refusal(refused: Refused, query: string, command: TypedCommand): Failure {
  const diagnostics = placed(refused.diagnostics, query);
  const first = byWeight(diagnostics)[0];
  const corrected = first && correct(query, first);
  const suggested = corrected === undefined ? undefined : typed(command, corrected);
  return invalidQuery(diagnostics, query, suggested, refused);
}

/**
 * Places are those in the query with its saved filters written out, which the daemon alone knows: behind the first of
 * them they are nowhere in what was typed.
 */
export function placed(diagnostics: readonly Diagnostic[], query: string): Diagnostic[] {
  const first = /(?<!\\)\$[\w-]/.exec(query)?.index ?? Infinity;
  return diagnostics.map((found) => {
    const { span, ...rest } = found;
    const isTyped = span === undefined || span.end <= first || (found.code === 'unknown_filter' && span.start <= first);
    return isTyped ? found : rest;
  });
}

/** The failure of a query that is not valid: the worst finding first, and a command that would work. */
export function invalidQuery(
  findings: readonly Diagnostic[],
  query: string,
  suggested?: string,
  cause?: unknown,
): Failure {
  const diagnostics = byWeight(findings);
  const first = diagnostics[0];
  return new Failure(first?.code ?? 'invalid_query', exitCode.no, first?.message ?? 'the query is not valid', {
    cause,
    source: query,
    diagnostics,
    ...(first?.span && { span: first.span }),
    ...(first && first.field !== null && { field: first.field }),
    ...(first?.hint && { hint: first.hint.message }),
    ...(suggested !== undefined && { try: suggested }),
  });
}

function byWeight(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted((a, b) => rank(a) - rank(b));
}

function rank({ severity }: Diagnostic): number {
  return severity === 'error' ? 0 : 1;
}

/** The query with the hint's replacement in place of the span; undefined where there is none, or it is elsewhere. */
function correct(query: string, { span, hint }: Diagnostic): string | undefined {
  if (!span || !hint || span.end > query.length) return undefined;
  return query.slice(0, span.start) + hint.replacement + query.slice(span.end);
}

interface TypedCommand extends QueryCommand {
  /** The flags that say which daemon and organization are meant. */
  readonly where: readonly string[];
}

function whereOf({ url, dataDir, keyFile, context, org }: GlobalFlags): string[] {
  const given = { '--url': url, '--data-dir': dataDir, '--key-file': keyFile, '--context': context, '--org': org };
  return Object.entries(given).flatMap(([flag, value]) => (value === undefined ? [] : [flag, quoted(value)]));
}

function typed({ words, flags, where }: TypedCommand, query: string): string {
  const switches = [
    ...where,
    ...(flags.tag === undefined ? [] : ['--tag', quoted(flags.tag)]),
    ...(flags.quality === undefined ? [] : [flags.quality ? '--quality' : '--no-quality']),
    ...(flags.nsfw === undefined ? [] : [flags.nsfw ? '--nsfw' : '--no-nsfw']),
  ];
  // Everything after `--` is no flag; a `--value` needs none, its query being an option's value.
  const isFlagLike = query.startsWith('-') && words.at(-1) !== '--value';
  const before = ['hydrant', ...words.map(quoted)];
  if (isFlagLike) return [...before, ...switches, '--', quoted(query)].join(' ');
  return [...before, quoted(query), ...switches].join(' ');
}

/** Says what the daemon thinks of a query that it accepted all the same. */
export function warn({ out, context }: Session, warnings: readonly Diagnostic[], query: string): void {
  const form = formOn(context.io.stderr, out.paintNotice);
  for (const found of placed(warnings, query)) out.warning(found, diagnosticLines(found, query, form));
}

/** How findings about a query are laid out on a stream. */
export function formOn(stream: Output, paint: Paint): ReportForm {
  return { json: false, stack: false, paint, width: stream.columns ?? 80, wraps: stream.isTTY === true };
}
