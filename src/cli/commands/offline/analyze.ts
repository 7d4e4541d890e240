import { Command, Option } from 'commander';
import { DEFAULT_FIELD, FIELD_NAMES, type FieldName } from '../../../shared/query/fields.ts';
import type { Context } from '../../context.ts';
import { UsageError } from '../../failure.ts';
import { withExamples } from '../help.ts';
import { openSession, type SessionFlags } from '../session.ts';

export interface AnalyzeFlags extends SessionFlags {
  readonly field: FieldName;
}

const ABOUT = `
Needs no daemon. Queries and pages are split the same way, so a word is found
where its tokens are the same. Positions count words, those left out too; start
and end count UTF-16 units of the text, from 0, the end not included.
In a pipe: tab-separated, the number of the line first when stdin is read.
--json: one object a text. -q: the tokens.
`;

/** `hydrant analyze`: the tokens that a text is searched by. */
export function analyzeCommand(context: Context): Command {
  return withExamples(
    new Command('analyze'),
    "hydrant analyze 'The state of the art: Wi-Fi 6E'",
    "hydrant analyze --field title 'The Who'",
    'hydrant analyze --json < titles.txt',
  )
    .description('show the tokens that a text is searched by')
    .argument('[text]', 'the text; - reads one from each line of stdin')
    .addOption(new Option('--field <name>', 'the field whose text it is').choices(FIELD_NAMES).default(DEFAULT_FIELD))
    .addHelpText('after', ABOUT)
    .action(async (text: string | undefined, _flags: object, command: Command) => {
      if (text === undefined && context.io.stdin.isTTY === true) {
        throw new UsageError('the text is missing', { try: "hydrant analyze 'Wi-Fi 6E'" });
      }
      const { runAnalyze } = await import('./analyze-run.ts');
      const { field } = command.optsWithGlobals<AnalyzeFlags>();
      await runAnalyze(openSession(context, command), text ?? '-', field);
    });
}
