import { Command, InvalidArgumentError } from 'commander';
import type { Context } from '../../context.ts';
import { withExamples } from '../help.ts';
import { add, list, type PlanFlags, plan, rename, show } from './org-verbs.ts';
import { openSession } from '../session.ts';

const ORG = 'its name, its id, or the beginning of its id';

const ABOUT_PLANS = `
Plans and their numbers are in the config file of the daemon. A limit given here
is the organization's own, whatever its plan says; \`none\` is no limit. What is
there already stays when a limit is lowered: there is no more until there is
room.
`;

/** Organizations: who owns taps, keys and credit. */
export function orgCommand(context: Context): Command {
  const org = new Command('org')
    .alias('orgs')
    .description('organizations: each has its members, keys, taps and credit');
  withExamples(org, 'hydrant org list', 'hydrant org add press --plan Starter', 'hydrant tap list --org press');
  org.addCommand(
    withExamples(new Command('list'), 'hydrant org list')
      .alias('ls')
      .description('list the organizations')
      .action((_flags, command: Command) => list(openSession(context, command))),
  );
  org.addCommand(
    withExamples(new Command('show'), 'hydrant org show', 'hydrant org show press')
      .description('show one organization, and what it may have')
      .argument('[organization]', `${ORG}; may be left out when there is one`)
      .action((wanted: string | undefined, _flags, command: Command) => show(openSession(context, command), wanted)),
  );
  org.addCommand(adding(context));
  org.addCommand(
    withExamples(new Command('rename'), 'hydrant org rename press newsroom')
      .description('give an organization another name')
      .argument('<organization>', ORG)
      .argument('<name>', 'the new name')
      .action((wanted: string, name: string, _flags, command: Command) =>
        rename(openSession(context, command), wanted, name),
      ),
  );
  org.addCommand(planning(context));
  return org;
}

function adding(context: Context): Command {
  return withExamples(new Command('add'), 'hydrant org add press --plan Starter --admin anna')
    .alias('create')
    .description('make an organization, with its first admin')
    .argument('<name>', 'what to call it')
    .option('--plan <plan>', 'what it may have: Free, Starter, Advanced, Business, "API only"')
    .option('--admin <name>', 'name of its first admin', 'admin')
    .action((name: string, flags: { plan?: string; admin: string }, command: Command) =>
      add(openSession(context, command), { name, ...flags }),
    );
}

function planning(context: Context): Command {
  return withExamples(
    new Command('plan'),
    'hydrant org plan press Business',
    'hydrant org plan press --rules 100',
    'hydrant org plan press --reset',
  )
    .description('change what an organization may have')
    .argument('<organization>', ORG)
    .argument('[plan]', 'its new plan')
    .option('--rules <count>', 'rules over all taps', limitOf)
    .option('--taps <count>', 'taps that are not paused', limitOf)
    .option('--urls <count>', 'watched URLs', limitOf)
    .option('--checks <count>', 'checks of watches a month', limitOf)
    .option('--cadence <minutes>', 'minutes between two checks of a watch, at least', minutesOf)
    .option('--reset', "first give it its plan's numbers again")
    .addHelpText('after', ABOUT_PLANS)
    .action((wanted: string, name: string | undefined, flags: PlanFlags, command: Command) =>
      plan(openSession(context, command), wanted, { ...flags, plan: name }),
    );
}

/** A count; the word `none` for no limit, since commander takes null for a flag that was not given. */
function limitOf(text: string): number | 'none' {
  return text === 'none' ? text : minutesOf(text);
}

function minutesOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is a whole number.');
}
