import { Command, Option } from 'commander';
import type { Context } from '../../context.ts';
import { secondsOf } from '../words.ts';
import { withExamples } from '../help.ts';
import type { OnStopped } from '../on-stopped.ts';
import { openSession, type Session } from '../session.ts';
import type { AddFlags } from './watch-add.ts';
import type { ApplyFlags } from '../apply/apply-run.ts';
import type { CheckFlags } from './watch-check.ts';
import type { ExportFlags } from './watch-export.ts';
import { watchAlone, watchHistory } from './watch-history.ts';
import { list, type ListFlags, show } from './watch-list.ts';
import { clearingOptions, everyOption, watchingOptions } from './watch-options.ts';
import { edit, type EditFlags, remove, setStatus } from './watch-verbs.ts';

export const WATCH = 'its URL, its id, or the beginning of its id';

/** Watched URLs: checked at a steady pace, each change kept with its diff. */
export function watchCommand(context: Context, onStopped: OnStopped): Command {
  const watch = new Command('watch')
    .alias('watches')
    .description('watched URLs: checked at a steady pace, each change kept with its diff')
    .argument('[verb]')
    .usage('[options] [command]')
    .action((verb: string | undefined, _flags, self: Command) => watchAlone(context, verb, self));
  withExamples(
    watch,
    'hydrant watch add https://example.org/pricing --every 6h',
    'hydrant watch list --failing',
    'hydrant watch diff https://example.org/pricing',
  );
  const commands = [
    adding(context),
    ...keeping(context),
    ...changing(context),
    checking(context, onStopped),
    ...watchHistory(context, onStopped),
    ...files(context),
  ];
  for (const command of commands) watch.addCommand(command);
  return watch;
}

const ABOUT = `
A page is checked at its cadence, to the minute, as far as its host and
robots.txt allow it. What counts is its text: --select and --ignore say which
part of it. See it before: hydrant watch try <url>

--ignore '/^updated/i' leaves out lines that match (RE2 syntax; without the i
case counts); what begins with no / is a CSS selector.

A list (-, --file; gzip or not) is URLs a line, a table with a column \`url\`,
OPML, a sitemap, a feed, a file of \`watch export\`, the JSON or the URL list of
changedetection.io, or urls.yaml of urlwatch. What of it cannot be carried over
is said; --dry-run shows it entry by entry.
`;

function adding(context: Context): Command {
  const command = withExamples(
    new Command('add'),
    'hydrant watch add https://example.org/pricing --every 6h',
    "hydrant watch add https://example.org/ --select main --ignore '.ad'",
    "hydrant watch add https://example.org/jobs --trigger 'engineer OR designer'",
    'hydrant watch add --file urls.yaml --dry-run',
  )
    .alias('create')
    .description('watch pages, or a list of them')
    .argument('[url...]', 'the pages; - reads a list from stdin')
    .addOption(everyOption('time between two checks (6h)'))
    .option('--file <file>', 'a list: URLs, a table, or what another watcher exports');
  for (const option of watchingOptions()) command.addOption(option);
  return command
    .option('--dry-run', 'show what would be watched, and change nothing')
    .option('--wait', 'wait for the first check; this is so on a terminal')
    .option('--no-wait', 'do not wait for it')
    .option('--timeout <time>', 'wait no longer than 30s, 5m (150s)', secondsOf)
    .addHelpText('after', ABOUT)
    .action(async (urls: string[], flags: AddFlags, self: Command) => {
      const { add } = await import('./watch-add.ts');
      await add(openSession(context, self), urls, flags);
    });
}

function keeping(context: Context): Command[] {
  const session = (command: Command): Session => openSession(context, command);
  return [
    withExamples(new Command('list'), 'hydrant watch list', 'hydrant watch list --failing', 'hydrant watch list -q')
      .alias('ls')
      .description('list the watches, those that fail first')
      .option('--failing', 'only those whose last check failed')
      .option('--changed', 'only those with changes that are not seen yet')
      .action((flags: ListFlags, command: Command) => list(session(command), flags)),
    withExamples(new Command('show'), 'hydrant watch show https://example.org/pricing')
      .description('show one watch: its options, its last and next check, its problem')
      .argument('<watch>', WATCH)
      .action((wanted: string, _flags, command: Command) => show(session(command), wanted)),
  ];
}

