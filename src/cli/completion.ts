import { completeBash } from './completion-bash.ts';
import { completeFish } from './completion-fish.ts';
import type { CompletedKind } from './completion-kind.ts';
import { completeZsh } from './completion-zsh.ts';

/**
 * Completion scripts for three shells, from the command tree as data. Each script walks the words typed so far to the
 * command they name, then offers what that command takes. That is static text: pressing TAB starts no process, but for
 * names that the daemon knows, which `hydrant __complete` tells.
 */
export interface CommandNode {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly options: readonly OptionNode[];
  /** Words its arguments may be, where there is a choice. */
  readonly choices: readonly string[];
  /** What its arguments name, where that can be listed. */
  readonly names?: CompletedKind | 'file' | 'directory' | undefined;
  readonly commands: readonly CommandNode[];
}

export interface OptionNode {
  /** `-q`, `--quiet`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** What follows it. */
  readonly value: 'none' | 'file' | 'directory' | 'text' | CompletedKind;
  readonly choices: readonly string[];
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const generators: Readonly<Record<Shell, (root: CommandNode) => string>> = {
  bash: completeBash,
  zsh: completeZsh,
  fish: completeFish,
};

export function complete(shell: Shell, root: CommandNode): string {
  return generators[shell](root);
}
