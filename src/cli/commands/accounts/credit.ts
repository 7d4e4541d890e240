import { Command, InvalidArgumentError, Option } from 'commander';
import { CREDIT_EXPIRES_SECONDS, GRANT_CREDITS, USAGE_DAYS } from '../../../shared/limits.ts';
import type { Context } from '../../context.ts';
import { parseSeconds } from '../../time.ts';
import { grant, history, set, show, unlimited, usage, type UsageFlags } from './credit-verbs.ts';
import { withExamples } from '../help.ts';
import { openSession } from '../session.ts';

const ABOUT = `
Credit is unlimited until there is a balance. A balance is the sum of the grants
that have not expired; the one that expires first is spent first. A match costs
when it is first delivered on the stream, and never again. Without credit,
opening a stream answers 402, and open streams end.
`;

/** Credit: what an organization may spend. */
export function creditCommand(context: Context): Command {
  const credit = new Command('credit')
    .description('credit: what an organization may spend')
    .addHelpText('after', ABOUT);
  withExamples(credit, 'hydrant credit show', 'hydrant credit grant 100 --expires 90d');
  credit.addCommand(
    withExamples(new Command('show'), 'hydrant credit show', 'hydrant credit show --org press --json | jq .balance')
      .description('show what is left')
      .action((_flags, command: Command) => show(openSession(context, command))),
  );
  credit.addCommand(
    withExamples(new Command('grant'), 'hydrant credit grant 100 --expires 90d')
      .alias('add')
      .description('add to the balance; unlimited credit becomes a balance with it')
      .argument('<amount>', 'credits, in thousandths', amountOf)
      .addOption(expires())
      .action((amount: number, flags: Expiry, command: Command) =>
        grant(openSession(context, command), amount, flags.expires),
      ),
  );
  credit.addCommand(
    withExamples(new Command('set'), 'hydrant credit set 50')
      .description('take back what is left of all grants, and give so much instead')
      .argument('<amount>', 'credits, in thousandths', amountOf)
      .addOption(expires())
      .option('-y, --yes', 'do not ask')
      .action((amount: number, flags: Expiry, command: Command) =>
        set(openSession(context, command), amount, flags.expires),
      ),
  );
  credit.addCommand(
    withExamples(new Command('unlimited'), 'hydrant credit unlimited')
      .description('take nothing for matches any more')
      .action((_flags, command: Command) => unlimited(openSession(context, command))),
  );
  credit.addCommand(
    withExamples(new Command('history'), 'hydrant credit history')
      .description('list what was granted and set, the newest first')
      .action((_flags, command: Command) => history(openSession(context, command))),
  );
  return credit;
}

interface Expiry {
  /** Seconds. */
  readonly expires?: number;
}

/** Usage: what was delivered, and what it cost. */
export function usageCommand(context: Context): Command {
  return withExamples(new Command('usage'), 'hydrant usage', 'hydrant usage --by rule --since 30d')
    .description('show the matches that were delivered, each counted once, and what they cost')
    .addOption(new Option('--by <what>', 'summed up by').choices(['tap', 'day', 'rule']).default('tap'))
    .addOption(
      new Option('--since <time>', 'from the day on that is so long ago (UTC)')
        .default(7 * 86_400, '7d')
        .argParser(sinceOf),
    )
    .addHelpText('after', '\nThe rules of one match share what it cost. Days are kept for 400 days.\n')
    .action((flags: UsageFlags, command: Command) => usage(openSession(context, command), flags));
}

function expires(): Option {
  return new Option(
    '--expires <time>',
    'worth nothing after this time, as 90d; without it, it never expires',
  ).argParser((text) => secondsOf(text, CREDIT_EXPIRES_SECONDS));
}

function sinceOf(text: string): number {
  return secondsOf(text, USAGE_DAYS * 86_400);
}

function secondsOf(text: string, most: number): number {
  const seconds = parseSeconds(text);
  if (seconds !== undefined && seconds > 0 && seconds <= most) return seconds;
  throw new InvalidArgumentError(`It is a time like 12h or 90d, up to ${most / 86_400}d.`);
}

function amountOf(text: string): number {
  if (/^\d{1,10}(\.\d{1,3})?$/.test(text) && Number(text) <= GRANT_CREDITS) return Number(text);
  throw new InvalidArgumentError(`It is a number like 12.345, up to ${GRANT_CREDITS}.`);
}
