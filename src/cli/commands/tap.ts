import { hash } from 'node:crypto';
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Tap } from '../../shared/api/tap.ts';
import { atomFeed } from '../../shared/documents/atom.ts';
import { jsonFeed } from '../../shared/documents/json-feed.ts';
import { type FeedSubject, matchFeed } from '../../shared/documents/match-feed.ts';
import type { PastMatch } from '../../shared/documents/past-match.ts';
import { findTap, type OpenedTap, openTap } from '../client/found.ts';
import { exitCode } from '../runtime/exit-code.ts';
import { Failure, UsageError } from '../runtime/failure.ts';
import { type Field, writeWhole } from '../runtime/output.ts';
import { printable, quoted } from '../../shared/text/printable.ts';
import type { Column } from '../text/table.ts';
import { relative } from '../text/time.ts';
import { confirm, type Action, type Session } from './session.ts';
import { count } from '../../shared/text/plural.ts';
import { withExamples } from './help.ts';
import { countUpTo, FEED_FORMAT, upToRetention } from './option-values.ts';

const TAP = 'its name, its id, or the beginning of its id';
const OPTIONAL_TAP = `${TAP}; may be left out when there is one tap`;

/** Taps: each owns rules and is streamed from. */
export function tapCommand(action: Action): CommandUnknownOpts {
  const tap = withExamples(new Command('tap'), 'hydrant tap create news', 'hydrant tap list')
    .alias('taps')
    .description('taps: each has its rules and its stream');
  for (const declare of [list, create, show, edit, token, pause, resume, feed, rename, revoke]) declare(tap, action);
  return tap;
}

function list(tap: CommandUnknownOpts, action: Action): void {
  withExamples(tap.command('list'), 'hydrant tap list', "hydrant tap list --json | jq -r '.[].name'")
    .description('list the taps')
    .option('--tokens', 'with --json, their tokens, too')
    .action(
      action(async ({ out, connect }, _words, { tokens }) => {
        const { client } = await connect();
        out.list(await client.taps(), {
          // A list is pasted into reports and chats.
          json: (tap) => (tokens === true ? tap : withoutToken(tap)),
          id: ({ id }) => id,
          columns: columns(out.now),
          none: 'no taps yet; create one with: hydrant tap create news',
        });
      }),
    );
}

function withoutToken(tap: Tap): object {
  return Object.fromEntries(Object.entries(tap).filter(([field]) => field !== 'token'));
}

function columns(now: number): Column<Tap>[] {
  return [
    { title: 'id', show: ({ id }) => id.slice(0, 8), plain: ({ id }) => id },
    { title: 'name', show: ({ name }) => name },
    { title: 'status', show: ({ status }) => status },
    { title: 'rules', show: (tap) => String(tap.rules_count), align: 'right' },
    {
      title: 'last used',
      show: (tap) => (tap.last_used_at === null ? 'never' : relative(tap.last_used_at, now)),
      plain: (tap) => tap.last_used_at ?? '',
    },
    { title: 'created', show: (tap) => relative(tap.created_at, now), plain: (tap) => tap.created_at },
  ];
}

function create(tap: CommandUnknownOpts, action: Action): void {
  withExamples(tap.command('create'), 'hydrant tap create news')
    .alias('add')
    .description('create a tap')
    .argument('<name>', 'its name')
    .action(
      action(async ({ out, connect }, [name]) => {
        const { client } = await connect();
        const same = (await client.taps()).find((one) => one.name === name);
        if (same !== undefined) throw taken(same);
        const { data, token: secret } = await client.createTap(name);
        const lines = [`${printable(data.name)} · ${data.id} · token ${secret}`];
        out.one({ ...data, token: secret }, { id: data.id, lines, plain: [data.id] });
        out.notice(
          `tap ${data.name} created; read its token with: hydrant tap token ${quoted(data.name)}`,
          `hydrant rule add ${quoted(data.name)} 'title:release'`,
        );
      }),
    );
}

/** The API has taps of one name; here a name is how a tap is called, and two of them would be nobody's wish. */
function taken({ id, name }: Tap): Failure {
  return new Failure('name_taken', exitCode.refused, `there is a tap ${quoted(name)} already (${id.slice(0, 8)})`, {
    hint: `see it with: hydrant tap show ${quoted(name)}; or choose another name`,
  });
}

function show(tap: CommandUnknownOpts, action: Action): void {
  withExamples(tap.command('show'), 'hydrant tap show news')
    .description('show one tap')
    .argument('[tap]', OPTIONAL_TAP)
    .action(
      action(async ({ out, connect }, [wanted]) => {
        const { client } = await connect();
        const found = findTap(await client.taps(), wanted);
        const time = (timestamp: string): string => (out.forPeople ? relative(timestamp, out.now) : timestamp);
        const fields: readonly Field[] = [
          ['id', found.id],
          ['name', found.name],
          ['status', found.status],
          ['token', `${found.token_prefix}…`],
          ['rules', String(found.rules_count)],
          ['last used', found.last_used_at === null ? 'never' : time(found.last_used_at)],
          ['created', time(found.created_at)],
        ];
        out.fields(found, { id: found.id, fields });
      }),
    );
}

/** The token alone, whatever the form, so that `$(…)` can hold it. */
function token(tap: CommandUnknownOpts, action: Action): void {
  withExamples(tap.command('token'), 'hydrant tap token news', 'export HYDRANT_TAP_TOKEN=$(hydrant tap token news)')
    .description('print the token of a tap')
    .argument('[tap]', OPTIONAL_TAP)
    .action(
      action(async ({ out, connect }, [wanted]) => {
        const { client } = await connect();
        const found = findTap(await client.taps(), wanted);
        out.one({ id: found.id, token: found.token }, { id: found.token, lines: [found.token] });
      }),
    );
}

