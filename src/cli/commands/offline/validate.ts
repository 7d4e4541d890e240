import { Command, InvalidArgumentError } from 'commander';
import type { Context } from '../../context.ts';
import { UsageError } from '../../failure.ts';
import { withExamples } from '../help.ts';
import type { OnStopped } from '../on-stopped.ts';
import { openSession, type SessionFlags } from '../session.ts';

export interface ValidateFlags extends SessionFlags {
  readonly fix?: boolean;
  readonly quality: boolean;
  readonly nsfw?: boolean;
  /** Texts of saved filters by name. */
  readonly filter?: ReadonlyMap<string, string>;
}

const ABOUT = `
Needs no daemon. Ends with 0 when every query is valid (warnings or not), and
with 1 when one is not. Without a query, or with -, stdin is read: each line is
a query, an empty one too, and is answered in its turn.
--json prints the result as one object a query. -q: the exit code alone.
`;

/** `hydrant validate`: what the daemon would say of a query. */
export function validateCommand(context: Context, onStopped: OnStopped): Command {
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
    .action(async (query: string | undefined, _flags: object, command: Command) => {
      if (query === undefined && context.io.stdin.isTTY === true) {
        throw new UsageError('the query is missing', { try: "hydrant validate 'title:ferry'" });
      }
      // Only who asks about a query pays for the language.
      const { runValidate } = await import('./validate-run.ts');
      const flags = command.optsWithGlobals<ValidateFlags>();
      onStopped(await runValidate(openSession(context, command), query ?? '-', flags));
    });
}

function withFilter(written: string, known: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  const found = /^\$?([A-Za-z0-9_-]{1,64})=(.+)$/s.exec(written);
  if (!found) throw new InvalidArgumentError("Write it as junk='title:coupon'.");
  return new Map([...known, [found[1] ?? '', found[2] ?? '']]);
}
