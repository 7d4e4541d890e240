import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { UsageError } from '../../runtime/failure.ts';
import { withExamples } from '../help.ts';
import { meantBy } from '../meant.ts';
import { type Action, canShow, type Session } from '../session.ts';
import { secondsOf } from '../option-values.ts';
import { diff, explain, feed, follow, log, screen, text, tryPage } from './watch-history.ts';
import { ABOUT_REQUEST, withRequestFlags } from '../request-flags.ts';
import { tagOption, titleOption } from './watch-labels.ts';
import {
  confirmOption,
  everyOption,
  ignoreOption,
  onlyOption,
  jsonpathOption,
  selectOption,
  triggerOption,
  xpathOption,
} from './watch-options.ts';
import { noRenderOption, renderOption, waitForOption, withinOption } from '../render-flags.ts';

const WATCH = 'its URL, its title, its id, or the beginning of its id';

/** Watched URLs: checked at a steady pace, each change kept with its diff. */
export function watchCommand(action: Action): CommandUnknownOpts {
  const noun = withExamples(
    new Command('watch'),
    'hydrant watch add https://example.org/pricing --every 6h',
    'hydrant watch list --failing',
    'hydrant watch diff https://example.org/pricing',
  )
    .alias('watches')
    .description('watched URLs: checked at a fixed interval, each change kept with its diff')
    .argument('[verb]')
    .usage('[options] [command]')
    .action(action((session, [verb], _flags, self) => watchAlone(session, verb, self)));
  const keeping = [add, list, show, edit, pause, resume, remove, check];
  const reading = [tryPage, screen, diff, text, log, explain, follow, feed];
  for (const declare of [...keeping, ...reading, exportList, applyFile]) declare(noun, action);
  return noun;
}

/**
 * The noun without a verb: the screen on a terminal, else its help, as of any other noun. A misspelled verb comes here
 * too, since commander takes it for an argument.
 */
async function watchAlone(session: Session, word: string | undefined, command: CommandUnknownOpts): Promise<void> {
  if (word !== undefined) {
    throw new UsageError(`unknown command '${word}'`, {
      hint: meantBy(command, word) ?? `see: hydrant ${command.name()} --help`,
    });
  }
  if (!canShow(session)) return command.outputHelp();
  const { showScreen } = await import('./watch-list.ts');
  return showScreen(session);
}

const ABOUT_ADD = `
A page is checked at its interval, as far as its host and robots.txt allow it.
Its text is compared; --select and --ignore choose the parts that count. Preview
them with: hydrant watch try <url>

--ignore '/^updated/i' leaves out lines that match (RE2 syntax; i ignores case).
A value that does not start with / is a CSS selector.

--render is for pages that scripts build: a browser on this machine reads them,
and each request of it obeys robots.txt. See: hydrant doctor

A list (-, --file; gzip is unpacked) has one URL per line, or is a table with a
column \`url\`, OPML, a sitemap, a feed, a file of \`watch export\`, the JSON or
the URL list of changedetection.io, or urls.yaml of urlwatch. Titles and tags
are kept, and simple XPath becomes CSS. An entry that cannot work is not added,
but listed with the reason and what to do instead; the exit code is then 6.
Other settings that cannot be imported are reported; --dry-run shows them for
each entry.
`;

