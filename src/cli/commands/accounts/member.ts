import { Argument, Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Member } from '../../../shared/api/organization.ts';
import { found } from '../../client/found.ts';
import { quoted } from '../../../shared/text/printable.ts';
import { relative } from '../../text/time.ts';
import { confirm, type Action } from '../session.ts';
import { count } from '../../../shared/text/plural.ts';
import { withExamples } from '../help.ts';

const MEMBER = 'name, id, or the beginning of the id';
const roles = ['admin', 'member'] as const;

/** Members: the people of an organization. */
export function memberCommand(action: Action): CommandUnknownOpts {
  const member = withExamples(
    new Command('member'),
    'hydrant member add anna --role admin',
    'hydrant key create laptop --member anna',
  )
    .alias('members')
    .description('members: the people of an organization');
  for (const declare of [list, add, role, remove]) declare(member, action);
  return member;
}

function list(member: CommandUnknownOpts, action: Action): void {
  withExamples(member.command('list'), 'hydrant member list', 'hydrant member list --org press')
    .description('list the members')
    .action(
      action(async ({ out, connect }) => {
        const { client } = await connect();
        out.list(await client.accounts.members(), {
          id: (one: Member) => one.id,
          columns: [
            { title: 'id', show: ({ id }) => id.slice(0, 8), plain: ({ id }) => id },
            { title: 'name', show: ({ name }) => name },
            { title: 'role', show: (one) => one.role },
            { title: 'keys', show: ({ keys }) => String(keys), align: 'right' },
            { title: 'added', show: (one) => relative(one.created_at, out.now), plain: (one) => one.created_at },
          ],
          none: '',
        });
      }),
    );
}

function add(member: CommandUnknownOpts, action: Action): void {
  withExamples(member.command('add'), 'hydrant member add anna --role admin')
    .alias('create')
    .description('add a member')
    .argument('<name>', 'name of the member')
    .addOption(new Option('--role <role>', 'only an admin can have management keys').choices(roles).default('member'))
    .action(
      action(async ({ out, connect }, [name], flags) => {
        const { client } = await connect();
        const made = await client.accounts.addMember(name, flags.role);
        const isAdmin = flags.role === 'admin';
        out.done(made, {
          id: made.id,
          notice: `${made.name} added as ${made.role}`,
          ...(isAdmin && { next: `hydrant key create laptop --member ${quoted(name)}` }),
        });
      }),
    );
}

function role(member: CommandUnknownOpts, action: Action): void {
  withExamples(member.command('role'), 'hydrant member role anna admin')
    .description('change the role of a member; an admin who becomes a member loses all keys')
    .argument('<member>', MEMBER)
    .addArgument(new Argument('<role>', 'the new role').choices(roles))
    .option('-y, --yes', 'do not ask for confirmation')
    .action(
      action(async (session, [wanted, next]) => {
        const { client } = await session.connect();
        const one = found('member', await client.accounts.members(), wanted, ({ name }) => name);
        if (next === 'member' && one.keys > 0) {
          await confirm(session, `Make ${one.name} a member? This revokes ${count(one.keys, 'key')}.`);
        }
        const changed = await client.accounts.changeMember(one.id, next);
        session.out.done(changed, { id: changed.id, notice: `${changed.name} is now ${changed.role}` });
      }),
    );
}

function remove(member: CommandUnknownOpts, action: Action): void {
  withExamples(member.command('remove'), 'hydrant member remove anna')
    .description('remove a member with all keys and URL watches of that person; taps and their streams stay')
    .argument('<member>', MEMBER)
    .option('-y, --yes', 'do not ask for confirmation')
    .action(
      action(async (session, [wanted]) => {
        const { client } = await session.connect();
        const { id, name, keys: held } = found('member', await client.accounts.members(), wanted, (one) => one.name);
        const keys = count(held, 'key');
        const gone = `revokes ${keys} and deletes the watches of ${name} with their history`;
        await confirm(session, `Remove ${name}? This ${gone}; taps and their streams stay.`);
        await client.accounts.removeMember(id);
        session.out.done({ id, name, removed: true }, { id, notice: `${name} removed, with ${keys}` });
      }),
    );
}
