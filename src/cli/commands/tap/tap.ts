import { Command, Option } from 'commander';
import type { Context } from '../../context.ts';
import { withExamples } from '../help.ts';
import { openSession } from '../session.ts';
import { countUpTo, upToADay } from '../since-option.ts';
import type { FeedFlags } from './tap-feed.ts';
import { create, list, pause, rename, resume, revoke, show, token } from './tap-verbs.ts';

const TAP = 'its name, its id, or the beginning of its id';

/** Taps: each owns rules and is streamed from. */
export function tapCommand(context: Context): Command {
  const tap = new Command('tap').alias('taps').description('taps: each has its rules and its stream');
  withExamples(tap, 'hydrant tap create news', 'hydrant tap list');
  tap.addCommand(
    withExamples(new Command('list'), 'hydrant tap list', "hydrant tap list --json | jq -r '.[].name'")
      .alias('ls')
      .description('list the taps')
      .action((_flags, command: Command) => list(openSession(context, command))),
  );
  tap.addCommand(
    withExamples(new Command('create'), 'hydrant tap create news')
      .alias('add')
      .description('make a tap')
      .argument('<name>', 'what to call it')
      .action((name: string, _flags, command: Command) => create(openSession(context, command), name)),
  );
  for (const verb of [showing(context), tokens(context), pausing(context), resuming(context), feeding(context)]) {
    tap.addCommand(verb);
  }
  tap.addCommand(
    withExamples(new Command('rename'), 'hydrant tap rename news headlines')
      .description('give a tap another name')
      .argument('<tap>', TAP)
      .argument('<name>', 'the new name')
      .action((wanted: string, name: string, _flags, command: Command) =>
        rename(openSession(context, command), wanted, name),
      ),
  );
  tap.addCommand(
    withExamples(new Command('revoke'), 'hydrant tap revoke news')
      .aliases(['rm', 'remove'])
      .description('delete a tap with its rules; its token is refused from then on')
      .argument('<tap>', TAP)
      .option('-y, --yes', 'do not ask')
      .action((wanted: string, _flags, command: Command) => revoke(openSession(context, command), wanted)),
  );
  return tap;
}

function showing(context: Context): Command {
  return withExamples(new Command('show'), 'hydrant tap show news')
    .description('show one tap')
    .argument('[tap]', `${TAP}; may be left out when there is one tap`)
    .action((wanted: string | undefined, _flags, command: Command) => show(openSession(context, command), wanted));
}

function tokens(context: Context): Command {
  return withExamples(
    new Command('token'),
    'hydrant tap token news',
    'export HYDRANT_TAP_TOKEN=$(hydrant tap token news)',
  )
    .description('print the token of a tap, alone')
    .argument('[tap]', `${TAP}; may be left out when there is one tap`)
    .action((wanted: string | undefined, _flags, command: Command) => token(openSession(context, command), wanted));
}

function pausing(context: Context): Command {
  return withExamples(new Command('pause'), 'hydrant tap pause news')
    .description('stop matching for a tap; its rules and token are kept')
    .argument('<tap>', TAP)
    .action((wanted: string, _flags, command: Command) => pause(openSession(context, command), wanted));
}

function resuming(context: Context): Command {
  return withExamples(new Command('resume'), 'hydrant tap resume news')
    .description('match for a paused tap again')
    .argument('<tap>', TAP)
    .action((wanted: string, _flags, command: Command) => resume(openSession(context, command), wanted));
}

function feeding(context: Context): Command {
  return withExamples(
    new Command('feed'),
    'hydrant tap feed news > news.atom',
    'hydrant tap feed news --output /var/www/news.atom     # from cron',
  )
    .description('print the matches of the last 24 hours as an Atom feed')
    .argument('[tap]', `${TAP}; may be left out when there is one tap`)
    .option('--output <file>', 'write it there, all at once')
    .addOption(new Option('--since <time>', 'how far back, up to 24h').argParser(upToADay).default(86_400, '24h'))
    .addOption(new Option('--limit <count>', 'entries, the newest').argParser(countUpTo(10_000)).default(500))
    .action(async (wanted: string | undefined, flags: FeedFlags, command: Command) => {
      const { feed } = await import('./tap-feed.ts');
      await feed(openSession(context, command), wanted, flags);
    });
}
