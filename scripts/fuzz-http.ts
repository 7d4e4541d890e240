import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { startDaemon } from '../src/daemon/daemon.ts';
import { createLog } from '../src/daemon/process/log.ts';
import { outside } from '../src/daemon/outside.ts';
import { resolveSettings } from '../src/daemon/settings.ts';
import { checkHttp } from './fuzz-http-checks.ts';
import { inputOf, type Known } from './fuzz-http-inputs.ts';
import type { FuzzOptions } from './fuzz-run.ts';

/**
 * A whole daemon with a data directory of its own against requests that nobody thought of. Its clock runs a minute a
 * request, so that the limits of rates are not all there is to see.
 * @returns whether everything held
 */
export async function fuzzHttp({ count, seed, from, keepGoing }: FuzzOptions): Promise<boolean> {
  const directory = await mkdtemp(join(tmpdir(), 'hydrant-fuzz-'));
  const lines: { readonly level: number; readonly msg: string; readonly management_key?: string }[] = [];
  const output = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      lines.push(JSON.parse(text) as (typeof lines)[number]);
      done();
    },
  });
  let minutes = 0;
  const settings = await resolveSettings({ dataDir: directory, port: 0, crawlThreads: 1 }, { HOME: directory });
  const daemon = await startDaemon({
    settings,
    outside: { ...outside, now: () => outside.now() + minutes * 60_000 },
    log: await createLog({ level: 'warn', format: 'json' }, output),
    onFatal: (error) => {
      throw error;
    },
  });
  try {
    const key = lines.find((line) => line.management_key !== undefined)?.management_key ?? '';
    const known = await settle(daemon.notice.url, key);
    const port = Number(new URL(daemon.notice.url).port);
    let [next, broken] = [from, 0];
    const isOver = (): boolean => next >= from + count || (broken > 0 && !keepGoing);
    const sendAll = async (): Promise<void> => {
      while (!isOver()) {
        const number = next++;
        minutes += 1;
        const input = inputOf(seed, number, known);
        const found = await checkHttp(port, input, PATIENCE_MS);
        if (!found) continue;
        broken += 1;
        say(`input ${number} of seed ${seed} breaks "${found.check}"`);
        say(`  ${JSON.stringify(input.slice(0, 1_000))}\n  ${found.detail}`);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, sendAll));
    const faults = lines.filter(({ level }) => level >= ERROR);
    for (const { msg } of faults) say(`the daemon’s log: ${msg}`);
    say(`${count} requests, ${broken} broken, ${faults.length} errors in the log`);
    return broken === 0 && faults.length === 0;
  } finally {
    await daemon.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Requests that are not whole wait for the end of our patience, so many go out together. */
const AT_A_TIME = 64;
const PATIENCE_MS = 1_000;

/** The level of an error in pino's lines. */
const ERROR = 50;

async function settle(url: string, key: string): Promise<Known> {
  const post = async <Body>(path: string, secret: string, body: object): Promise<Body> => {
    const headers = { authorization: `Bearer ${secret}` };
    return (await (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as Body;
  };
  const tap = await post<{ data: { id: string }; token: string }>('/v1/taps', key, { name: 'fuzz' });
  const rule = await post<{ data: { id: string } }>('/v1/rules', tap.token, { value: 'ferry' });
  return { key, token: tap.token, tap: tap.data.id, rule: rule.data.id };
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
