import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { SINK_KINDS } from '../../../shared/api/notify-values.ts';
import { withExamples } from '../help.ts';
import { countUpTo } from '../option-values.ts';
import type { Action } from '../session.ts';
import {
  atMostOption,
  digestOption,
  fieldOption,
  formatOption,
  fromOption,
  passwordOption,
  problemsOption,
  queryOption,
  quietHoursOption,
  secretOption,
  smtpOption,
  tapsOption,
  tokenOption,
  toOption,
  userOption,
  watchesOption,
  zoneOption,
} from './notify-options.ts';

/** Sinks: where matches, changes of watches and problems are sent to, so that nobody has to look. */
export function notifyCommand(action: Action): CommandUnknownOpts {
  const noun = withExamples(
    new Command('notify'),
    'hydrant notify add phone ntfy https://ntfy.sh/my-topic --test',
    'hydrant notify list',
    'hydrant notify log phone',
  )
    .alias('notifications')
    .description('send matches, changes and problems: ntfy, mail, chats, webhooks, programs');
  for (const declare of [add, list, show, edit, test, pause, resume, replay, log, kinds, remove]) declare(noun, action);
  return noun;
}

const SINK = 'its name, its id, or the beginning of its id';

const KINDS = `
What stands behind the kind, and what goes with it:
  ntfy       the address of a topic, or a topic of ntfy.sh
  email      addresses; --smtp, --from, --user, --password
  webhook    a URL; --secret signs what is sent (Standard Webhooks)
  exec       a program and its arguments; it reads the message as JSON on stdin
  slack      @FILE with the URL of the webhook, which is a secret; discord, too
  telegram   the chat; --token
  gotify     the address of the server; --token
  matrix     the address of the home server and the id of the room; --token
  pushover   nothing; --user @FILE and --token
  apprise    the address of an Apprise server; --option key=@FILE
All fields of a kind: hydrant notify kinds KIND; --option FIELD=VALUE gives any.

A secret is never a word of the command, where others see it: @FILE reads it
from a file, - from stdin; on a terminal you are asked for one that is missing.
`;

const SETTINGS = `
Without options, a sink carries matches of all taps, changes of all watches, and
problems: a source or watch that fails three times in a row, a full disk, and
when they are over. The value none takes an option away. --format has the fields
{title} {url} {lines} {tap} {rules} {watch} {tags} {type} {time} {count} {more};
\\n ends a line.
`;

/** Its choices are for the completion and the help: what is none of them is answered with the one that was meant. */
function kindArgument<Syntax extends string>(syntax: Syntax) {
  return new Argument(syntax, 'what it is').choices(SINK_KINDS).argParser((word) => word);
}

function add(noun: CommandUnknownOpts, action: Action): void {
  withExamples(
    noun.command('add'),
    'hydrant notify add phone ntfy https://ntfy.sh/my-topic --test',
    'hydrant notify add mail email you@example.org --smtp mail.example.org --user me',
    'hydrant notify add team slack @slack-url.txt --taps news --watches none',
    'hydrant notify add script exec ./on-match.sh',
  )
    .alias('create')
    .description('send matches, changes and problems somewhere, from now on')
    .argument('<name>', 'what you call it')
    .addArgument(kindArgument('<kind>'))
    .argument('[target...]', 'where to: a URL, a topic, an address, a program')
    .addOption(tapsOption())
    .addOption(queryOption())
    .addOption(watchesOption())
    .addOption(problemsOption())
    .addOption(digestOption())
    .addOption(quietHoursOption())
    .addOption(zoneOption())
    .addOption(atMostOption())
    .addOption(formatOption())
    .addOption(toOption())
    .addOption(fromOption())
    .addOption(smtpOption())
    .addOption(userOption())
    .addOption(passwordOption())
    .addOption(tokenOption())
    .addOption(secretOption())
    .addOption(fieldOption())
    .option('--test', 'send a test message at once')
    .addHelpText('after', KINDS + SETTINGS)
    .action(
      action(async (session, [name, kind, target], flags) => {
        const { addSink } = await import('./notify-add.ts');
        return addSink(session, { name, kind, target }, flags);
      }),
    );
}

function list(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('list'), 'hydrant notify list', 'hydrant notify list --failing')
    .description('list the sinks; those that fail first')
    .option('--failing', 'only those that fail, or were refused for good')
    .action(
      action(async (session, _words, flags) => {
        const { listSinks } = await import('./notify-show.ts');
        await listSinks(session, flags);
      }),
    );
}

