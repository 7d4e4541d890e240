import { analyze } from '../../../shared/analysis/analyze.ts';
import { FIELDS, type FieldName } from '../../../shared/query/fields.ts';
import { UsageError } from '../../failure.ts';
import { pacedWrite } from '../../paced-write.ts';
import { printable, printableJson } from '../../printable.ts';
import { type Column, layTable, layTsv } from '../../table.ts';
import type { Session } from '../session.ts';

interface Token {
  readonly term: string;
  readonly position: number;
  readonly start: number;
  readonly end: number;
}

/** Characters of one text on stdin: its tokens are held at once. */
const LONGEST = 1_024 * 1_024;

/** `hydrant analyze`: a text, or one a line of stdin, as the tokens that queries and pages are compared by. */
export async function runAnalyze(session: Session, text: string, field: FieldName): Promise<void> {
  const { context } = session;
  const say = async (lines: readonly string[]): Promise<void> => {
    if (lines.length > 0) await pacedWrite(context.io.stdout, `${lines.join('\n')}\n`, context.closed);
  };
  if (text !== '-') return say(format(session, field, text, 0));
  for await (const { number, text: line } of context.readLines('the texts', LONGEST)) {
    if (line === undefined) throw new UsageError(`stdin:${number}: the line has more than ${LONGEST} characters`);
    if (context.closed?.aborted === true) return;
    await say(format(session, field, line, number));
  }
}

/** As the matcher has them: a keyword is one token, the whole value with its letter case; nothing has none. */
function tokensOf(field: FieldName, text: string): Token[] {
  const { kind, keepsStopWords } = FIELDS[field];
  if (kind === 'keyword') return text === '' ? [] : [{ term: text, position: 0, start: 0, end: text.length }];
  const tokens: Token[] = [];
  analyze(text, keepsStopWords, (term, position, start, end) => tokens.push({ term, position, start, end }));
  return tokens;
}

function format({ flags, out, context }: Session, field: FieldName, text: string, number: number): string[] {
  const tokens = tokensOf(field, text);
  if (flags.json === true) return [printableJson({ field, text, tokens })];
  if (flags.quiet === true) return tokens.map(({ term }) => printable(term));
  if (!out.forPeople) return layTsv(number === 0 ? columns : [lineColumn(number), ...columns], tokens);
  const [head = '', ...body] = layTable(columns, tokens, context.io.stdout.columns ?? 80);
  const heading = number === 0 ? [] : [...(number > 1 ? [''] : []), `line ${number}`];
  return tokens.length === 0 ? [...heading, 'no tokens'] : [...heading, out.paint('dim', head), ...body];
}

const columns: readonly Column<Token>[] = [
  { title: 'token', show: ({ term }) => term },
  { title: 'position', show: ({ position }) => String(position), align: 'right' },
  { title: 'start', show: ({ start }) => String(start), align: 'right' },
  { title: 'end', show: ({ end }) => String(end), align: 'right' },
];

function lineColumn(number: number): Column<Token> {
  return { title: 'line', show: () => String(number) };
}
