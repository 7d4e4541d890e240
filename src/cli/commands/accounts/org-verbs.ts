import type { Allowance, Organization, OrganizationChange } from '../../../shared/api/organization.ts';
import { found } from '../../client/found.ts';
import { UsageError } from '../../failure.ts';
import type { Field } from '../../output.ts';
import { printable } from '../../printable.ts';
import type { Column } from '../../table.ts';
import { relative } from '../../time.ts';
import type { Session } from '../session.ts';
import { quoted } from '../../shell.ts';

/** What `hydrant org <verb>` does. */
export async function list({ out, connect }: Session): Promise<void> {
  const { client } = await connect();
  out.list(await client.accounts.organizations(), { id: (one) => one.id, columns: columns(out.now), none: '' });
}

function columns(now: number): Column<Organization>[] {
  return [
    { title: 'id', show: (one) => one.id.slice(0, 8), plain: (one) => one.id },
    { title: 'name', show: (one) => one.name },
    { title: 'plan', show: (one) => one.plan },
    { title: 'members', show: (one) => String(one.members), align: 'right' },
    { title: 'taps', show: (one) => String(one.taps), align: 'right' },
    { title: 'rules', show: (one) => String(one.rules), align: 'right' },
    { title: 'created', show: (one) => relative(one.created_at, now), plain: (one) => one.created_at },
  ];
}

export async function show({ out, connect, flags }: Session, wanted: string | undefined): Promise<void> {
  const { client } = await connect();
  const one = pick(await client.accounts.organizations(), wanted ?? flags.org);
  const { allowed } = one;
  const fields: readonly Field[] = [
    ['id', one.id],
    ['name', one.name],
    ['plan', one.plan],
    ['members', String(one.members)],
    ['active taps', `${one.active_taps} of ${limit(one, 'active_taps')}`],
    ['rules', `${one.rules} of ${limit(one, 'rules')}`],
    ['watched URLs', `up to ${limit(one, 'watched_urls')}`],
    ['checks', `${one.checks} of ${limit(one, 'checks_a_month')} this month`],
    ['cadence', `${limit(one, 'fastest_minutes')} minutes at least`],
    ['created', out.forPeople ? relative(one.created_at, out.now) : one.created_at],
  ];
  const shown = allowed.watched_urls === 0 ? fields.filter(([name]) => !OF_WATCHES.has(name)) : fields;
  out.fields(one, { id: one.id, fields: shown });
}

/** Nothing to say where no URL can be watched. */
const OF_WATCHES: ReadonlySet<string> = new Set(['watched URLs', 'checks', 'cadence']);

function limit({ allowed, own, plan: name }: Organization, of: keyof Allowance): string {
  const value = allowed[of];
  const said = value === null ? 'any number' : value.toLocaleString('en');
  return own.includes(of) ? `${said} (its own; not of the plan ${name})` : said;
}

export async function add(
  { out, connect }: Session,
  creation: { readonly name: string; readonly plan?: string; readonly admin: string },
): Promise<void> {
  const { client } = await connect();
  const made = await client.accounts.addOrganization(creation);
  out.one(made, {
    id: made.id,
    lines: [`${printable(made.name)} · ${made.id} · plan ${printable(made.plan)}`],
    plain: [made.id],
  });
  out.notice(`organization ${made.name} made`, `hydrant key create laptop --org ${quoted(made.name)}`);
}

export async function rename({ out, connect }: Session, wanted: string, name: string): Promise<void> {
  const { client } = await connect();
  const one = pick(await client.accounts.organizations(), wanted);
  const changed = await client.accounts.changeOrganization(one.id, { name });
  out.done(changed, { id: changed.id, notice: `organization ${one.name} is now called ${changed.name}` });
}

export interface PlanFlags {
  readonly plan?: string | undefined;
  readonly rules?: number | 'none';
  readonly taps?: number | 'none';
  readonly urls?: number | 'none';
  readonly checks?: number | 'none';
  readonly cadence?: number;
  readonly reset?: boolean;
}

export async function plan({ out, connect }: Session, wanted: string, flags: PlanFlags): Promise<void> {
  const change = changeOf(flags);
  if (Object.keys(change).length === 0) throw new UsageError('nothing is to be changed: give a plan or a limit');
  const { client } = await connect();
  const one = pick(await client.accounts.organizations(), wanted);
  const changed = await client.accounts.changeOrganization(one.id, change);
  const limits = `${limit(changed, 'active_taps')} active taps, ${limit(changed, 'rules')} rules, ${watching(changed)}`;
  out.done(changed, {
    id: changed.id,
    notice: `organization ${changed.name} is on the plan ${changed.plan}: ${limits}`,
  });
}

/** What of a plan moves the checks of watches that are there already. */
function watching(one: Organization): string {
  if (one.allowed.watched_urls === 0) return 'no watched URLs';
  const [urls, checks, minutes] = [
    limit(one, 'watched_urls'),
    limit(one, 'checks_a_month'),
    one.allowed.fastest_minutes,
  ];
  return `${urls} watched URLs (every ${minutes} minutes at the fastest), ${checks} checks a month`;
}

function changeOf({ plan: name, reset, rules, taps, urls, checks, cadence }: PlanFlags): OrganizationChange {
  const given = { rules, active_taps: taps, watched_urls: urls, checks_a_month: checks, fastest_minutes: cadence };
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  const limits = Object.fromEntries(named.map(([of, value]) => [of, value === 'none' ? null : value]));
  return {
    ...(name !== undefined && { plan: name }),
    ...(named.length > 0 && { limits }),
    ...(reset === true && { reset_limits: true }),
  };
}

function pick(all: readonly Organization[], wanted: string | undefined): Organization {
  if (wanted !== undefined) return found('organization', all, wanted, ({ name }) => name);
  const [only, another] = all;
  if (only && !another) return only;
  throw new UsageError(`there are ${all.length} organizations; say which: ${all.map(({ name }) => name).join(', ')}`);
}