function show(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('show'), 'hydrant notify show phone')
    .description('show one sink: what it carries and when, what waits, its last error; never a secret')
    .argument('<sink>', SINK)
    .action(
      action(async (session, [wanted]) => {
        const { showSink } = await import('./notify-show.ts');
        await showSink(session, wanted);
      }),
    );
}

function edit(noun: CommandUnknownOpts, action: Action): void {
  withExamples(
    noun.command('edit'),
    'hydrant notify edit phone --quiet-hours 22:00-07:00 --zone Europe/Berlin',
    'hydrant notify edit mail --digest none',
    'hydrant notify edit phone --token @token.txt',
  )
    .description('change sinks at once; what waits is sent by the new settings')
    .argument('<sink...>', SINK)
    .option('--name <name>', 'the new name')
    .option('--target <target>', 'where to, as in hydrant notify add')
    .addOption(tapsOption())
    .addOption(queryOption())
    .addOption(watchesOption())
    .addOption(problemsOption())
    .addOption(digestOption())
    .addOption(quietHoursOption())
    .addOption(zoneOption())
    .addOption(atMostOption())
    .addOption(formatOption())
    .addOption(toOption())
    .addOption(fromOption())
    .addOption(smtpOption())
    .addOption(userOption())
    .addOption(passwordOption())
    .addOption(tokenOption())
    .addOption(secretOption())
    .addOption(fieldOption())
    .addHelpText('after', KINDS + SETTINGS)
    .action(
      action(async (session, [wanted], flags) => {
        const { editSinks } = await import('./notify-add.ts');
        await editSinks(session, wanted, flags);
      }),
    );
}

function test(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('test'), 'hydrant notify test phone')
    .alias('try')
    .description('send a real message and print what came back; exit code 1 if it was not delivered')
    .argument('<sink...>', SINK)
    .action(
      action(async (session, [wanted]) => {
        const { testSinks } = await import('./notify-state.ts');
        return testSinks(session, wanted);
      }),
    );
}

function pause(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('pause'), 'hydrant notify pause phone')
    .description('send nothing until they are resumed; what comes waits as long as the log keeps it')
    .argument('<sink...>', SINK)
    .action(
      action(async (session, [wanted]) => {
        const { pauseSinks } = await import('./notify-state.ts');
        await pauseSinks(session, wanted);
      }),
    );
}

function resume(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('resume'), 'hydrant notify resume phone')
    .description('send again, what waits first; also after the receiver answered 410 Gone')
    .argument('<sink...>', SINK)
    .action(
      action(async (session, [wanted]) => {
        const { resumeSinks } = await import('./notify-state.ts');
        await resumeSinks(session, wanted);
      }),
    );
}

function replay(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('replay'), 'hydrant notify replay phone --since 2h', 'hydrant notify replay phone --parked')
    .description('send once more what is still kept, or what was refused')
    .argument('<sink...>', SINK)
    .option('--since <time>', 'everything from 2h ago on, or since a date or timestamp; ids stay the same')
    .option('--parked', 'the messages that were refused and are kept aside')
    .action(
      action(async (session, [wanted], flags) => {
        const { replaySinks } = await import('./notify-state.ts');
        await replaySinks(session, wanted, flags);
      }),
    );
}

function log(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('log'), 'hydrant notify log phone', 'hydrant notify log phone --parked')
    .description('the attempts of a sink and what came back, newest first')
    .argument('<sink>', SINK)
    .option('--failures', 'only those that were not delivered')
    .option('--parked', 'the messages that were refused and are kept aside')
    .option('--limit <count>', 'entries at most (30)', countUpTo(MOST_ENTRIES))
    .action(
      action(async (session, [wanted], flags) => {
        const { showSinkLog } = await import('./notify-log.ts');
        await showSinkLog(session, wanted, flags);
      }),
    );
}

/** More than a log keeps. */
const MOST_ENTRIES = 1_000_000;

function kinds(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('kinds'), 'hydrant notify kinds', 'hydrant notify kinds email')
    .description('list the kinds of sinks and their fields')
    .addArgument(kindArgument('[kind]'))
    .action(
      action(async (session, [kind]) => {
        const { listKinds } = await import('./notify-show.ts');
        await listKinds(session, kind);
      }),
    );
}

function remove(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('remove'), 'hydrant notify remove phone')
    .description('remove sinks with their secrets and logs')
    .argument('<sink...>', SINK)
    .option('-y, --yes', 'do not ask for confirmation')
    .action(
      action(async (session, [wanted]) => {
        const { removeSinks } = await import('./notify-state.ts');
        await removeSinks(session, wanted);
      }),
    );
}
