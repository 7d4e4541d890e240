import { Command, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import { UsageError } from '../../runtime/failure.ts';
import { withExamples } from '../help.ts';
import type { Action } from '../session.ts';

const ABOUT = `
Needs no daemon. Ends with 0 when every query is valid (warnings or not), and
with 1 when one is not. Without a query, or with -, stdin is read: each line is
a query, an empty one too, and is answered in its turn.
--json prints the result as one object a query. -q: the exit code alone.
`;

/** `hydrant validate`: the diagnostics that the daemon would give for a query. */
export function validateCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('validate'),
    `hydrant validate 'title:"annual report" AND language:en'`,
    "hydrant validate --fix 'titel:report and languages:en'",
    'hydrant validate --json < queries.txt | jq -c .diagnostics',
  )
    .description('check a query: what is wrong with it, where, and what to write instead')
    .argument('[query]', 'the query; - reads one from each line of stdin')
    .option('--fix', 'print the query with every suggestion applied that is no guess')
    .option('--no-quality', 'show what is evaluated for a rule without the quality filter')
    .option('--nsfw', 'show what is evaluated for a rule that takes adult pages too')
    .option('--filter <name=query>', 'what $name stands for; may be given several times', withFilter)
    .addHelpText('after', ABOUT)
    .action(
      action(async (session, [query], flags) => {
        if (query === undefined && session.context.io.stdin.isTTY === true) {
          throw new UsageError('the query is missing', { try: "hydrant validate 'title:ferry'" });
        }
        // The compiler of queries takes time to load.
        const { runValidate } = await import('./validate-run.ts');
        return runValidate(session, query ?? '-', flags);
      }),
    );
}

function withFilter(written: string, known: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  const found = /^\$?([A-Za-z0-9_-]{1,64})=(.+)$/s.exec(written);
  if (!found) throw new InvalidArgumentError("Write it as junk='title:coupon'.");
  return new Map([...known, [found[1] ?? '', found[2] ?? '']]);
}
