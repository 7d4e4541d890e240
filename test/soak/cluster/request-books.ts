import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Findings } from '../crash/findings.ts';

/** When a node was stopped, and when it went on; Infinity as long as it has not. */
interface Pause {
  readonly node: string;
  readonly from: number;
  to: number;
}

interface Asking {
  readonly node: string;
  readonly at: number;
}

/** Milliseconds that a host takes to answer. */
const ANSWER_MS = { least: 20, most: 250 };

/**
 * What the web server writes down: who asks which host, and when. A host may have one request at a time, whichever node it is
 * from. The one exception is a request that a node began while it had the host, and that a pause kept it from sending until
 * another node had it: there may be one for each visit that was under way when the node was stopped, and no later than the
 * deadline of a visit after it went on. These are counted apart.
 */
export class RequestBooks {
  readonly #findings: Findings;
  readonly #random: () => number;
  readonly #deadlineMs: number;
  readonly #pauses: Pause[] = [];
  readonly #asking = new Map<string, Set<Asking>>();
  requests = 0;
  /** Requests begun before a fence, beside one of the node that has the host now. */
  readonly fenced: string[] = [];

  constructor(findings: Findings, random: () => number, deadlineMs: number) {
    this.#findings = findings;
    this.#random = random;
    this.#deadlineMs = deadlineMs;
  }

  paused(node: string): () => void {
    const pause: Pause = { node, from: performance.now(), to: Infinity };
    this.#pauses.push(pause);
    return () => {
      pause.to = performance.now();
    };
  }

  /** Of each request, before it is answered. */
  async attend({ headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const host = headers.host ?? '';
    const asking: Asking = { node: nodeOf(headers['user-agent']), at: performance.now() };
    const others = this.#asking.get(host) ?? new Set();
    this.#asking.set(host, others);
    for (const other of others) this.#complain(host, other, asking);
    others.add(asking);
    this.requests += 1;
    response.once('close', () => others.delete(asking));
    await sleep(ANSWER_MS.least + this.#random() * (ANSWER_MS.most - ANSWER_MS.least));
  }

  #complain(host: string, former: Asking, asking: Asking): void {
    const after = Math.round(asking.at - former.at);
    const what = `${host} is asked by ${asking.node}, ${after} ms after ${former.node} began to`;
    if (former.node !== asking.node && (this.#isOfBefore(former) || this.#isOfBefore(asking))) this.fenced.push(what);
    else this.#findings.contradict(what);
  }

  /** Whether the request may have been begun before a pause that it has outlasted. */
  #isOfBefore({ node, at }: Asking): boolean {
    return this.#pauses.some(
      (pause) => pause.node === node && pause.from <= at + this.#deadlineMs && at <= pause.to + this.#deadlineMs,
    );
  }
}

/** Each node has a contact of its own. */
export function contactOf(node: string): string {
  return `https://${node}.example/`;
}

function nodeOf(userAgent = ''): string {
  return /\+https:\/\/([^.]+)\.example/.exec(userAgent)?.[1] ?? userAgent;
}