function add(noun: CommandUnknownOpts, action: Action): void {
  const command = withExamples(
    noun.command('add'),
    'hydrant watch add https://example.org/pricing --every 6h',
    "hydrant watch add https://example.org/ --select main --ignore '.ad'",
    "hydrant watch add https://example.org/jobs --trigger 'engineer OR designer'",
    'hydrant watch add https://example.org/ --title Example --tag shop --tag eu',
    'hydrant watch add https://example.org/account --cookie @cookie.txt',
    'hydrant watch add --file urls.yaml --dry-run',
  )
    .alias('create')
    .description('watch pages, or a list of URLs')
    .argument('[url...]', 'the pages; - reads a list from stdin')
    .addOption(everyOption('time between two checks (6h)'))
    .option('--file <file>', 'a list: URLs, a table, or the export of another tool')
    .addOption(selectOption())
    .addOption(xpathOption())
    .addOption(jsonpathOption())
    .addOption(ignoreOption())
    .addOption(onlyOption())
    .addOption(triggerOption())
    .addOption(confirmOption())
    .addOption(renderOption())
    .addOption(waitForOption())
    .addOption(withinOption())
    .addOption(titleOption())
    .addOption(tagOption('a tag for all of them'));
  withRequestFlags(command)
    .option('--dry-run', 'show what would be watched and change nothing')
    .option('--wait', 'wait for the first check (the default on a terminal)')
    .option('--no-wait', 'do not wait for it')
    .option('--timeout <time>', 'wait no longer than 30s, 5m (150s)', secondsOf)
    .addHelpText('after', ABOUT_ADD)
    .addHelpText('after', ABOUT_REQUEST)
    .action(
      action(async (session, [urls], flags) => {
        const { addWatches } = await import('./watch-add.ts');
        return addWatches(session, urls, flags);
      }),
    );
}

function list(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('list'), 'hydrant watch list', 'hydrant watch list --tag shop', 'hydrant watch list -q')
    .description('list the watches, failing ones first')
    .option('--failing', 'only those whose last check failed')
    .option('--changed', 'only those with unseen changes')
    .addOption(tagOption('only those with this tag'))
    .action(
      action(async (session, _words, flags) => {
        const { listWatches } = await import('./watch-list.ts');
        await listWatches(session, flags);
      }),
    );
}

function show(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('show'), 'hydrant watch show https://example.org/pricing')
    .description('show one watch: its options, its last and next check, its problem')
    .argument('<watch>', WATCH)
    .action(
      action(async (session, [wanted]) => {
        const { showWatch } = await import('./watch-list.ts');
        await showWatch(session, wanted);
      }),
    );
}

const ABOUT_EDIT = `
A flag replaces the previous values: one --ignore replaces all of them, and
--render, --wait-for and --within are one value. The next
check applies the new options to the previous version too, so changing options
is never reported as a change of the page.
`;

function edit(noun: CommandUnknownOpts, action: Action): void {
  const command = withExamples(
    noun.command('edit'),
    'hydrant watch edit https://example.org/pricing --every 1h',
    "hydrant watch edit 3f2a --ignore '.ad' --ignore '/^Updated/' --no-trigger",
  )
    .description('change how often watches are checked, what counts of their pages, their titles and tags')
    .argument('<watch...>', WATCH)
    .addOption(everyOption())
    .addOption(selectOption())
    .addOption(xpathOption())
    .addOption(jsonpathOption())
    .addOption(ignoreOption())
    .addOption(onlyOption())
    .addOption(triggerOption())
    .addOption(confirmOption())
    .addOption(renderOption())
    .addOption(waitForOption())
    .addOption(withinOption())
    .addOption(titleOption())
    .addOption(tagOption('a tag instead of those it has'));
  withRequestFlags(command)
    .addOption(new Option('--no-select', 'watch the whole page again'))
    .addOption(new Option('--no-ignore', 'compare the whole text: drop all --ignore'))
    .addOption(new Option('--no-only', 'count added and removed lines'))
    .addOption(new Option('--no-trigger', 'every change counts'))
    .addOption(new Option('--no-confirm', 'report a change without a second check'))
    .addOption(noRenderOption())
    .addOption(new Option('--no-title', 'take its title away'))
    .addOption(new Option('--no-tags', 'take all its tags away'))
    .addOption(new Option('--no-request', 'ask for it as for all pages: no headers, body, proxy of its own'))
    .addHelpText('after', ABOUT_EDIT)
    .addHelpText('after', ABOUT_REQUEST)
    .action(
      action(async (session, [wanted], flags) => {
        const { editWatches } = await import('./watch-edit.ts');
        await editWatches(session, wanted, flags);
      }),
    );
}

