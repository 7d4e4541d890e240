import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { settings } from '../../shared/settings.ts';
import { exitCodes } from '../runtime/exit-code.ts';
import { UsageError } from '../runtime/failure.ts';
import { wrap } from '../text/table.ts';
import { child, meantBy } from './meant.ts';
import type { Action } from './session.ts';

/** Puts examples above the usage: most people read the first line of a help, and copy it. */
export function withExamples<This extends { addHelpText(position: 'before', text: string): unknown }>(
  command: This,
  ...examples: readonly string[]
): This {
  command.addHelpText('before', `${examples.map((line) => `  $ ${line}`).join('\n')}\n`);
  return command;
}

/** The page for `hydrant` alone: what it is, how to begin, what there is. */
export const WELCOME = `hydrant watches the web: it crawls pages, compares each with its last visit,
and streams the changes that match your queries.

  $ hydrant demo                                        see it work, offline
  $ hydrant serve                                       start the daemon
  $ hydrant crawl add https://example.org/ --every 10m  watch a page
  $ hydrant tap create news
  $ hydrant rule add news 'release OR kernel' --no-quality
  $ hydrant tail news                                   matches, as they happen

All commands: hydrant --help · one command: hydrant <command> --help
`;

/** Where values may come from besides the flags; shown below the help of the root. */
export const ENVIRONMENT = `
Environment:
  HYDRANT_DATA_DIR    where the daemon on this machine keeps everything
  HYDRANT_URL         a daemon elsewhere: http://host:${portOf()}, ssh://user@host
  HYDRANT_KEY         its management key
  HYDRANT_CONTEXT     a daemon kept with hydrant context
  HYDRANT_ORG         the organization meant, as --org
  HYDRANT_TAP_TOKEN   a tap token: enough for rule and tail
  HYDRANT_SSH_COMMAND instead of ssh, for ssh://
  NO_COLOR            no colours
  HYDRANT_DEBUG=1     stack traces with errors
`;

function portOf(): string {
  return String(settings.find((setting) => setting.name === 'port')?.default ?? '');
}

/** `hydrant help tap create`: the same page as `hydrant tap create --help`. */
export function helpCommand(action: Action): CommandUnknownOpts {
  return withExamples(new Command('help'), 'hydrant help', 'hydrant help rule add', 'hydrant help exit-codes')
    .description('show the help of a command, or of exit-codes')
    .argument('[command...]', 'the command, as words')
    .action(
      action((_session, [words], _flags, self) => {
        let shown = self.parent ?? self;
        const topic = words.length === 1 ? topics[words[0] ?? ''] : undefined;
        if (topic !== undefined) {
          const output = self.configureOutput();
          output.writeOut?.(topic(output.getOutHelpWidth?.() ?? 80));
          return;
        }
        for (const word of words) {
          const next = child(shown, word);
          if (!next) throw unknownCommand(shown, word);
          shown = next;
        }
        shown.outputHelp();
      }),
    );
}

/** Pages of the help that belong to no command. */
const topics: Readonly<Record<string, (width: number) => string>> = {
  'exit-codes': (width) =>
    exitCodes
      .map(({ code, meaning }) => `${String(code).padStart(4)}  ${wrap(meaning, width, 6).join('\n')}\n`)
      .join(''),
};

function unknownCommand(command: CommandUnknownOpts, word: string): UsageError {
  return new UsageError(`there is no command \`${word}\``, {
    hint: meantBy(command, word, [], Object.keys(topics)) ?? 'see: hydrant --help',
  });
}
