import { QUERY_LENGTH } from '../../../shared/limits.ts';
import { expand, type Filters } from '../../../shared/query/expand.ts';
import { fix } from '../../../shared/query/suggest/suggestions.ts';
import { type Compiled, validate, type Validation } from '../../../shared/query/validate.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { UsageError } from '../../runtime/failure.ts';
import { pacedWrite } from '../../runtime/output.ts';
import { printable, printableJson } from '../../../shared/text/printable.ts';
import { diagnosticLines, type ReportForm } from '../../text/report.ts';
import { formOn } from '../query-report.ts';
import type { Session } from '../session.ts';

/** As validate.ts declares them. */
interface ValidateFlags {
  readonly fix?: true | undefined;
  readonly effective?: true | undefined;
  readonly quality: boolean;
  readonly nsfw?: true | undefined;
  /** Queries of saved filters by name. */
  readonly filter?: ReadonlyMap<string, string> | undefined;
}

/**
 * `hydrant validate`: queries come in, from the command line or a line each; out comes what the daemon would answer,
 * for people or as its JSON, or the fixed query. The same code as the daemon's, with the saved filters that are given. One
 * query is held at a time.
 */
export async function runValidate(session: Session, query: string, flags: ValidateFlags): Promise<number> {
  const { context, out } = session;
  const tally = { all: 0, valid: 0 };
  for await (const { number, text } of queriesOf(session, query)) {
    if (context.closed?.aborted === true) return exitCode.ok;
    const isValid = await answer(session, text, number, flags);
    tally.all += 1;
    if (isValid) tally.valid += 1;
  }
  if (context.closed?.aborted === true) return exitCode.ok;
  if (query === '-') out.notice(`${tally.valid} of ${tally.all} valid`);
  return tally.valid === tally.all ? exitCode.ok : exitCode.no;
}

/** `number` is that of the line, from 1; 0 is a query that was typed. */
interface Asked {
  readonly number: number;
  readonly text: string;
}

/** Far more than a query may have: longer ones get the answer of the language, only absurd ones are not kept. */
const LONGEST = 64 * QUERY_LENGTH;

async function* queriesOf({ context }: Session, query: string): AsyncGenerator<Asked> {
  if (query !== '-') {
    yield { number: 0, text: query };
    return;
  }
  for await (const { number, text } of context.readLines('the queries', LONGEST)) {
    if (text === undefined) throw new UsageError(`stdin:${number}: the line has more than ${LONGEST} characters`);
    yield { number, text };
  }
}

async function answer(session: Session, query: string, number: number, flags: ValidateFlags): Promise<boolean> {
  const { out, context } = session;
  const { json, quiet } = session.flags;
  const written = flags.filter ? expand(query, lookupOf(flags.filter), QUERY_LENGTH).text : query;
  const settings = { ...flags, now: out.now };
  const { text, validation } = flags.fix === true ? fixed(written, settings) : asTyped(written, settings);
  const say = async (line: string): Promise<void> => pacedWrite(context.io.stdout, `${line}\n`, context.closed);
  if (json === true) {
    await say(printableJson({ ...(flags.fix === true && { query: text }), ...replyOf(validation) }));
  } else if (flags.fix === true) {
    // A pipe gets the query itself: a replacement character in it would be another query.
    await say(context.io.stdout.isTTY === true ? printable(text) : text);
    if (!validation.valid) await tellRest(session, validation, number);
  } else if (quiet !== true) {
    const lines = linesOf(validation, settings, formOn(context.io.stdout, out.paint));
    await say(`${number > 1 ? '\n' : ''}${placed(number)}${lines.join('\n')}`);
  }
  return validation.valid;
}

interface Answered {
  readonly text: string;
  readonly validation: Validation;
}

interface Settings extends Pick<ValidateFlags, 'quality' | 'nsfw' | 'filter' | 'effective'> {
  readonly now: number;
}

function asTyped(text: string, { quality, nsfw, filter, now }: Settings): Answered {
  return { text, validation: validate(text, { quality, nsfw, now, ...(filter && lookupOf(filter)) }) };
}

function lookupOf(filters: ReadonlyMap<string, string>): Filters {
  return { filters: (name) => filters.get(name), filterNames: [...filters.keys()] };
}

/** What the API answers to `POST /v1/validate`, key by key. */
function replyOf({ core_version, valid, diagnostics, compiled, info }: Validation): object {
  return { core_version, valid, diagnostics, compiled, info };
}

/** A mistake that stops the reading hides the ones behind it: one round each, at worst. */
const ROUNDS = 1_000;
/** For a suggestion that nobody asked for: a query with more to fix is no slip of the hand. */
const FEW_ROUNDS = 20;

/**
 * The query with all replacements in their places, again and again, since mending one mistake can show the next. Ends
 * when nothing is left to replace, when a text comes round again, and before a valid query would become invalid.
 */
function fixed(query: string, settings: Settings, rounds = ROUNDS): Answered {
  const seen = new Set([query]);
  let current = asTyped(query, settings);
  for (let round = 0; round < rounds; round++) {
    const text = fix(current.text, current.validation.diagnostics, current.validation.guesses);
    if (seen.has(text)) break;
    seen.add(text);
    const next = asTyped(text, settings);
    if (current.validation.valid && !next.validation.valid) break;
    current = next;
  }
  return current;
}

function placed(number: number): string {
  return number === 0 ? '' : `line ${number}: `;
}

function linesOf(validation: Validation, settings: Settings, form: ReportForm): string[] {
  const { valid, diagnostics, expanded, compiled } = validation;
  const said = valid ? form.paint('green', 'valid') : form.paint('red', 'invalid');
  const found = diagnostics.flatMap((one) => diagnosticLines(one, expanded, form));
  const query = diagnostics.length === 0 ? [`  ${printable(expanded)}`] : [];
  return [
    said,
    ...query,
    ...found,
    ...(compiled ? readings(compiled, settings, form) : remedy(expanded, settings, form)),
  ];
}

/** A rule's filters have some five hundred characters, which say the same of each query. */
function readings({ lucene, effective_lucene }: Compiled, settings: Settings, form: ReportForm): string[] {
  const readAs = `${form.paint('dim', 'read as:')}   ${printable(lucene)}`;
  if (settings.effective === true) return [readAs, `${form.paint('dim', 'effective:')} ${printable(effective_lucene)}`];
  const filters = [
    ...(settings.quality ? ['the quality filter'] : []),
    ...(settings.nsfw === true ? [] : ['without adult pages']),
  ];
  if (filters.length === 0) return [readAs];
  return [
    readAs,
    `${form.paint('dim', 'and:')}       ${filters.join(', ')} ${form.paint('dim', '(--effective prints it)')}`,
  ];
}

/** The whole query as it could be written; only where that is valid. */
function remedy(query: string, settings: Settings, form: ReportForm): string[] {
  const { text, validation } = fixed(query, settings, FEW_ROUNDS);
  return validation.valid ? [`${form.paint('dim', 'fixed:')} ${printable(text)}`] : [];
}

/** What `--fix` could not fix. */
async function tellRest(
  { context, out }: Session,
  { diagnostics, expanded }: Validation,
  number: number,
): Promise<void> {
  const form = formOn(context.io.stderr, out.paintNotice);
  const found = diagnostics.filter(({ severity }) => severity === 'error');
  const lines = found.flatMap((one) => diagnosticLines(one, expanded, form));
  await pacedWrite(context.io.stderr, `${placed(number)}${lines.join('\n')}\n`, context.closed);
}