function pause(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('pause'), 'hydrant watch pause https://example.org/pricing')
    .description('stop checking watches until they are resumed')
    .argument('<watch...>', WATCH)
    .action(
      action(async (session, [wanted]) => {
        const { setStatus } = await import('./watch-edit.ts');
        await setStatus(session, wanted, 'paused');
      }),
    );
}

function resume(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('resume'), 'hydrant watch resume https://example.org/pricing')
    .description('check paused watches again')
    .argument('<watch...>', WATCH)
    .action(
      action(async (session, [wanted]) => {
        const { setStatus } = await import('./watch-edit.ts');
        await setStatus(session, wanted, 'active');
      }),
    );
}

function remove(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('remove'), 'hydrant watch remove https://example.org/pricing')
    .description('stop watching, and delete the changes')
    .argument('<watch...>', WATCH)
    .option('-y, --yes', 'do not ask for confirmation')
    .action(
      action(async (session, [wanted]) => {
        const { removeWatches } = await import('./watch-edit.ts');
        await removeWatches(session, wanted);
      }),
    );
}

const ABOUT_CHECK = `
With --wait, the exit code is 0 if no relevant change was found, 1 if one was,
2 if a page could not be read, and 8 if a check was not made in time. It counts
as one check of the month, and does not move later checks.
`;

function check(noun: CommandUnknownOpts, action: Action): void {
  withExamples(
    noun.command('check'),
    'hydrant watch check https://example.org/pricing --wait',
    'hydrant watch check --all',
  )
    .description('check watches now, as far as their hosts and robots.txt allow it')
    .argument('[watch...]', WATCH)
    .option('--all', 'all watches that are not paused')
    .option('--wait', 'wait for the results (the default on a terminal)')
    .option('--no-wait', 'do not wait for it')
    .option('--timeout <time>', 'wait no longer than 30s, 5m (150s)', secondsOf)
    .addHelpText('after', ABOUT_CHECK)
    .action(
      action(async (session, [wanted], flags) => {
        const { checkWatches } = await import('./watch-check.ts');
        return checkWatches(session, wanted, flags);
      }),
    );
}

function exportList(noun: CommandUnknownOpts, action: Action): void {
  withExamples(
    noun.command('export'),
    'hydrant watch export > watches.yaml',
    'hydrant watch export --format urls',
    'hydrant watch export --format csv > watches.csv',
  )
    .description('write all watches to stdout, for `watch apply` or another program')
    .addOption(
      new Option('--format <format>', 'everything as YAML, only the URLs, or a table')
        .choices(['yaml', 'urls', 'csv'] as const)
        .default('yaml' as const),
    )
    .action(
      action(async (session, _words, { format }) => {
        const { exportWatches } = await import('./watch-export.ts');
        await exportWatches(session, format);
      }),
    );
}

const ABOUT_APPLY = `
watches:
  - url: https://example.org/pricing
    title: Prices
    tags: [shop, eu]
    every: 6h             # if left out, an existing watch keeps its interval
    status: paused        # or active
    select: [main]        # CSS
    ignore: ['.ad', '/^Updated/']
    only: added           # or removed
    trigger: 'price OR discount'
    confirm: true
    render: true          # as a browser shows it
    wait_for: .price      # read when there is such an element
    within: 30s           # at the latest

An option that is not in the file is reset to its default. A second run changes
nothing.
`;

function applyFile(noun: CommandUnknownOpts, action: Action): void {
  withExamples(
    noun.command('apply'),
    'hydrant watch apply watches.yaml --dry-run',
    'hydrant watch apply watches.yaml --prune --yes',
  )
    .description('make the watches match a file, as `hydrant apply` does; shows the plan first')
    .argument('<file>', 'as `watch export` or `hydrant export` writes it; - reads stdin')
    .option('--dry-run', 'show the plan and change nothing')
    .option('--prune', 'remove watches that are not in the file, with their history')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', ABOUT_APPLY)
    .action(
      action(async (session, [file], flags) => {
        const { apply } = await import('../apply/apply-run.ts');
        await apply(session, file, flags, 'watches');
      }),
    );
}
