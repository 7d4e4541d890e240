import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FetchAsked, Fetched } from './plain-fetcher.ts';

/** What it costs a process of its own to fetch the same with plain undici. */
export async function plainFetch(asked: FetchAsked): Promise<Fetched> {
  const child = fork(join(import.meta.dirname, 'plain-fetcher.ts'));
  child.send(asked);
  const [fetched] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the plain fetcher ended with ${code}`))),
  ])) as [Fetched];
  child.disconnect();
  return fetched;
}
