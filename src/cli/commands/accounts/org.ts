import { grouped } from '../../../shared/grouped.ts';
import { Command, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import type { Allowance, Organization, OrganizationChange } from '../../../shared/api/organization.ts';
import { found } from '../../client/found.ts';
import { UsageError } from '../../runtime/failure.ts';
import type { Field } from '../../runtime/output.ts';
import { printable, quoted } from '../../../shared/text/printable.ts';
import type { Column } from '../../text/table.ts';
import { relative } from '../../text/time.ts';
import { withExamples } from '../help.ts';
import type { Action } from '../session.ts';

const ORG = 'its name, its id, or the beginning of its id';

const ABOUT_PLANS = `
The config file of the daemon defines the plans. A limit given here overrides
that of the plan; \`none\` removes the limit. Lowering a limit deletes nothing,
but nothing can be added until the number is below the new limit.
`;

/** Organizations: who owns taps, keys and credit. */
export function orgCommand(action: Action): CommandUnknownOpts {
  const org = withExamples(
    new Command('org'),
    'hydrant org list',
    'hydrant org add press --plan Starter',
    'hydrant tap list --org press',
  )
    .alias('orgs')
    .description('organizations: each has its members, keys, taps and credit');
  for (const declare of [list, show, add, rename, plan]) declare(org, action);
  return org;
}

function list(org: CommandUnknownOpts, action: Action): void {
  withExamples(org.command('list'), 'hydrant org list')
    .description('list the organizations')
    .action(
      action(async ({ out, connect }) => {
        const { client } = await connect();
        out.list(await client.accounts.organizations(), { id: ({ id }) => id, columns: columns(out.now), none: '' });
      }),
    );
}

function columns(now: number): Column<Organization>[] {
  return [
    { title: 'id', show: ({ id }) => id.slice(0, 8), plain: ({ id }) => id },
    { title: 'name', show: ({ name }) => name },
    { title: 'plan', show: (one) => one.plan },
    { title: 'members', show: ({ members }) => String(members), align: 'right' },
    { title: 'taps', show: ({ taps }) => String(taps), align: 'right' },
    { title: 'rules', show: ({ rules }) => String(rules), align: 'right' },
    { title: 'created', show: (one) => relative(one.created_at, now), plain: (one) => one.created_at },
  ];
}

function show(org: CommandUnknownOpts, action: Action): void {
  withExamples(org.command('show'), 'hydrant org show', 'hydrant org show press')
    .description('show one organization and its limits')
    .argument('[organization]', `${ORG}; may be left out when there is one`)
    .action(
      action(async ({ out, connect, flags }, [wanted]) => {
        const { client } = await connect();
        const one = pick(await client.accounts.organizations(), wanted ?? flags.org);
        const created = out.forPeople ? relative(one.created_at, out.now) : one.created_at;
        out.fields(one, { id: one.id, fields: fieldsOf(one, created) });
      }),
    );
}

function fieldsOf(one: Organization, created: string): readonly Field[] {
  const watches: readonly Field[] = [
    ['watched URLs', `up to ${limit(one, 'watched_urls')}`],
    ['checks', `${one.checks} of ${limit(one, 'checks_a_month')} this month`],
    ['cadence', `${limit(one, 'fastest_minutes')} minutes at least`],
  ];
  return [
    ['id', one.id],
    ['name', one.name],
    ['plan', one.plan],
    ['members', String(one.members)],
    ['active taps', `${one.active_taps} of ${limit(one, 'active_taps')}`],
    ['rules', `${one.rules} of ${limit(one, 'rules')}`],
    ...(one.allowed.watched_urls === 0 ? [] : watches),
    ['created', created],
  ];
}

function limit({ allowed, own, plan: name }: Organization, of: keyof Allowance): string {
  const value = allowed[of];
  const shown = value === null ? 'any number' : grouped(value);
  return own.includes(of) ? `${shown} (set for this organization; not of the plan ${name})` : shown;
}

function add(org: CommandUnknownOpts, action: Action): void {
  withExamples(org.command('add'), 'hydrant org add press --plan Starter --admin anna')
    .alias('create')
    .description('create an organization with its first admin')
    .argument('<name>', 'its name')
    .option('--plan <plan>', 'its plan: Free, Starter, Advanced, Business, "API only"')
    .option('--admin <name>', 'name of its first admin', 'admin')
    .action(
      action(async ({ out, connect }, [name], { plan: planName, admin }) => {
        const { client } = await connect();
        const made = await client.accounts.addOrganization({
          name,
          admin,
          ...(planName !== undefined && { plan: planName }),
        });
        const lines = [`${printable(made.name)} · ${made.id} · plan ${printable(made.plan)}`];
        out.one(made, { id: made.id, lines, plain: [made.id] });
        out.notice(`organization ${made.name} made`, `hydrant key create laptop --org ${quoted(made.name)}`);
      }),
    );
}

function rename(org: CommandUnknownOpts, action: Action): void {
  withExamples(org.command('rename'), 'hydrant org rename press newsroom')
    .description('give an organization another name')
    .argument('<organization>', ORG)
    .argument('<name>', 'the new name')
    .action(
      action(async ({ out, connect }, [wanted, name]) => {
        const { client } = await connect();
        const one = pick(await client.accounts.organizations(), wanted);
        const changed = await client.accounts.changeOrganization(one.id, { name });
        out.done(changed, { id: changed.id, notice: `organization ${one.name} is now called ${changed.name}` });
      }),
    );
}

function plan(org: CommandUnknownOpts, action: Action): void {
  withExamples(
    org.command('plan'),
    'hydrant org plan press Business',
    'hydrant org plan press --rules 100',
    'hydrant org plan press --reset',
  )
    .description('change the plan or the limits of an organization')
    .argument('<organization>', ORG)
    .argument('[plan]', 'its new plan')
    .option('--rules <count>', 'rules over all taps', limitOf)
    .option('--taps <count>', 'taps that are not paused', limitOf)
    .option('--urls <count>', 'watched URLs', limitOf)
    .option('--checks <count>', 'checks of watches a month', limitOf)
    .option('--cadence <minutes>', 'minutes between two checks of a watch, at least', minutesOf)
    .option('--reset', 'first reset all limits to those of its plan')
    .addHelpText('after', ABOUT_PLANS)
    .action(
      action(async ({ out, connect }, [wanted, name], { rules, taps, urls, checks, cadence, reset }) => {
        const limits = {
          rules,
          active_taps: taps,
          watched_urls: urls,
          checks_a_month: checks,
          fastest_minutes: cadence,
        };
        const change = changeOf(name, limits, reset === true);
        if (Object.keys(change).length === 0) throw new UsageError('nothing to change: give a plan or a limit');
        const { client } = await connect();
        const one = pick(await client.accounts.organizations(), wanted);
        const changed = await client.accounts.changeOrganization(one.id, change);
        const taken = `${limit(changed, 'active_taps')} active taps, ${limit(changed, 'rules')} rules, ${watching(changed)}`;
        const notice = `organization ${changed.name} is on the plan ${changed.plan}: ${taken}`;
        out.done(changed, { id: changed.id, notice });
      }),
    );
}

/** What of a plan moves the checks of watches that are there already. */
function watching(one: Organization): string {
  if (one.allowed.watched_urls === 0) return 'no watched URLs';
  const [urls, checks] = [limit(one, 'watched_urls'), limit(one, 'checks_a_month')];
  return `${urls} watched URLs (every ${one.allowed.fastest_minutes} minutes at the fastest), ${checks} checks a month`;
}

function changeOf(
  name: string | undefined,
  given: Readonly<Record<keyof Allowance, number | 'none' | undefined>>,
  isReset: boolean,
): OrganizationChange {
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  const limits = Object.fromEntries(named.map(([of, value]) => [of, value === 'none' ? null : value]));
  return {
    ...(name !== undefined && { plan: name }),
    ...(named.length > 0 && { limits }),
    ...(isReset && { reset_limits: true }),
  };
}

function pick(all: readonly Organization[], wanted: string | undefined): Organization {
  if (wanted !== undefined) return found('organization', all, wanted, ({ name }) => name);
  const [only, another] = all;
  if (only && !another) return only;
  throw new UsageError(`there are ${all.length} organizations; specify one: ${all.map(({ name }) => name).join(', ')}`);
}

/** A count; the word `none` for no limit, since commander takes null for a flag that was not given. */
function limitOf(text: string): number | 'none' {
  return text === 'none' ? text : minutesOf(text);
}

function minutesOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}
