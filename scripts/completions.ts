import { mkdir, readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { complete, type Shell } from '../src/cli/completion.ts';
import { nodeOf } from '../src/cli/commands/completion.ts';
import { createProgram } from '../src/cli/commands/program.ts';
import { makeContext } from '../src/cli/context.ts';

/**
 * Writes `completions/` from the command tree; with --check it compares instead, for CI: a flag that was added
 * without running this would be missing from every shell.
 */
const files: readonly (readonly [Shell, string])[] = [
  ['bash', 'hydrant.bash'],
  ['zsh', '_hydrant'],
  ['fish', 'hydrant.fish'],
];
const directory = new URL('../completions/', import.meta.url);

const refuse = (): Promise<never> => Promise.reject(new Error('nothing is run here'));
const neverServed = { serve: refuse, fetchPage: refuse, upkeep: refuse, daemonPath: '' };
const context = makeContext(process, neverServed, AbortSignal.abort());
const tree = nodeOf(await createProgram(context, () => {}));

const stale: string[] = [];
await mkdir(directory, { recursive: true });
for (const [shell, name] of files) {
  const script = complete(shell, tree);
  const file = new URL(name, directory);
  if (!process.argv.includes('--check')) await writeFile(file, script);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== script) stale.push(`completions/${name}`);
}
if (stale.length > 0) {
  process.stderr.write(`${stale.join(', ')}: not what the command tree makes. Run: npm run completions\n`);
  process.exitCode = 1;
}
