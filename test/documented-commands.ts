import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { createProgram } from '../src/cli/commands/program.ts';
import { makeContext } from '../src/cli/runtime/process-context.ts';
import { noFetch, noUpkeep } from './cli/harness.ts';

/** `hydrant …` as it stands in a paper, without `hydrant`. */
export interface Documented {
  readonly words: readonly string[];
  /** In a block, to be copied; else it is named in a sentence, where arguments may be missing. */
  readonly isWhole: boolean;
}

export function documentedCommands(markdown: string): Documented[] {
  const blocks = [...markdown.matchAll(/^```(?:sh|console)\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
    block.replaceAll('\\\n', ' ').split('\n'),
  );
  const prose = markdown.replaceAll(/^```.*?^```$/gms, '');
  const spans = [...prose.matchAll(/`([^`]*)`/g)].map(([, span = '']) => span.replaceAll('\n', ' '));
  return [
    ...blocks.flatMap(commandsIn).map((words) => ({ words, isWhole: true })),
    ...spans
      .filter((span) => span.startsWith('hydrant '))
      .flatMap(commandsIn)
      .map((words) => ({ words, isWhole: false })),
  ];
}

/** The commands of a line: behind pipes, in `$(…)`, after `sudo -u …`, assignments and a prompt. */
function commandsIn(line: string): string[][] {
  const inner = [...line.matchAll(/\$\((hydrant [^)]*)\)/g)].flatMap(([, command = '']) => commandsIn(command));
  return [...inner, ...segments(line).flatMap((words) => (words[0] === 'hydrant' ? [words.slice(1)] : []))];
}

const PREFIX = /^(?:\$|sudo|-[uT]|[A-Z_]+=\S*|docker|compose|exec|hydrant)$/;

/** A line's commands as words: enough of a shell for what stands in our papers. */
function segments(line: string): string[][] {
  const found: string[][] = [[]];
  const tokens = line.matchAll(
    /((?:'[^']*'|"(?:\\.|[^"])*"|\\.|[^\s'"|&;<>#]|(?<=\S)#)+)|(\|\||&&|[|&;])|(>>?|<)|(#.*)/g,
  );
  let redirects = false;
  for (const [, word, end, redirect, comment] of tokens) {
    if (comment !== undefined) break;
    if (end !== undefined) found.push([]);
    else if (redirect !== undefined) redirects = true;
    else if (redirects) redirects = false;
    else if (word !== undefined) found.at(-1)?.push(unquoted(word));
  }
  return found.map((words) => {
    let start = 0;
    // `sudo -u hydrant hydrant status`: the last of the names in front is the command.
    while (PREFIX.test(words[start + 1] ?? '') && PREFIX.test(words[start] ?? '')) start += 1;
    return /^(?:\$|[A-Z_]+=.*)$/.test(words[start] ?? '') ? words.slice(start + 1) : words.slice(start);
  });
}

function unquoted(word: string): string {
  return word.replaceAll(
    /'([^']*)'|"((?:\\.|[^"])*)"|\\(.)/g,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
  );
}

const program = await inert();

/** The command line itself, whose commands do nothing. */
async function inert(): Promise<CommandUnknownOpts> {
  const programs = { serve: async () => 0, fetchPage: noFetch, upkeep: noUpkeep, daemonPath: '' };
  const made = await createProgram(makeContext(process, programs, AbortSignal.abort()), () => {});
  const still = (command: CommandUnknownOpts): void => {
    if (command.commands.length === 0) command.action(() => {});
    command.configureOutput({ writeOut: () => {}, writeErr: () => {}, outputError: () => {} });
    for (const child of command.commands) still(child);
  };
  still(made);
  return made;
}

/** What the parser says against it; undefined: nothing. */
export async function faultOf({ words, isWhole }: Documented): Promise<string | undefined> {
  // `…` stands for more of the kind.
  const given = words.filter((word) => word !== '…' && word !== '...');
  try {
    await program.parseAsync(given, { from: 'user' });
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (/^\(output|^\(outputHelp\)/.test(message)) return undefined;
    const isMention = !isWhole && /^missing required argument|argument missing$/.test(message);
    return isMention ? undefined : message;
  }
}
