import { Command, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import { UsageError } from '../../runtime/failure.ts';
import { withExamples } from '../help.ts';
import type { Action } from '../session.ts';

const ABOUT = `
Needs no daemon. The exit code is 0 if every query is valid, even with warnings,
and 1 if one is not. Without a query, or with -, reads one query from each line
of stdin, including empty lines, and answers in the same order.
--json prints one object per query; -q prints nothing but sets the exit code.
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
    .option('--fix', 'print the query with every certain fix applied')
    .option('--effective', 'print the whole query that a rule is evaluated as, its filters included')
    .option('--no-quality', 'check the query of a rule without the quality filter')
    .option('--nsfw', 'check the query of a rule that includes adult pages')
    .option('--filter <name=query>', 'define a saved filter; may be given several times', withFilter)
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
  if (!found) throw new InvalidArgumentError("It must be written as junk='title:coupon'.");
  return new Map([...known, [found[1] ?? '', found[2] ?? '']]);
}
