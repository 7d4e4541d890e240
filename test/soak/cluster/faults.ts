import { setTimeout as sleep } from 'node:timers/promises';
import { VISIT_FAULT_POINTS, WATCH_FAULT_POINTS } from '../../../src/daemon/fault-points.ts';
import type { ClusterNode } from './cluster-nodes.ts';
import type { ClusterWorld } from './world.ts';

/** Longer than hosts are leased. */
const PAST_LEASE_MS = { least: 62_000, most: 70_000 };
const SHORT_PAUSE_MS = { least: 500, most: 9_000 };
const DOWN_MS = { least: 0, most: 3_000 };
/** As long as a daemon may take to come by the point at which it kills itself. */
const FALL_MS = 15_000;
/** Points that many visits come by in a second. */
const MOST_TIMES = 20;

const POINTS = [...VISIT_FAULT_POINTS, ...WATCH_FAULT_POINTS, 'group:written', 'group:committed'] as const;
/** Those of an archive, which nobody imports here; those of SQLite's commit of a check. */
const NOT_HERE = /^(?:ingest:|watch:commit-)/;

interface Fault {
  readonly name: string;
  /** Of all faults, about how many are of this kind. */
  readonly share: number;
  /** Resolved when it is over, but for a node that stays stopped past its leases. */
  readonly strike: (faults: Faults) => Promise<void>;
}

/** What befalls the cluster, one after another; a node that is stopped past its leases is so beside the others. */
export class Faults {
  readonly world: ClusterWorld;
  readonly counts = new Map<string, number>();
  /** Nodes that are stopped past their leases, until they go on. */
  #paused: Promise<void> | undefined;

  constructor(world: ClusterWorld) {
    this.world = world;
  }

  get struck(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** One more; its name. */
  async strike(): Promise<string> {
    const { world } = this;
    // A node that is stopped past its leases is so alone.
    const kinds = KINDS.filter(({ name }) => name !== PAUSE || this.#paused === undefined);
    const lots = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind));
    const kind = lots[Math.floor(world.random() * lots.length)];
    if (!kind) throw new Error('there are kinds');
    world.findings.when = `fault ${this.struck + 1} (${kind.name})`;
    await kind.strike(this);
    this.counts.set(kind.name, (this.counts.get(kind.name) ?? 0) + 1);
    return kind.name;
  }

  /** All nodes run, and the database has its replica. */
  async heal(): Promise<void> {
    await this.#paused;
    for (const node of this.world.nodes.all) if (node.state === 'dead') await this.world.nodes.revive(node);
    await this.world.database.inSync();
  }

  /** A node that runs, as long as another one does. */
  victim(): ClusterNode | undefined {
    const { nodes } = this.world;
    return nodes.running.length > 1 ? nodes.any() : undefined;
  }

  within({ least, most }: { readonly least: number; readonly most: number }): number {
    return least + this.world.random() * (most - least);
  }

  async kill(): Promise<void> {
    const node = this.victim();
    if (!node) return;
    await this.world.nodes.kill(node);
    await sleep(this.within(DOWN_MS));
    await this.world.nodes.revive(node);
  }

  /** Killed, and started again to kill itself at a named place. */
  async fall(): Promise<void> {
    const node = this.victim();
    if (!node) return;
    const { nodes, random } = this.world;
    await nodes.kill(node);
    const points = POINTS.filter((point) => !NOT_HERE.test(point));
    const point = points[Math.floor(random() * points.length)] ?? '';
    await nodes.revive(node, `${point}:${1 + Math.floor(random() * MOST_TIMES)}`);
    await Promise.race([node.daemon.ended, sleep(FALL_MS, undefined, { ref: false })]);
    await nodes.kill(node);
    await nodes.revive(node);
  }

  async pauseShortly(): Promise<void> {
    const node = this.victim();
    if (node) await this.#pause(node, this.within(SHORT_PAUSE_MS));
  }

  /** Goes on by itself, while others happen. */
  async pausePastLease(): Promise<void> {
    const node = this.victim();
    if (!node) return;
    this.#paused = this.#pause(node, this.within(PAST_LEASE_MS)).then(() => {
      this.#paused = undefined;
    });
    await sleep(SHORT_PAUSE_MS.most);
  }

  async #pause(node: ClusterNode, ms: number): Promise<void> {
    const { nodes, books } = this.world;
    nodes.stop(node);
    const over = books.paused(node.name);
    await Promise.all([sleep(ms), this.world.forsake(node)]);
    nodes.continue(node);
    over();
  }
}

const PAUSE = 'a daemon stopped past its leases (SIGSTOP)';

const KINDS: readonly Fault[] = [
  { name: 'a daemon killed -9', share: 4, strike: (faults) => faults.kill() },
  { name: 'a daemon killed at a step of its work', share: 4, strike: (faults) => faults.fall() },
  { name: 'a daemon stopped shortly (SIGSTOP)', share: 2, strike: (faults) => faults.pauseShortly() },
  { name: PAUSE, share: 2, strike: (faults) => faults.pausePastLease() },
  { name: 'all backends terminated', share: 3, strike: async ({ world }) => void (await world.database.terminate(1)) },
  {
    name: 'some backends terminated',
    share: 3,
    strike: async ({ world }) => void (await world.database.terminate(0.4)),
  },
  {
    name: 'a COMMIT forwarded, its answer cut off',
    share: 6,
    strike: async ({ world }) => world.database.cutNext('commit'),
  },
  { name: 'a COMMIT cut off', share: 2, strike: async ({ world }) => world.database.cutNext('before-commit') },
  {
    name: 'the database killed -9, and restarted',
    share: 4,
    strike: (faults) => faults.world.database.killAndRestart(faults.within(DOWN_MS)),
  },
  {
    name: 'the primary killed, the replica promoted',
    share: 3,
    strike: ({ world }) => world.database.failOver(),
  },
];
