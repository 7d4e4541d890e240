import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Key } from '../../../shared/api/organization.ts';
import { found } from '../../client/found.ts';
import { relative } from '../../text/time.ts';
import { confirm, type Action } from '../session.ts';
import { withExamples } from '../help.ts';

/** Management keys: what another machine needs to reach this daemon. */
export function keyCommand(action: Action): CommandUnknownOpts {
  const key = withExamples(new Command('key'), 'hydrant key create laptop', 'hydrant key list')
    .alias('keys')
    .description('management keys, for reaching the daemon from elsewhere');
  for (const declare of [list, create, revoke]) declare(key, action);
  return key;
}

function list(key: CommandUnknownOpts, action: Action): void {
  withExamples(key.command('list'), 'hydrant key list')
    .description('list the keys; a key itself is shown only once, when it is created')
    .action(
      action(async ({ out, connect }) => {
        const { client } = await connect();
        out.list(await client.keys(), {
          id: (one: Key) => one.id,
          columns: [
            { title: 'id', show: ({ id }) => id.slice(0, 8), plain: ({ id }) => id },
            { title: 'name', show: ({ name }) => name },
            { title: 'key', show: ({ prefix }) => `${prefix}…`, plain: ({ prefix }) => prefix },
            { title: 'member', show: ({ member }) => member },
            { title: 'created', show: (one) => relative(one.created_at, out.now), plain: (one) => one.created_at },
          ],
          none: 'no keys; create one with: hydrant key create <name>',
        });
      }),
    );
}

function create(key: CommandUnknownOpts, action: Action): void {
  withExamples(key.command('create'), 'hydrant key create laptop', 'hydrant key create ci > key.txt')
    .alias('add')
    .description('create a key and print it; it is not shown again')
    .argument('<name>', 'a name to recognize it by')
    .option('--member <member>', "the admin that it acts as (default: the organization's first)")
    .action(
      action(async ({ out, connect }, [name], { member }) => {
        const { client } = await connect();
        const holder =
          member === undefined
            ? undefined
            : found('member', await client.accounts.members(), member, (one) => one.name).id;
        const { data, key: secret } = await client.createKey(name, holder);
        // The key is the answer with --quiet too: its id alone would lose it for good.
        out.one({ ...data, key: secret }, { id: secret, lines: [secret] });
        out.notice(
          `key ${data.name} created; it is shown only now`,
          'on the other machine, set HYDRANT_KEY to it and HYDRANT_URL to this daemon',
        );
      }),
    );
}

function revoke(key: CommandUnknownOpts, action: Action): void {
  withExamples(key.command('revoke'), 'hydrant key revoke laptop')
    .description('revoke a key: it is refused from then on')
    .argument('<key>', 'its name, its id, or the beginning of its id')
    .option('-y, --yes', 'do not ask for confirmation')
    .action(
      action(async (session, [wanted]) => {
        const { client } = await session.connect();
        const { id, name, prefix } = found('key', await client.keys(), wanted, (one) => one.name);
        await confirm(session, `Revoke the key ${name} (${prefix}…)?`);
        await client.revokeKey(id);
        session.out.done({ id, name, revoked: true }, { id, notice: `key ${name} revoked` });
      }),
    );
}
