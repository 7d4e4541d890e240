import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { analyze as analyzeText } from '../../../shared/analysis/analyze.ts';
import { DEFAULT_FIELD, FIELD_NAMES, type FieldName, FIELDS } from '../../../shared/query/fields.ts';
import { UsageError } from '../../runtime/failure.ts';
import { pacedWrite } from '../../runtime/output.ts';
import { printable, printableJson } from '../../../shared/text/printable.ts';
import { type Column, layTable, layTsv } from '../../text/table.ts';
import { withExamples } from '../help.ts';
import type { Action, Session } from '../session.ts';

const ABOUT = `
Needs no daemon. Queries and pages are split in the same way, so a word is found
where its tokens are the same. Positions count words, including those that are
left out; start and end count UTF-16 units of the text from 0, end exclusive.
In a pipe, fields are separated by tabs; for stdin, the line number comes first.
--json prints one object per text, -q only the tokens.
`;

/** `hydrant analyze`: the tokens that a text is searched by. */
export function analyzeCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('analyze'),
    "hydrant analyze 'The state of the art: Wi-Fi 6E'",
    "hydrant analyze --field title 'The Who'",
    'hydrant analyze --json < titles.txt',
  )
    .description('show the tokens that a text is split into')
    .argument('[text]', 'the text; - reads one from each line of stdin')
    .addOption(
      new Option('--field <name>', 'the field that the text belongs to').choices(FIELD_NAMES).default(DEFAULT_FIELD),
    )
    .addHelpText('after', ABOUT)
    .action(
      action(async (session, [text], { field }) => {
        if (text === undefined && session.context.io.stdin.isTTY === true) {
          throw new UsageError('the text is missing', { try: "hydrant analyze 'Wi-Fi 6E'" });
        }
        await analyzeTexts(session, text ?? '-', field);
      }),
    );
}

interface Token {
  readonly term: string;
  readonly position: number;
  readonly start: number;
  readonly end: number;
}

/** Characters of one text on stdin: its tokens are held in memory at once. */
const LONGEST = 1_024 * 1_024;

async function analyzeTexts(session: Session, text: string, field: FieldName): Promise<void> {
  const { context } = session;
  // The tables of the analyzer take time to load.
  const { analyze } = await import('../../../shared/analysis/analyze.ts');
  const say = async (line: string, number: number): Promise<void> => {
    const lines = format(session, field, { text: line, number, tokens: tokensOf(analyze, field, line) });
    if (lines.length > 0) await pacedWrite(context.io.stdout, `${lines.join('\n')}\n`, context.closed);
  };
  if (text !== '-') return say(text, 0);
  for await (const { number, text: line } of context.readLines('the texts', LONGEST)) {
    if (line === undefined) throw new UsageError(`stdin:${number}: the line has more than ${LONGEST} characters`);
    if (context.closed?.aborted === true) return;
    await say(line, number);
  }
}

type Analyze = typeof analyzeText;

/** As the matcher has them: a keyword is one token, the whole value with its letter case; an empty one has no token. */
function tokensOf(analyze: Analyze, field: FieldName, text: string): Token[] {
  const { kind, keepsStopWords } = FIELDS[field];
  if (kind === 'keyword') return text === '' ? [] : [{ term: text, position: 0, start: 0, end: text.length }];
  const tokens: Token[] = [];
  analyze(text, keepsStopWords, (term, position, start, end) => tokens.push({ term, position, start, end }));
  return tokens;
}

interface Analyzed {
  readonly text: string;
  /** That of the line, from 1; 0 for a text of the command line. */
  readonly number: number;
  readonly tokens: readonly Token[];
}

function format({ flags, out, context }: Session, field: FieldName, { text, number, tokens }: Analyzed): string[] {
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
