import type { Nodes } from '../storage/nodes.ts';

/** So long a node that died is waited for; one that lives asks again three times in it. */
const LEASE_MS = 30_000;
const ASK_MS = 10_000;

/** What one node does for all of them, for as long as it lives. */
export class WorkLease {
  readonly #nodes: Pick<Nodes, 'lease' | 'release'>;
  readonly #work: string;
  readonly #onBegun: () => void;
  #until = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `onBegun`: it is this node's from now on. */
  constructor(nodes: Pick<Nodes, 'lease' | 'release'>, work: string, onBegun: () => void) {
    this.#nodes = nodes;
    this.#work = work;
    this.#onBegun = onBegun;
  }

  /** A node that was paused for longer has lost it. */
  get isHeld(): boolean {
    return performance.now() < this.#until;
  }

  /** Resolved when it is known for the first time whose it is. */
  async begin(): Promise<void> {
    await this.#ask();
    if (this.#until < Infinity) this.#timer = setInterval(() => void this.#ask().catch(() => undefined), ASK_MS);
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    const wasHeld = this.isHeld;
    this.#until = 0;
    if (wasHeld) await this.#nodes.release(this.#work).catch(() => undefined);
  }

  async #ask(): Promise<void> {
    const [asked, wasHeld] = [performance.now(), this.isHeld];
    const ms = await this.#nodes.lease(this.#work, LEASE_MS);
    this.#until = ms > 0 ? asked + ms : 0;
    if (!wasHeld && this.isHeld) this.#onBegun();
  }
}
