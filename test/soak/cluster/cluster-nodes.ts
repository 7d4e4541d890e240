import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RealDaemon } from '../../acceptance/real-daemon.ts';
import type { Answering } from '../crash/ask.ts';
import type { Findings } from '../crash/findings.ts';
import { contactOf } from './request-books.ts';

/** Milliseconds of one visit, at most, and so of a request that was begun before a fence. */
export const DEADLINE_MS = 5_000;

const FLAGS = Object.entries({
  'allow-private': '127.0.0.0/8',
  'crawl-host-delay': '0',
  'crawl-threads': '1',
  'crawl-deadline': String(DEADLINE_MS / 1_000),
  'log-level': 'warn',
}).flatMap(([name, value]) => [`--${name}`, value]);

/** One of the daemons, and what it is at. */
export interface ClusterNode {
  readonly name: string;
  readonly daemon: RealDaemon;
  state: 'running' | 'stopped' | 'dead';
}

/** Real daemons that share a database. As one service they answer by whichever of them runs. */
export class ClusterNodes implements Answering {
  readonly all: readonly ClusterNode[];
  readonly #findings: Findings;
  readonly #random: () => number;
  /** Until its answer comes: a stopped daemon may do later what nobody waits for any more. */
  readonly patienceMs = 180_000;

  constructor(count: number, { directory, url, findings, random }: ClusterShape) {
    this.#findings = findings;
    this.#random = random;
    this.all = Array.from({ length: count }, (_, index): ClusterNode => {
      const name = `node${index + 1}`;
      const dataDir = join(directory, name);
      mkdirSync(dataDir, { mode: 0o700 });
      const daemon = new RealDaemon([...FLAGS, '--crawl-contact', contactOf(name)], dataDir);
      daemon.environment = { HYDRANT_STORE: url };
      return { name, daemon, state: 'dead' };
    });
  }

  get running(): readonly ClusterNode[] {
    return this.all.filter(({ state }) => state === 'running');
  }

  /** That of any node that runs. */
  get socket(): string | undefined {
    return this.any()?.daemon.socket;
  }

  any(): ClusterNode | undefined {
    return this.running[Math.floor(this.#random() * this.running.length)];
  }

  /** The first one makes the secret that all of them have. */
  async start(): Promise<void> {
    const [first, ...others] = this.all;
    if (!first) return;
    await this.revive(first);
    for (const { daemon } of others) copyFileSync(join(first.daemon.dataDir, 'secret'), join(daemon.dataDir, 'secret'));
    for (const node of others) await this.revive(node);
  }

  /** `fault`: where it kills itself, if it comes there, before or after it has started. */
  async revive(node: ClusterNode, fault?: string): Promise<void> {
    try {
      await node.daemon.start(fault);
      node.state = 'running';
    } catch (error) {
      const ended = await node.daemon.ended;
      if (fault === undefined || ended?.signal !== 'SIGKILL') throw error;
    }
  }

  async kill(node: ClusterNode): Promise<void> {
    node.state = 'dead';
    await node.daemon.killAtRandom();
  }

  stop(node: ClusterNode): void {
    node.state = 'stopped';
    process.kill(node.daemon.pid, 'SIGSTOP');
  }

  continue(node: ClusterNode): void {
    process.kill(node.daemon.pid, 'SIGCONT');
    node.state = 'running';
  }

  /** With SIGTERM, which each has to obey. */
  async end(): Promise<void> {
    for (const { name, daemon } of this.all) {
      const code = await daemon.stop();
      if (code !== 0) this.#findings.contradict(`${name} was stopped, and ended with ${code ?? 'a signal'}`);
    }
  }

  async close(): Promise<void> {
    for (const { daemon } of this.all) {
      await daemon.kill();
      rmSync(daemon.dataDir, { recursive: true, force: true });
    }
  }
}

interface ClusterShape {
  readonly directory: string;
  /** Of the database. */
  readonly url: string;
  readonly findings: Findings;
  readonly random: () => number;
}
