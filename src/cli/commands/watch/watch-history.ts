import { type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import { WATCH_CHANGES_A_PAGE } from '../../../shared/limits.ts';
import { withExamples } from '../help.ts';
import { FEED_FORMAT, secondsOf } from '../option-values.ts';
import type { Action } from '../session.ts';
import { tagOption } from './watch-labels.ts';
import {
  confirmOption,
  ignoreOption,
  onlyOption,
  jsonpathOption,
  selectOption,
  triggerOption,
  xpathOption,
} from './watch-options.ts';
import { renderOption, waitForOption, withinOption } from '../render-flags.ts';
import { ABOUT_REQUEST, withRequestFlags } from '../request-flags.ts';

/** The verbs of `hydrant watch` that read: pages, changes, checks, texts. What each does is loaded when it is run. */
const WATCH = 'its URL, its title, its id, or the beginning of its id';

const ABOUT_TRY = `
Needs no daemon: this command fetches the page itself and reads it as a check
does. It prints the lines that would be compared. A trigger is evaluated as if
the whole page were new.

With --render, it also reads the page as a browser shows it, and says which of
its lines only the browser shows. With --cookie, --headers-from and the like it
asks as a watch with them would.
`;

export function tryPage(noun: CommandUnknownOpts, action: Action): void {
  const command = withExamples(
    noun.command('try'),
    'hydrant watch try https://example.org/prices',
    "hydrant watch try https://example.org/ --select table --ignore '/^Updated/'",
    'hydrant watch try page.html --as https://example.org/prices',
  )
    .description('preview what would be watched of a page')
    .argument('<source>', 'a URL, or a page as a file; - reads it from stdin')
    .option('--as <url>', 'the URL that the file came from')
    .addOption(selectOption())
    .addOption(xpathOption())
    .addOption(jsonpathOption())
    .addOption(ignoreOption())
    .addOption(onlyOption())
    .addOption(triggerOption())
    .addOption(confirmOption())
    .addOption(renderOption())
    .addOption(waitForOption())
    .addOption(withinOption());
  withRequestFlags(command)
    .addHelpText('after', ABOUT_TRY)
    .addHelpText('after', ABOUT_REQUEST)
    .action(
      action(async (session, [source], flags) => {
        const { tryWatch } = await import('./watch-try.ts');
        return tryWatch(session, source, flags);
      }),
    );
}

export function screen(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('screen'), 'hydrant watch screen')
    .description('open a full-screen view of the watches, latest change first; the same as `hydrant watch` alone')
    .action(
      action(async (session) => {
        const { showScreen } = await import('./watch-list.ts');
        await showScreen(session);
      }),
    );
}

const ABOUT_DIFF = `
Without a number, shows the newest change. N is the number of a check, as listed
by \`watch log\`, and shows the change that this check found. N..M shows
everything between two checks, N.. everything since one. Changes that have been
shown count as seen.

--patch is a unified diff of the two texts as \`watch text\` prints them, for
git apply and patch. --html is a self-contained page.
`;

export function diff(noun: CommandUnknownOpts, action: Action): void {
  withExamples(
    noun.command('diff'),
    'hydrant watch diff https://example.org/prices',
    'hydrant watch diff https://example.org/prices 3..12',
    'hydrant watch diff https://example.org/prices --since 7d --html > diff.html',
  )
    .description('show what has changed on a watched page')
    .argument('<watch>', WATCH)
    .argument('[check]', 'the number of a check, or a range: 12, 3..12, 3..')
    .option('--since <time>', 'everything that changed since 2h, 7d, 2026-02-27')
    .option('--html', 'a page for a browser')
    .option('--patch', 'a unified diff for git apply')
    .option('--keep-unseen', 'do not mark what is shown as seen')
    .option('--exit-code', 'exit with 1 if there is a change')
    .addHelpText('after', ABOUT_DIFF)
    .action(
      action(async (session, [watch, which], flags) => {
        const { showDiff } = await import('./watch-diff.ts');
        return showDiff(session, watch, which, flags);
      }),
    );
}

export function text(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('text'), 'hydrant watch text https://example.org/prices 12')
    .description('print the text of a watched page as a check found it')
    .argument('<watch>', WATCH)
    .argument('[check]', 'the number of a check (default: the newest)', wholeFromOne)
    .action(
      action(async (session, [watch, check]) => {
        const { showText } = await import('./watch-log.ts');
        await showText(session, watch, check);
      }),
    );
}

