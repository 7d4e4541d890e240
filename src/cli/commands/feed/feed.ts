import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { FeedCreation, FeedReport } from '../../../shared/api/feed.ts';
import type { Client } from '../../client/client.ts';
import { findTap, found } from '../../client/found.ts';
import { UsageError } from '../../runtime/failure.ts';
import type { Column } from '../../text/table.ts';
import { relative } from '../../text/time.ts';
import { withExamples } from '../help.ts';
import { confirm, type Action } from '../session.ts';

const ABOUT = `
A feed has an address that nobody can guess, and needs no key: whoever has the
address reads the feed. Give each reader a feed of its own, to revoke one alone.
`;

/** `hydrant feed`: matches and changes for readers of feeds, at an address of the daemon's. */
export function feedCommand(action: Action): CommandUnknownOpts {
  const feed = withExamples(
    new Command('feed'),
    'hydrant feed add --tap news',
    'hydrant feed add --tag prices --name phone',
    'hydrant feed list',
  )
    .alias('feeds')
    .description('feeds for feed readers: matches and changes at a secret address')
    .addHelpText('after', ABOUT);
  for (const declare of [add, list, remove]) declare(feed, action);
  return feed;
}

function add(feed: CommandUnknownOpts, action: Action): void {
  withExamples(
    feed.command('add'),
    'hydrant feed add --tap news',
    'hydrant feed add --watch https://example.org/prices',
    'hydrant feed add --tag prices --name phone',
  )
    .alias('create')
    .description('make a feed and print its address; it is not shown again')
    .option('--tap <tap>', 'of the matches of this tap')
    .option('--watch <watch>', 'of the changes of this watched page')
    .option('--tag <tag>', 'of the changes of the watched pages with this tag')
    .option('--name <name>', 'a name to recognize it by (default: that of what it is of)')
    .action(
      action(async ({ out, connect }, _words, flags) => {
        const { client } = await connect();
        const what = await creationOf(client, flags);
        const { data, addresses } = await client.feeds.add({
          ...what,
          ...(flags.name !== undefined && { name: flags.name }),
        });
        // The address is the answer with --quiet too: without it the feed is of no use.
        out.one({ ...data, addresses }, { id: addresses.atom, lines: [addresses.atom] });
        out.notice(
          `feed ${data.name} created; its address is shown only now. For JSON Feed, let it end with .json`,
          'behind a proxy, put the proxy’s address in place of the daemon’s',
        );
      }),
    );
}

interface Wanted {
  readonly tap?: string | undefined;
  readonly watch?: string | undefined;
  readonly tag?: string | undefined;
}

async function creationOf(client: Client, { tap, watch, tag }: Wanted): Promise<FeedCreation> {
  const given = [tap, watch, tag].filter((one) => one !== undefined);
  if (given.length !== 1) throw new UsageError('specify what the feed is of: one of --tap, --watch and --tag');
  if (tap !== undefined) return { kind: 'tap', of: findTap(await client.taps(), tap).id };
  if (tag !== undefined) return { kind: 'tag', of: tag };
  const { findWatch } = await import('../watch/watch-names.ts');
  return { kind: 'watch', of: findWatch(await client.watches.list(), watch ?? '').id };
}

function list(feed: CommandUnknownOpts, action: Action): void {
  withExamples(feed.command('list'), 'hydrant feed list')
    .description('list the feeds; an address is shown only once, when it is made')
    .action(
      action(async ({ out, connect }) => {
        const { client } = await connect();
        out.list(await client.feeds.list(), {
          id: ({ id }) => id,
          columns: columns(out.now),
          none: 'no feeds; make one with: hydrant feed add --tap <tap>',
        });
      }),
    );
}

function columns(now: number): Column<FeedReport>[] {
  return [
    { title: 'id', show: ({ id }) => id.slice(0, 8), plain: ({ id }) => id },
    { title: 'name', show: ({ name }) => name },
    { title: 'of', show: ({ kind }) => kind },
    { title: 'which', show: (one) => one.of_name ?? '(removed)', plain: (one) => one.of_name ?? one.of },
    { title: 'address', show: ({ prefix }) => `…/${prefix}…`, plain: ({ prefix }) => prefix },
    { title: 'created', show: (one) => relative(one.created_at, now), plain: (one) => one.created_at },
  ];
}

function remove(feed: CommandUnknownOpts, action: Action): void {
  withExamples(feed.command('remove'), 'hydrant feed remove phone')
    .alias('revoke')
    .description('revoke a feed: nothing is at its address from then on')
    .argument('<feed>', 'its name, its id, or the beginning of its id')
    .option('-y, --yes', 'do not ask for confirmation')
    .action(
      action(async (session, [wanted]) => {
        const { client } = await session.connect();
        const { id, name, prefix } = found('feed', await client.feeds.list(), wanted, (one) => one.name);
        await confirm(session, `Remove the feed ${name} (${prefix}…)? Its address can not be had again.`);
        await client.feeds.remove(id);
        session.out.done({ id, name, removed: true }, { id, notice: `feed ${name} removed` });
      }),
    );
}
