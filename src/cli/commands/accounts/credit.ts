import { grouped } from '../../../shared/grouped.ts';
import { Command, type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Credit, CreditEntry, Usage } from '../../../shared/api/organization.ts';
import { CREDIT_EXPIRES_SECONDS, GRANT_CREDITS, USAGE_DAYS } from '../../../shared/limits.ts';
import type { Column } from '../../text/table.ts';
import { parseSeconds, relative } from '../../text/time.ts';
import { type Action, confirm } from '../session.ts';
import { count } from '../../../shared/text/plural.ts';
import { withExamples } from '../help.ts';

const ABOUT = `
Credit is unlimited until you grant or set some. The balance is the sum of the
grants that have not expired; the one that expires first is spent first. A match
is charged when it is first delivered, and never again. Without credit, opening
a stream is refused with status 402, and open streams are closed.
`;

/** Credit: what an organization may spend. */
export function creditCommand(action: Action): CommandUnknownOpts {
  const credit = withExamples(new Command('credit'), 'hydrant credit show', 'hydrant credit grant 100 --expires 90d')
    .description('credit: what an organization may spend')
    .addHelpText('after', ABOUT);
  for (const declare of [show, grant, set, unlimited, history]) declare(credit, action);
  return credit;
}

function show(credit: CommandUnknownOpts, action: Action): void {
  withExamples(credit.command('show'), 'hydrant credit show', 'hydrant credit show --org press --json | jq .balance')
    .description('show the balance')
    .action(
      action(async ({ out, connect }) => {
        const { client } = await connect();
        const left = await client.accounts.credit();
        const expiry = left.expires_next;
        const lines = [
          left.unlimited ? 'credit   unlimited' : `balance  ${amount(left.balance)} of ${count(left.grants, 'grant')}`,
          `a match  ${amount(left.match_price)}`,
          ...(left.matches_left === null ? [] : [`enough   for ${count(left.matches_left, 'match')}`]),
          ...(left.unlimited && left.balance > 0
            ? [`waiting  ${amount(left.balance)}from earlier grants, which count again once credit is limited`]
            : []),
          ...(expiry === null
            ? []
            : [`expires  the first grant ${out.forPeople ? relative(expiry, out.now) : expiry}`]),
        ];
        out.one(left, { id: left.unlimited ? 'unlimited' : String(left.balance), lines });
      }),
    );
}

function grant(credit: CommandUnknownOpts, action: Action): void {
  withExamples(credit.command('grant'), 'hydrant credit grant 100 --expires 90d')
    .alias('add')
    .description('add to the balance; unlimited credit becomes a balance with it')
    .argument('<amount>', 'credits, in thousandths', amountOf)
    .addOption(expires())
    .action(
      action(async ({ out, connect }, [credits], flags) => {
        const { client } = await connect();
        const before = await client.accounts.credit();
        const after = await client.accounts.grant(credits, flags.expires);
        const note = before.unlimited ? '; credit was unlimited until now' : '';
        out.done(after, {
          id: String(after.balance),
          notice: `${amount(credits)} granted: ${balanceOf(after)}${note}`,
        });
      }),
    );
}

function set(credit: CommandUnknownOpts, action: Action): void {
  withExamples(credit.command('set'), 'hydrant credit set 50')
    .description('replace all grants by one of this amount')
    .argument('<amount>', 'credits, in thousandths', amountOf)
    .addOption(expires())
    .option('-y, --yes', 'do not ask for confirmation')
    .action(
      action(async (session, [credits], flags) => {
        const { client } = await session.connect();
        const before = await client.accounts.credit();
        const isTaking = before.unlimited || before.balance > credits;
        if (isTaking) await confirm(session, `Set the balance to ${amount(credits)}? It is ${balanceOf(before)} now.`);
        const after = await client.accounts.setBalance(credits, flags.expires);
        session.out.done(after, { id: String(after.balance), notice: `the balance is ${balanceOf(after)}` });
      }),
    );
}

function unlimited(credit: CommandUnknownOpts, action: Action): void {
  withExamples(credit.command('unlimited'), 'hydrant credit unlimited')
    .description('make matches free of charge from now on')
    .action(
      action(async ({ out, connect }) => {
        const { client } = await connect();
        const after = await client.accounts.setBalance(null);
        out.done(after, { id: 'unlimited', notice: 'credit is unlimited: matches are counted, and cost nothing' });
      }),
    );
}

function history(credit: CommandUnknownOpts, action: Action): void {
  withExamples(credit.command('history'), 'hydrant credit history')
    .description('list grants and changes of the balance, newest first')
    .action(
      action(async ({ out, connect }) => {
        const { client } = await connect();
        const none = 'there are no grants; credit is unlimited';
        const entries = await client.accounts.creditHistory();
        out.list(entries, { id: ({ at }) => at, columns: entryColumns(out.now), none });
      }),
    );
}