export function log(noun: CommandUnknownOpts, action: Action): void {
  withExamples(
    noun.command('log'),
    'hydrant watch log https://example.org/prices',
    'hydrant watch log https://example.org/prices --failures --json',
  )
    .description('list the checks of a watch, newest first')
    .argument('<watch>', WATCH)
    .option('--changes', 'only those that found a change')
    .option('--failures', 'only those that failed')
    .option('--limit <count>', 'most lines to print (30)', wholeFromOne)
    .addHelpText('after', '\n--json: one check a line.\n')
    .action(
      action(async (session, [watch], flags) => {
        const { showLog } = await import('./watch-log.ts');
        await showLog(session, watch, flags);
      }),
    );
}

export function explain(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('explain'), 'hydrant watch explain https://example.org/prices')
    .description('show step by step why the last check did or did not find a change')
    .argument('<watch>', WATCH)
    .action(
      action(async (session, [watch]) => {
        const { explainCheck } = await import('./watch-log.ts');
        await explainCheck(session, watch);
      }),
    );
}

const ABOUT_FOLLOW = `
In a pipe, and with --json, prints one change per line:
  {"cursor":42,"watch":{"id":…,"url":…},"title":…,"check":{"n":12,…}}
When the daemon is restarted, it reconnects; no change is lost or repeated.
--after continues after a change that was printed earlier.

--once prints the changes that there are by now, and stops. Without a start it
prints all that are kept. --resume continues where the last run with --resume
for the same watches ended; use --once --resume in cron. A start that you give
counts for the first run only.

--exec runs a shell command for each change, one at a time, with that JSON on
its stdin and HYDRANT_MATCH_ID (the cursor), _URL, _DOMAIN, _TITLE (of the
watch, else of the page), _MATCHED_AT, HYDRANT_WATCH_ID and _TAGS in its
environment. A command that fails is reported, the others run, and the exit code
is 1; with --resume the next run starts with the first change whose command
failed.

--format takes cursor, title (of the page), watch.url, watch.title, watch.tags,
check.at, domain, added and removed in braces. The exit code is 130 after Ctrl-C
and 0 after a closed pipe.
`;

export function follow(noun: CommandUnknownOpts, action: Action): void {
  withExamples(
    noun.command('follow'),
    'hydrant watch follow',
    'hydrant watch follow --json | jq -r .watch.url',
    "hydrant watch follow --exec 'jq -r .watch.url | xargs xdg-open'",
    'hydrant watch follow --tag shop',
    "hydrant watch follow --once --resume --format '{watch.url} {added}'",
  )
    .description('show changes of watched pages as they are found')
    .argument('[watch...]', `${WATCH}; default: all`)
    .option('--since <time>', 'start with what changed since 2h, 7d, 2026-02-27')
    .option('--after <cursor>', 'start after the change with this cursor', wholeFromZero)
    .option('--resume', 'start where the last run with --resume ended')
    .option('--once', 'print the changes that there are, then stop')
    .option('--for <time>', 'stop after 30s, 10m, 1h', secondsOf)
    .option('--limit <count>', 'stop after this many changes', wholeFromOne)
    .option('--format <template>', "a line format of your own, such as '{watch.url}\\t{added}'")
    .option('--exec <command>', 'shell command to run for each change')
    .addOption(tagOption('only watches with this tag'))
    .addHelpText('after', ABOUT_FOLLOW)
    .action(
      action(async (session, [watches], flags) => {
        const { followChanges } = await import('./watch-follow.ts');
        return followChanges(session, watches, flags);
      }),
    );
}

export function feed(noun: CommandUnknownOpts, action: Action): void {
  withExamples(
    noun.command('feed'),
    'hydrant watch feed > changes.atom',
    'hydrant watch feed https://example.org/prices --output /srv/www/prices.atom',
  )
    .description('write a feed, Atom or JSON Feed, of the changes of a watched page, or of all')
    .argument('[watch]', `${WATCH}; default: all`)
    .addOption(FEED_FORMAT)
    .option('--limit <count>', 'most entries (50)', entries)
    .option('--output <file>', 'file to write, replaced atomically')
    .action(
      action(async (session, [watch], flags) => {
        const { writeFeed } = await import('./watch-diff.ts');
        await writeFeed(session, watch, flags);
      }),
    );
}

function entries(text: string): number {
  const value = wholeFromOne(text);
  if (value <= WATCH_CHANGES_A_PAGE.most) return value;
  throw new InvalidArgumentError(`It must be at most ${WATCH_CHANGES_A_PAGE.most}.`);
}

function wholeFromOne(text: string): number {
  const value = wholeFromZero(text);
  if (value > 0) return value;
  throw new InvalidArgumentError('It must be a whole number from 1 on.');
}

function wholeFromZero(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}
