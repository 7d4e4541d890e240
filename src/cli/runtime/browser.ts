import { spawn } from 'node:child_process';
import type { Environment } from './context.ts';
import { UsageError } from './failure.ts';

/**
 * Shows a page in the reader's browser: `$BROWSER`, else what the system has for it. The URL is one argument and never
 * goes through a shell; what is no http(s) URL is not handed to another program at all.
 * @returns a sentence, when the browser has begun. @throws {UsageError} that says why it has not
 */
export async function browse(url: string, environment: Environment, platform: NodeJS.Platform): Promise<string> {
  const [program, ...words] = browserOf(url, environment, platform);
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: 'ignore', detached: true });
    child.on('error', () => reject(new UsageError(`no browser: ${program} cannot be run; set BROWSER`)));
    child.on('spawn', () => {
      child.unref();
      resolve(`opened ${url}`);
    });
  });
}

/** @throws {UsageError} */
export function browserOf(
  address: string,
  environment: Environment,
  platform: NodeJS.Platform,
): [program: string, ...words: string[]] {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(`${address} is no page for a browser`);
  // A list is parted by colons, and each may say where the URL goes.
  const [program, ...words] = (environment['BROWSER'] ?? '').split(':')[0]?.trim().split(/\s+/).filter(Boolean) ?? [];
  if (program === undefined) return [platform === 'darwin' ? 'open' : 'xdg-open', url.href];
  return words.includes('%s')
    ? [program, ...words.map((word) => (word === '%s' ? url.href : word))]
    : [program, ...words, url.href];
}
