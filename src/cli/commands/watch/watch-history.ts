import { Command, InvalidArgumentError } from 'commander';
import { WATCH_CHANGES_A_PAGE } from '../../../shared/limits.ts';
import type { Context } from '../../context.ts';
import { withExamples } from '../help.ts';
import { meantBy } from '../meant.ts';
import type { OnStopped } from '../on-stopped.ts';
import { canShow } from '../screen-form.ts';
import { openSession } from '../session.ts';
import { UsageError } from '../../failure.ts';
import type { WatchDiffFlags } from './watch-diff.ts';
import type { WatchFeedFlags } from './watch-feed.ts';
import type { WatchFollowFlags } from './watch-follow.ts';
import type { WatchLogFlags } from './watch-log.ts';
import { watchingOptions } from './watch-options.ts';
import type { WatchTryFlags } from './watch-try.ts';

const WATCH = 'its URL, its id, or the beginning of its id';

/** What reads watches: their changes, their checks, their texts. What each does is loaded when it is asked for. */
export function watchHistory(context: Context, onStopped: OnStopped): Command[] {
  return [trying(context), screen(context), ...stories(context, onStopped), ...streams(context, onStopped)];
}

const ABOUT_TRY = `
Needs no daemon: the page is fetched from here, and read as a check reads it.
Each line stands as it is compared. A trigger is asked as if all of the page
were new.
`;

function trying(context: Context): Command {
  const command = withExamples(
    new Command('try'),
    'hydrant watch try https://example.org/prices',
    "hydrant watch try https://example.org/ --select table --ignore '/^Updated/'",
    'hydrant watch try page.html --as https://example.org/prices',
  )
    .description('show what would be watched of a page, before it is')
    .argument('<source>', 'a URL, or a page as a file; - reads it from stdin')
    .option('--as <url>', 'the address that the file had');
  for (const option of watchingOptions()) command.addOption(option);
  return command.addHelpText('after', ABOUT_TRY).action(async (source: string, _flags: object, self: Command) => {
    const { tryWatch } = await import('./watch-try.ts');
    await tryWatch(openSession(context, self), source, self.optsWithGlobals<WatchTryFlags>());
  });
}

function screen(context: Context): Command {
  return withExamples(new Command('screen'), 'hydrant watch screen')
    .description('the watches on a terminal, with what changed last; as `hydrant watch` alone')
    .action(async (_flags: object, command: Command) => {
      const { showScreen } = await import('./watch-screen.ts');
      await showScreen(openSession(context, command));
    });
}

/**
 * A noun without a verb: the screen on a terminal, else its help, as of any other noun. A word that is no verb comes here
 * too, since commander takes it for an argument.
 */
export async function watchAlone(context: Context, word: string | undefined, command: Command): Promise<void> {
  if (word !== undefined) {
    throw new UsageError(`unknown command '${word}'`, {
      hint: meantBy(command, word) ?? `see: hydrant ${command.name()} --help`,
    });
  }
  const session = openSession(context, command);
  if (!canShow(session)) return command.outputHelp();
  const { showScreen } = await import('./watch-screen.ts');
  return showScreen(session);
}

const ABOUT_DIFF = `
Without a number it is the newest change. N is the number of a check, as
\`watch log\` tells it: the change that this check found. N..M is all that lies
between two checks, and N.. all since one. What has been shown counts as seen.

--patch is a unified diff of the two texts as \`watch text\` prints them, for
git apply and patch. --html is one page that loads nothing.
`;

function stories(context: Context, onStopped: OnStopped): Command[] {
  return [
    withExamples(
      new Command('diff'),
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
      .action(async (watch: string, which: string | undefined, _flags: object, command: Command) => {
        const { diff } = await import('./watch-diff.ts');
        const flags = command.optsWithGlobals<WatchDiffFlags>();
        onStopped(await diff(openSession(context, command), watch, which, flags));
      }),
    withExamples(new Command('text'), 'hydrant watch text https://example.org/prices 12')
      .description('print the text of a watched page as a check left it')
      .argument('<watch>', WATCH)
      .argument('[check]', 'the number of a check; the newest without it', wholeFromOne)
      .action(async (watch: string, check: number | undefined, _flags: object, command: Command) => {
        const { showText } = await import('./watch-text.ts');
        await showText(openSession(context, command), watch, check);
      }),
    withExamples(
      new Command('log'),
      'hydrant watch log https://example.org/prices',
      'hydrant watch log https://example.org/prices --failures --json',
    )
      .description('list the checks of a watch, newest first')
      .argument('<watch>', WATCH)
      .option('--changes', 'only those that found a change')
      .option('--failures', 'only those that failed')
      .option('--limit <count>', 'lines at most (30)', wholeFromOne)
      .addHelpText('after', '\n--json: one check a line.\n')
      .action(async (watch: string, _flags: object, command: Command) => {
        const { log } = await import('./watch-log.ts');
        await log(openSession(context, command), watch, command.optsWithGlobals<WatchLogFlags>());
      }),
    withExamples(new Command('explain'), 'hydrant watch explain https://example.org/prices')
      .alias('why')
      .description('tell step by step why the last check found a change, or none')
      .argument('<watch>', WATCH)
      .action(async (watch: string, _flags: object, command: Command) => {
        const { explain } = await import('./watch-explain.ts');
        await explain(openSession(context, command), watch);
      }),
  ];
}

const ABOUT_FOLLOW = `
In a pipe, and with --json, one change a line:
  {"cursor":42,"watch":{"id":…,"url":…},"title":…,"check":{"n":12,…}}
A daemon that is restarted is found again, and nothing is lost or told twice.
--after goes on behind a change that was told before. --exec runs a command of
the shell for each change, one at a time, with that JSON on its stdin. Ctrl-C
ends it with 130, a closed pipe with 0.
`;

function streams(context: Context, onStopped: OnStopped): Command[] {
  return [
    withExamples(
      new Command('follow'),
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
      .action(async (watches: string[], _flags: object, command: Command) => {
        const { followChanges } = await import('./watch-follow.ts');
        const flags = command.optsWithGlobals<WatchFollowFlags>();
        onStopped(await followChanges(openSession(context, command), watches, flags));
      }),
    withExamples(
      new Command('feed'),
      'hydrant watch feed > changes.atom',
      'hydrant watch feed https://example.org/prices --output /srv/www/prices.atom',
    )
      .description('write an Atom feed of the changes of a watched page, or of all')
      .argument('[watch]', `${WATCH}; all without one`)
      .option('--limit <count>', 'entries at most (50)', entries)
      .option('--output <file>', 'write it there, whole or not at all')
      .action(async (watch: string | undefined, _flags: object, command: Command) => {
        const { writeFeed } = await import('./watch-feed.ts');
        await writeFeed(openSession(context, command), watch, command.optsWithGlobals<WatchFeedFlags>());
      }),
  ];
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
