import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FetchAsked, Fetched } from './plain-fetcher.ts';
import type { ParseAsked } from './plain-parser.ts';

/** What it costs a process of its own to fetch the same with nothing else to do. */
export function plainFetch(asked: FetchAsked): Promise<Fetched> {
  return answerOf<Fetched>('plain-fetcher.ts', asked);
}

/** Milliseconds of processor time that parse5 alone takes for a page of the crawl's web. */
export function plainParse(asked: ParseAsked): Promise<number> {
  return answerOf<number>('plain-parser.ts', asked);
}

async function answerOf<Answer>(script: string, asked: FetchAsked | ParseAsked): Promise<Answer> {
  const child = fork(join(import.meta.dirname, script));
  child.send(asked);
  const [answer] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${script} ended with ${code}`))),
  ])) as [Answer];
  child.disconnect();
  return answer;
}
