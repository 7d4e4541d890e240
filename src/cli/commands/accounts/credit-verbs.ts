import type { Credit, CreditEntry, Usage } from '../../../shared/api/credit.ts';
import type { Column } from '../../table.ts';
import { relative } from '../../time.ts';
import { confirm } from '../confirm.ts';
import type { Session } from '../session.ts';
import { count } from '../count.ts';

/** What `hydrant credit <verb>` and `hydrant usage` do. */
export async function show({ out, connect }: Session): Promise<void> {
  const { client } = await connect();
  const credit = await client.accounts.credit();
  const expiry = credit.expires_next;
  const lines = [
    credit.unlimited ? 'credit   unlimited' : `balance  ${amount(credit.balance)} of ${count(credit.grants, 'grant')}`,
    `a match  ${amount(credit.match_price)}`,
    ...(credit.matches_left === null ? [] : [`enough   for ${count(credit.matches_left, 'match')}`]),
    ...(credit.unlimited && credit.balance > 0
      ? [`waiting  ${amount(credit.balance)}, for when there is a balance`]
      : []),
    ...(expiry === null ? [] : [`expires  the first grant ${out.forPeople ? relative(expiry, out.now) : expiry}`]),
  ];
  out.one(credit, { id: credit.unlimited ? 'unlimited' : String(credit.balance), lines });
}

export async function grant({ out, connect }: Session, credits: number, seconds: number | undefined): Promise<void> {
  const { client } = await connect();
  const before = await client.accounts.credit();
  const after = await client.accounts.grant(credits, seconds);
  const note = before.unlimited ? '; credit was unlimited until now' : '';
  out.done(after, { id: String(after.balance), notice: `${amount(credits)} granted: ${balanceOf(after)}${note}` });
}

export async function set(session: Session, credits: number, seconds: number | undefined): Promise<void> {
  const { client } = await session.connect();
  const before = await client.accounts.credit();
  const isTaking = before.unlimited || before.balance > credits;
  if (isTaking) await confirm(session, `Set the balance to ${amount(credits)}? It is ${balanceOf(before)} now.`);
  const after = await client.accounts.setBalance(credits, seconds);
  session.out.done(after, { id: String(after.balance), notice: `the balance is ${balanceOf(after)}` });
}

export async function unlimited({ out, connect }: Session): Promise<void> {
  const { client } = await connect();
  const after = await client.accounts.setBalance(null);
  out.done(after, { id: 'unlimited', notice: 'credit is unlimited: matches are counted, and cost nothing' });
}

export async function history({ out, connect }: Session): Promise<void> {
  const { client } = await connect();
  const entries = await client.accounts.creditHistory();
  const none = 'nothing was granted or set; credit is unlimited';
  out.list(entries, { id: (one) => one.at, columns: entryColumns(out.now), none });
}

function entryColumns(now: number): Column<CreditEntry>[] {
  return [
    { title: 'when', show: (one) => relative(one.at, now), plain: (one) => one.at },
    { title: 'what', show: (one) => one.kind },
    {
      title: 'amount',
      show: (one) => (one.kind === 'unlimited' ? '' : amount(one.amount)),
      plain: (one) => String(one.amount),
      align: 'right',
    },
    {
      title: 'left',
      show: (one) => (one.kind === 'unlimited' ? '' : leftOf(one)),
      plain: (one) => String(one.left),
      align: 'right',
    },
    {
      title: 'taken back',
      show: (one) => (one.withdrawn === 0 ? '' : amount(one.withdrawn)),
      plain: (one) => String(one.withdrawn),
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

export interface UsageFlags {
  readonly by: 'tap' | 'day' | 'rule';
  /** Seconds. */
  readonly since: number;
}

export async function usage({ out, connect }: Session, { by, since }: UsageFlags): Promise<void> {
  const { client } = await connect();
  const rows = await client.accounts.usage(by, since);
  const columns: Column<Usage>[] = [
    { title: by, show: (one) => (by === 'day' ? one.id : one.id.slice(0, 8)), plain: (one) => one.id },
    ...(by === 'rule'
      ? [{ title: 'tap', show: (one: Usage) => (one.tap ?? '').slice(0, 8), plain: (one: Usage) => one.tap ?? '' }]
      : []),
    ...(by === 'day'
      ? []
      : [
          { title: by === 'tap' ? 'name' : 'query', show: (one: Usage) => one.name ?? (out.forPeople ? '(gone)' : '') },
        ]),
    {
      title: 'matches',
      show: (one) => one.matches.toLocaleString('en'),
      plain: (one) => String(one.matches),
      align: 'right',
    },
    { title: 'spent', show: (one) => amount(one.spent), plain: (one) => String(one.spent), align: 'right' },
  ];
  out.list(rows, { id: (one) => one.id, columns, none: 'nothing was delivered in this time' });
}

function balanceOf({ unlimited: isUnlimited, balance }: Credit): string {
  return isUnlimited ? 'unlimited' : amount(balance);
}

/** Credits with their thousandths, where there are any. */
function amount(credits: number): string {
  return credits.toLocaleString('en', { maximumFractionDigits: 3 });
}