function changing(context: Context): Command[] {
  const session = (command: Command): Session => openSession(context, command);
  const editing = withExamples(
    new Command('edit'),
    'hydrant watch edit https://example.org/pricing --every 1h',
    "hydrant watch edit 3f2a --ignore '.ad' --ignore '/^Updated/' --no-trigger",
  )
    .description('change how often watches are checked, and what counts of their pages')
    .argument('<watch...>', WATCH)
    .addOption(everyOption());
  for (const option of [...watchingOptions(), ...clearingOptions()]) editing.addOption(option);
  return [
    editing
      .addHelpText('after', EDITING)
      .action((wanted: string[], flags: EditFlags, command: Command) => edit(session(command), wanted, flags)),
    withExamples(new Command('pause'), 'hydrant watch pause https://example.org/pricing')
      .description('check no more until they are resumed')
      .argument('<watch...>', WATCH)
      .action((wanted: string[], _flags, command: Command) => setStatus(session(command), wanted, 'paused')),
    withExamples(new Command('resume'), 'hydrant watch resume https://example.org/pricing')
      .description('check paused watches again')
      .argument('<watch...>', WATCH)
      .action((wanted: string[], _flags, command: Command) => setStatus(session(command), wanted, 'active')),
    withExamples(new Command('remove'), 'hydrant watch remove https://example.org/pricing')
      .alias('rm')
      .description('stop watching, and forget the changes')
      .argument('<watch...>', WATCH)
      .option('-y, --yes', 'do not ask')
      .action((wanted: string[], _flags, command: Command) => remove(session(command), wanted)),
  ];
}

function checking(context: Context, onStopped: OnStopped): Command {
  return withExamples(
    new Command('check'),
    'hydrant watch check https://example.org/pricing --wait',
    'hydrant watch check --all',
  )
    .description('check watches now, as far as their hosts and robots.txt allow it')
    .argument('[watch...]', WATCH)
    .option('--all', 'all that are not paused')
    .option('--wait', 'wait for what they find; this is so on a terminal')
    .option('--no-wait', 'do not wait for it')
    .option('--timeout <time>', 'wait no longer than 30s, 5m (150s)', secondsOf)
    .addHelpText('after', CHECKING)
    .action(async (wanted: string[], flags: CheckFlags, command: Command) => {
      const { check } = await import('./watch-check.ts');
      onStopped(await check(openSession(context, command), wanted, flags));
    });
}

const CHECKING = `
With --wait it ends with 0 when nothing changed that counts, with 1 when
something did, with 2 when a page could not be read, and with 8 when a check was
not made in time. It counts as one check of the month, and moves no later one.
`;

function files(context: Context): Command[] {
  return [
    withExamples(
      new Command('export'),
      'hydrant watch export > watches.yaml',
      'hydrant watch export --format urls',
      'hydrant watch export --format csv > watches.csv',
    )
      .description('write all watches to stdout, for `watch apply` or another program')
      .addOption(
        new Option('--format <format>', 'all of it, the URLs alone, or a table')
          .choices(['yaml', 'urls', 'csv'])
          .default('yaml'),
      )
      .action(async (flags: ExportFlags, command: Command) => {
        const { exportAll } = await import('./watch-export.ts');
        await exportAll(openSession(context, command), flags);
      }),
    withExamples(
      new Command('apply'),
      'hydrant watch apply watches.yaml --dry-run',
      'hydrant watch apply watches.yaml --prune --yes',
    )
      .description('make the watches what a file says, as `hydrant apply`; the plan is shown first')
      .argument('<file>', 'as `watch export` or `hydrant export` writes it; - reads stdin')
      .option('--dry-run', 'show the plan, and change nothing')
      .option('--prune', 'remove what is not in the file, with its history')
      .option('-y, --yes', 'do not ask')
      .addHelpText('after', APPLYING)
      .action(async (file: string, flags: ApplyFlags, command: Command) => {
        const { apply } = await import('../apply/apply-run.ts');
        await apply(openSession(context, command), file, flags, 'watches');
      }),
  ];
}

const APPLYING = `
watches:
  - url: https://example.org/pricing
    every: 6h             # of an existing watch without it: as it is
    status: paused        # active
    select: [main]        # CSS
    ignore: ['.ad', '/^Updated/']
    only: added           # or removed
    trigger: 'price OR discount'
    confirm: true

An option that is not in the file is taken back: the file says all of it. A
second run finds nothing to do.
`;

const EDITING = `
What is given takes the place of what was: one --ignore replaces all of them.
The next check reads the old page by the new options, too: changing them is no
change of the page.
`;
