import { type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import { WATCH_CHANGES_A_PAGE } from '../../../shared/limits.ts';
import { withExamples } from '../help.ts';
import type { Action } from '../session.ts';
import { confirmOption, ignoreOption, onlyOption, selectOption, triggerOption } from './watch-options.ts';

/** The verbs of `hydrant watch` that read: pages, changes, checks, texts. What each does is loaded when it is run. */
const WATCH = 'its URL, its id, or the beginning of its id';

const ABOUT_TRY = `
Needs no daemon: the page is fetched from here, and read as a check reads it.
Each line stands as it is compared. A trigger is evaluated as if all of the page
were new.
`;

export function tryPage(noun: CommandUnknownOpts, action: Action): void {
  withExamples(
    noun.command('try'),
    'hydrant watch try https://example.org/prices',
    "hydrant watch try https://example.org/ --select table --ignore '/^Updated/'",
    'hydrant watch try page.html --as https://example.org/prices',
  )
    .description('show what would be watched of a page, before it is')
    .argument('<source>', 'a URL, or a page as a file; - reads it from stdin')
    .option('--as <url>', 'the address that the file had')
    .addOption(selectOption())
    .addOption(ignoreOption())
    .addOption(onlyOption())
    .addOption(triggerOption())
    .addOption(confirmOption())
    .addHelpText('after', ABOUT_TRY)
    .action(
      action(async (session, [source], flags) => {
        const { tryWatch } = await import('./watch-try.ts');
        await tryWatch(session, source, flags);
      }),
    );
}

export function screen(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('screen'), 'hydrant watch screen')
    .description('the watches on a terminal, with what changed last; as `hydrant watch` alone')
    .action(
      action(async (session) => {
        const { showScreen } = await import('./watch-screen.ts');
        await showScreen(session);
      }),
    );
}

const ABOUT_DIFF = `
Without a number it is the newest change. N is the number of a check, as
\`watch log\` lists it: the change that this check found. N..M is all that lies
between two checks, and N.. all since one. What has been shown counts as seen.

--patch is a unified diff of the two texts as \`watch text\` prints them, for
git apply and patch. --html is one page that loads nothing.
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
    .argument('[check]', 'the number of a check, or two: 12, 3..12, 3..')
    .option('--since <time>', 'all that has changed since 2h, 7d, 2026-02-27')
    .option('--html', 'a page for a browser')
    .option('--patch', 'a unified diff for git apply')
    .option('--keep-unseen', 'what is shown does not count as seen')
    .option('--exit-code', 'end with 1 where there is a change')
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
    .description('print the text of a watched page as a check left it')
    .argument('<watch>', WATCH)
    .argument('[check]', 'the number of a check; the newest without it', wholeFromOne)
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
    .option('--limit <count>', 'lines at most (30)', wholeFromOne)
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
    .alias('why')
    .description('show step by step why the last check found a change, or none')
    .argument('<watch>', WATCH)
    .action(
      action(async (session, [watch]) => {
        const { explainCheck } = await import('./watch-explain.ts');
        await explainCheck(session, watch);
      }),
    );
}

const ABOUT_FOLLOW = `
In a pipe, and with --json, one change a line:
  {"cursor":42,"watch":{"id":…,"url":…},"title":…,"check":{"n":12,…}}
When the daemon is restarted, it reconnects; no change is lost or printed twice.
--after continues behind a change that was printed before. --exec runs a command
of the shell for each change, one at a time, with that JSON on its stdin. Ctrl-C
ends it with 130, a closed pipe with 0.
`;

export function follow(noun: CommandUnknownOpts, action: Action): void {
  withExamples(
    noun.command('follow'),
    'hydrant watch follow',
    'hydrant watch follow --json | jq -r .watch.url',
    "hydrant watch follow --exec 'jq -r .watch.url | xargs xdg-open'",
  )
    .description('show changes of watched pages as they are found')
    .argument('[watch...]', `${WATCH}; all without one`)
    .option('--since <time>', 'begin with what changed since 2h, 7d, 2026-02-27')
    .option('--after <cursor>', 'begin behind the change with this cursor', wholeFromZero)
    .option('--limit <count>', 'end after so many changes', wholeFromOne)
    .option('--exec <command>', 'run it for each change')
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
    .description('write an Atom feed of the changes of a watched page, or of all')
    .argument('[watch]', `${WATCH}; all without one`)
    .option('--limit <count>', 'entries at most (50)', entries)
    .option('--output <file>', 'write it there, whole or not at all')
    .action(
      action(async (session, [watch], flags) => {
        const { writeFeed } = await import('./watch-feed.ts');
        await writeFeed(session, watch, flags);
      }),
    );
}

function entries(text: string): number {
  const value = wholeFromOne(text);
  if (value <= WATCH_CHANGES_A_PAGE.most) return value;
  throw new InvalidArgumentError(`It is at most ${WATCH_CHANGES_A_PAGE.most}.`);
}

function wholeFromOne(text: string): number {
  const value = wholeFromZero(text);
  if (value > 0) return value;
  throw new InvalidArgumentError('It is a whole number from 1 on.');
}

function wholeFromZero(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is a whole number.');
}
