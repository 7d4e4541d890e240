import { Command } from 'commander';
import type { Key } from '../../../shared/api/key.ts';
import { found } from '../../client/found.ts';
import type { Context } from '../../context.ts';
import { relative } from '../../time.ts';
import { confirm } from '../confirm.ts';
import { withExamples } from '../help.ts';
import { openSession, type Session } from '../session.ts';

/** Management keys: what another machine needs to reach this daemon. */
export function keyCommand(context: Context): Command {
  const key = new Command('key').alias('keys').description('management keys, for reaching the daemon from elsewhere');
  withExamples(key, 'hydrant key create laptop', 'hydrant key list');
  key.addCommand(
    withExamples(new Command('list'), 'hydrant key list')
      .alias('ls')
      .description('list the keys; a key itself is shown only once, when it is made')
      .action((_flags, command: Command) => list(openSession(context, command))),
  );
  key.addCommand(
    withExamples(new Command('create'), 'hydrant key create laptop', 'hydrant key create ci > key.txt')
      .alias('add')
      .description('make a key and print it, this once')
      .argument('<name>', 'what to recognize it by')
      .option('--member <member>', "the admin it acts as; without it, the organization's first")
      .action((name: string, flags: { member?: string }, command: Command) =>
        create(openSession(context, command), name, flags.member),
      ),
  );
  key.addCommand(
    withExamples(new Command('revoke'), 'hydrant key revoke laptop')
      .aliases(['rm', 'remove'])
      .description('revoke a key: it is refused from then on')
      .argument('<key>', 'its name, its id, or the beginning of its id')
      .option('-y, --yes', 'do not ask')
      .action((wanted: string, _flags, command: Command) => revoke(openSession(context, command), wanted)),
  );
  return key;
}

async function list({ out, connect }: Session): Promise<void> {
  const { client } = await connect();
  out.list(await client.keys(), {
    id: (key: Key) => key.id,
    columns: [
      { title: 'id', show: (key) => key.id.slice(0, 8), plain: (key) => key.id },
      { title: 'name', show: (key) => key.name },
      { title: 'key', show: (key) => `${key.prefix}…`, plain: (key) => key.prefix },
      { title: 'member', show: (key) => key.member },
      { title: 'created', show: (key) => relative(key.created_at, out.now), plain: (key) => key.created_at },
    ],
    none: 'no keys; make one with: hydrant key create <name>',
  });
}

async function create({ out, connect }: Session, name: string, member: string | undefined): Promise<void> {
  const { client } = await connect();
  const holder =
    member === undefined ? undefined : found('member', await client.accounts.members(), member, (one) => one.name).id;
  const { data, key } = await client.createKey(name, holder);
  // The key is the answer with --quiet too: its id alone would lose it for good.
  out.one({ ...data, key }, { id: key, lines: [key] });
  out.notice(
    `key ${data.name} created; it is shown only now`,
    'on the other machine, set HYDRANT_KEY to it and HYDRANT_URL to this daemon',
  );
}

async function revoke(session: Session, wanted: string): Promise<void> {
  const { client } = await session.connect();
  const key = found('key', await client.keys(), wanted, (one) => one.name);
  await confirm(session, `Revoke the key ${key.name} (${key.prefix}…)?`);
  await client.revokeKey(key.id);
  session.out.done({ id: key.id, name: key.name, revoked: true }, { id: key.id, notice: `key ${key.name} revoked` });
}
