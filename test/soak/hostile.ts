import { setTimeout as sleep } from 'node:timers/promises';
import * as attacks from '../acceptance/hostile-clients.ts';
import { RealDaemon, until } from '../acceptance/real-daemon.ts';
import type { KeyCreated } from '../../src/shared/api/organization.ts';

const MB = 1_024 * 1_024;
/** What all of them together may cost the daemon. */
const MEMORY_MB = 512;
const ASK_EVERY_MS = 50;
/** Since all have begun. */
const GONE_MS = 120_000;

/**
 * So many clients open a connection and say nothing, half as many send heads a byte at a time, and one for two hundred of
 * them asks without an end and reads no answer. Somebody asks for taps meanwhile, each time on a new connection: how long
 * the answers take, beside those of the time before. Needs as many files (`ulimit -n`) in both programs.
 */
export async function hostileClients(count: number): Promise<string[]> {
  const daemon = await RealDaemon.start();
  const port = Number(new URL(daemon.notice.url).port);
  const crowds = [
    new Crowd(port, attacks.silence, count),
    new Crowd(port, attacks.slowHead, Math.floor(count / 2)),
    new Crowd(port, attacks.pipeline, Math.floor(count / 200)),
  ];
  try {
    const { key } = await daemon.operator<KeyCreated>('POST', '/admin/keys', { name: 'good' });
    const [files, memory] = await figuresOf(daemon);
    const before = await answered(daemon, key, sleep(3_000));
    const begun = Promise.all(crowds.map((crowd) => crowd.begin()));
    const gone = begun.then(() => until('all are gone', () => crowds.every(({ all }) => all.open === 0), GONE_MS));
    const during = await answered(daemon, key, gone);
    const [, most] = await figuresOf(daemon);
    await until('files are as many as before', async () => (await figuresOf(daemon))[0] <= files + 3);
    const sent = crowds.reduce((sum, crowd) => sum + crowd.count, 0);
    const costMb = Math.round((most - memory) / MB);
    return [
      `${sent} hostile clients: answers before ${told(before)}; among them ${told(during)}; ${costMb} MB more, all files back`,
      ...(costMb > MEMORY_MB ? [`FAULT: ${costMb} MB more, of ${MEMORY_MB} that it may be`] : []),
      ...(during.failed > 0 ? [`FAULT: ${during.failed} good clients had no answer`] : []),
    ];
  } finally {
    for (const { all } of crowds) all.leave();
    await daemon.dispose();
  }
}

class Crowd {
  readonly all: attacks.HostileClients;
  readonly count: number;
  readonly #attack: attacks.Attack;

  constructor(port: number, attack: attacks.Attack, count: number) {
    this.all = new attacks.HostileClients(port);
    this.#attack = attack;
    this.count = count;
  }

  begin(): Promise<void> {
    return this.all.send(this.#attack, this.count);
  }
}

interface Answers {
  /** Milliseconds each. */
  readonly times: readonly number[];
  readonly failed: number;
}

/** Asks again and again, each time on a new connection, until something is over. */
async function answered(daemon: RealDaemon, key: string, over: Promise<unknown>): Promise<Answers> {
  const headers = { authorization: `Bearer ${key}`, connection: 'close' };
  const times: number[] = [];
  const ended = over.then(() => 'over' as const);
  let failed = 0;
  while ((await Promise.race([ended, sleep(ASK_EVERY_MS)])) !== 'over') {
    const begin = performance.now();
    const answer = await fetch(`${daemon.notice.url}/v1/taps`, { headers }).catch(() => undefined);
    if (answer?.ok === true) times.push(performance.now() - begin);
    else failed += 1;
  }
  return { times, failed };
}

function told({ times }: Answers): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(0);
  return `p50 ${at(0.5)}, p99 ${at(0.99)} ms of ${times.length}`;
}

/** Open files, and bytes of resident memory. */
async function figuresOf(daemon: RealDaemon): Promise<[files: number, memory: number]> {
  const text = await daemon.operatorText('/metrics');
  const figure = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  return [figure('process_open_fds'), figure('process_resident_memory_bytes')];
}