function entryColumns(now: number): Column<CreditEntry>[] {
  return [
    { title: 'when', show: ({ at }) => relative(at, now), plain: ({ at }) => at },
    { title: 'what', show: ({ kind }) => kind },
    {
      title: 'amount',
      show: (one) => (one.kind === 'unlimited' ? '' : amount(one.amount)),
      plain: (one) => String(one.amount),
      align: 'right',
    },
    {
      title: 'left',
      show: (one) => (one.kind === 'unlimited' ? '' : leftOf(one)),
      plain: ({ left }) => String(left),
      align: 'right',
    },
    {
      title: 'taken back',
      show: ({ withdrawn }) => (withdrawn === 0 ? '' : amount(withdrawn)),
      plain: ({ withdrawn }) => String(withdrawn),
      align: 'right',
    },
    {
      title: 'expires',
      show: (one) => (one.expires_at === null ? '' : relative(one.expires_at, now)),
      plain: (one) => one.expires_at ?? '',
    },
  ];
}

/** What an expired grant has left is worth nothing. */
function leftOf({ left, expired }: CreditEntry): string {
  return expired && left > 0 ? `${amount(left)} lost` : amount(left);
}

/** Usage: what was delivered, and what it cost. */
export function usageCommand(action: Action): CommandUnknownOpts {
  return withExamples(new Command('usage'), 'hydrant usage', 'hydrant usage --by rule --since 30d')
    .description('show delivered matches, each counted once, and what they cost')
    .addOption(new Option('--by <what>', 'group by').choices(['tap', 'day', 'rule'] as const).default('tap'))
    .addOption(
      new Option('--since <time>', 'how far to look back, in whole days (UTC)')
        .argParser(sinceOf)
        .default(7 * 86_400, '7d'),
    )
    .addHelpText('after', '\nIf several rules match, they share the cost. Figures are kept for 400 days.\n')
    .action(
      action(async ({ out, connect }, _words, { by, since }) => {
        const { client } = await connect();
        const rows = await client.accounts.usage(by, since);
        const columns = usageColumns(by, out.forPeople);
        out.list(rows, { id: ({ id }) => id, columns, none: 'nothing was delivered in this period' });
      }),
    );
}

function usageColumns(by: 'tap' | 'day' | 'rule', forPeople: boolean): Column<Usage>[] {
  const named: Column<Usage> = {
    title: by === 'tap' ? 'name' : 'query',
    show: ({ name }) => name ?? (forPeople ? '(gone)' : ''),
  };
  const tap: Column<Usage> = {
    title: 'tap',
    show: (one) => (one.tap ?? '').slice(0, 8),
    plain: (one) => one.tap ?? '',
  };
  return [
    { title: by, show: ({ id }) => (by === 'day' ? id : id.slice(0, 8)), plain: ({ id }) => id },
    ...(by === 'rule' ? [tap] : []),
    ...(by === 'day' ? [] : [named]),
    {
      title: 'matches',
      show: ({ matches }) => grouped(matches),
      plain: ({ matches }) => String(matches),
      align: 'right',
    },
    { title: 'spent', show: ({ spent }) => amount(spent), plain: ({ spent }) => String(spent), align: 'right' },
  ];
}

function balanceOf({ unlimited: isUnlimited, balance }: Credit): string {
  return isUnlimited ? 'unlimited' : amount(balance);
}

/** Credits with their thousandths, where there are any. */
function amount(credits: number): string {
  return credits.toLocaleString('en', { maximumFractionDigits: 3 });
}

function expires(): Option<'--expires <time>', undefined, undefined, number> {
  return new Option('--expires <time>', 'time after which the grant expires, such as 90d (default: never)').argParser(
    (text) => secondsOf(text, CREDIT_EXPIRES_SECONDS),
  );
}

function sinceOf(text: string): number {
  return secondsOf(text, USAGE_DAYS * 86_400);
}

function secondsOf(text: string, most: number): number {
  const seconds = parseSeconds(text);
  if (seconds !== undefined && seconds > 0 && seconds <= most) return seconds;
  throw new InvalidArgumentError(`It must be a time like 12h or 90d, up to ${most / 86_400}d.`);
}

function amountOf(text: string): number {
  if (/^\d{1,10}(\.\d{1,3})?$/.test(text) && Number(text) <= GRANT_CREDITS) return Number(text);
  throw new InvalidArgumentError(`It must be a number like 12.345, up to ${GRANT_CREDITS}.`);
}