function pause(tap: CommandUnknownOpts, action: Action): void {
  withExamples(tap.command('pause'), 'hydrant tap pause news')
    .description('stop matching for a tap; keeps its rules and token')
    .argument('<tap>', TAP)
    .action(
      action(async ({ out, connect }, [wanted]) => {
        const { client } = await connect();
        const found = findTap(await client.taps(), wanted);
        const changed = await client.changeTap(found.id, { status: 'paused' });
        out.done(changed, {
          id: changed.id,
          notice: `tap ${changed.name} is paused: ${count(changed.rules_count, 'rule')} kept, nothing is matched`,
          next: `hydrant tap resume ${quoted(changed.name)}`,
        });
      }),
    );
}

function resume(tap: CommandUnknownOpts, action: Action): void {
  withExamples(tap.command('resume'), 'hydrant tap resume news')
    .description('resume matching for a paused tap')
    .argument('<tap>', TAP)
    .action(
      action(async ({ out, connect }, [wanted]) => {
        const { client } = await connect();
        const found = findTap(await client.taps(), wanted);
        const changed = await client.changeTap(found.id, { status: 'active' });
        out.done(changed, {
          id: changed.id,
          notice: `tap ${changed.name} is active with ${count(changed.rules_count, 'rule')}`,
          next: `hydrant tail ${quoted(changed.name)}`,
        });
      }),
    );
}

/** The matches of a tap as a feed, an entry a match. */
function feed(tap: CommandUnknownOpts, action: Action): void {
  withExamples(
    tap.command('feed'),
    'hydrant tap feed news > news.atom',
    'hydrant tap feed news --output /var/www/news.atom     # from cron',
  )
    .description('print the matches of a time as a feed: Atom or JSON Feed')
    .argument('[tap]', OPTIONAL_TAP)
    .addOption(FEED_FORMAT)
    .option('--output <file>', 'file to write, replaced atomically')
    .addOption(new Option('--since <time>', 'how far back, such as 7d').argParser(upToRetention).default(86_400, '24h'))
    .addOption(new Option('--limit <count>', 'most entries, newest first').argParser(countUpTo(10_000)).default(500))
    .action(
      action(async (session, [wanted], { since, limit, output, format }) => {
        const { context, out } = session;
        // The stream's client is for this verb alone; help and the other verbs do without.
        const { eachPastMatch, tellShort } = await import('./past-matches.ts');
        const { connection, client } = await session.connect();
        const opened = await openTap(connection, client, wanted);
        const matches: PastMatch[] = [];
        const { keptFrom } = await eachPastMatch(session, opened, { seconds: since, most: limit }, (match) => {
          matches.push(match);
          if (matches.length > limit) matches.shift();
        });
        if (context.closed?.aborted === true) return;
        if (keptFrom !== undefined) tellShort(out, keptFrom);
        const write = format === 'json' ? jsonFeed : atomFeed;
        const text = write(matchFeed(subjectOf(opened, matches), matches), (data) => hash('sha1', data));
        if (output === undefined || output === '-') return out.text(text);
        await writeWhole(output, text);
        out.notice(`${output}: ${count(matches.length, 'entry')}`);
      }),
    );
}

function rename(tap: CommandUnknownOpts, action: Action): void {
  withExamples(tap.command('rename'), 'hydrant tap rename news headlines')
    .description('give a tap another name')
    .argument('<tap>', TAP)
    .argument('<name>', 'the new name')
    .action(action(async (session, [wanted, name]) => renameTap(session, wanted, name)));
}

function edit(tap: CommandUnknownOpts, action: Action): void {
  withExamples(tap.command('edit'), 'hydrant tap edit news --name headlines')
    .description('change a tap; its rules have commands of their own')
    .argument('<tap>', TAP)
    .option('--name <name>', 'the new name')
    .action(
      action(async (session, [wanted], { name }) => {
        if (name === undefined) throw new UsageError('nothing to change: give --name');
        return renameTap(session, wanted, name);
      }),
    );
}

async function renameTap({ out, connect }: Session, wanted: string, name: string): Promise<void> {
  const { client } = await connect();
  const taps = await client.taps();
  const found = findTap(taps, wanted);
  const same = taps.find((one) => one.name === name && one.id !== found.id);
  if (same !== undefined) throw taken(same);
  const changed = await client.changeTap(found.id, { name });
  out.done(changed, { id: changed.id, notice: `tap ${found.name} is now called ${changed.name}` });
}

function revoke(tap: CommandUnknownOpts, action: Action): void {
  withExamples(tap.command('revoke'), 'hydrant tap revoke news')
    .description('delete a tap with its rules; its token is refused from then on')
    .argument('<tap>', TAP)
    .option('-y, --yes', 'do not ask for confirmation')
    .action(
      action(async (session, [wanted]) => {
        const { client } = await session.connect();
        const { id, name, rules_count: ruleCount } = findTap(await client.taps(), wanted);
        const rules = count(ruleCount, 'rule');
        await confirm(session, `Revoke the tap ${name}? This deletes ${rules} and ends its open streams.`);
        await client.revokeTap(id);
        session.out.done({ id, name, revoked: true }, { id, notice: `tap ${name} revoked, with ${rules}` });
      }),
    );
}

function subjectOf({ tap, token: secret }: OpenedTap, matches: readonly PastMatch[]): FeedSubject {
  if (tap) return { id: tap.id, name: tap.name, since: tap.created_at };
  // Without its name, a tap is known by its token alone, of which nothing may be seen.
  const id = matches[0]?.tapId ?? hash('sha256', secret).slice(0, 32);
  return { id, name: 'tap', since: new Date(0).toISOString() };
}
