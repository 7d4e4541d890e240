import { Argument, Command, Option } from 'commander';
import type { Member } from '../../../shared/api/organization.ts';
import { found } from '../../client/found.ts';
import type { Context } from '../../context.ts';
import { relative } from '../../time.ts';
import { confirm } from '../confirm.ts';
import { withExamples } from '../help.ts';
import { openSession, type Session } from '../session.ts';
import { quoted } from '../../shell.ts';
import { count } from '../count.ts';

const MEMBER = 'name, id, or the beginning of the id';
const roles = ['admin', 'member'] as const;

/** Members: the people of an organization. */
export function memberCommand(context: Context): Command {
  const member = new Command('member').alias('members').description('members: the people of an organization');
  withExamples(member, 'hydrant member add anna --role admin', 'hydrant key create laptop --member anna');
  member.addCommand(
    withExamples(new Command('list'), 'hydrant member list', 'hydrant member list --org press')
      .alias('ls')
      .description('list the members')
      .action((_flags, command: Command) => list(openSession(context, command))),
  );
  member.addCommand(
    withExamples(new Command('add'), 'hydrant member add anna --role admin')
      .alias('create')
      .description('add a member')
      .argument('<name>', 'who it is')
      .addOption(new Option('--role <role>', 'only an admin can have management keys').choices(roles).default('member'))
      .action((name: string, flags: { role: Member['role'] }, command: Command) =>
        add(openSession(context, command), name, flags.role),
      ),
  );
  member.addCommand(
    withExamples(new Command('role'), 'hydrant member role anna admin')
      .description('make a member an admin, or an admin a member; the latter revokes all keys of that person')
      .argument('<member>', MEMBER)
      .addArgument(new Argument('<role>', 'what it shall be').choices(roles))
      .option('-y, --yes', 'do not ask')
      .action((wanted: string, role: Member['role'], _flags, command: Command) =>
        setRole(openSession(context, command), wanted, role),
      ),
  );
  member.addCommand(
    withExamples(new Command('remove'), 'hydrant member remove anna')
      .alias('rm')
      .description('remove a member with all keys and URL watches of that person; taps and their streams stay')
      .argument('<member>', MEMBER)
      .option('-y, --yes', 'do not ask')
      .action((wanted: string, _flags, command: Command) => remove(openSession(context, command), wanted)),
  );
  return member;
}

async function list({ out, connect }: Session): Promise<void> {
  const { client } = await connect();
  out.list(await client.accounts.members(), {
    id: (one: Member) => one.id,
    columns: [
      { title: 'id', show: (one) => one.id.slice(0, 8), plain: (one) => one.id },
      { title: 'name', show: (one) => one.name },
      { title: 'role', show: (one) => one.role },
      { title: 'keys', show: (one) => String(one.keys), align: 'right' },
      { title: 'added', show: (one) => relative(one.created_at, out.now), plain: (one) => one.created_at },
    ],
    none: '',
  });
}

async function add({ out, connect }: Session, name: string, role: Member['role']): Promise<void> {
  const { client } = await connect();
  const made = await client.accounts.addMember(name, role);
  const next = role === 'admin' ? `hydrant key create laptop --member ${quoted(name)}` : undefined;
  out.done(made, { id: made.id, notice: `${made.name} added as ${made.role}`, ...(next !== undefined && { next }) });
}

async function setRole(session: Session, wanted: string, role: Member['role']): Promise<void> {
  const { client } = await session.connect();
  const one = found('member', await client.accounts.members(), wanted, ({ name }) => name);
  if (role === 'member' && one.keys > 0) {
    await confirm(session, `Make ${one.name} a member? This revokes ${count(one.keys, 'key')}.`);
  }
  const changed = await client.accounts.changeMember(one.id, role);
  session.out.done(changed, { id: changed.id, notice: `${changed.name} is now ${changed.role}` });
}

async function remove(session: Session, wanted: string): Promise<void> {
  const { client } = await session.connect();
  const one = found('member', await client.accounts.members(), wanted, ({ name }) => name);
  const keys = count(one.keys, 'key');
  const gone = `revokes ${keys} and deletes what ${one.name} watches, with its history`;
  await confirm(session, `Remove ${one.name}? This ${gone}; taps and their streams stay.`);
  await client.accounts.removeMember(one.id);
  session.out.done(
    { id: one.id, name: one.name, removed: true },
    { id: one.id, notice: `${one.name} removed, with ${keys}` },
  );
}
