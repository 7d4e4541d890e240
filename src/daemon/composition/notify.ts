import { statfs } from 'node:fs/promises';
import type { Seal } from '../accounts/keys.ts';
import type { SinkKinds } from '../notify/sink-kind.ts';
import { SinkLoops } from '../notify/sink-loops.ts';
import { Sinks } from '../notify/sinks.ts';
import { ProblemReconciler } from '../notify/problem-reconciler.ts';
import { WorkLease } from './work-lease.ts';
import type { Outside } from '../outside.ts';
import type { Log } from '../process/log.ts';
import type { Storage } from '../storage/storage.ts';

/**
 * The sinks' part of the composition root. They read the logs that everybody reads, after the commit; nothing of the crawl, the watches
 * or the streams waits for them.
 */
export interface NotifyDeps {
  readonly dataDir: string;
  readonly outside: Outside;
  readonly log: Log;
  readonly storage: Storage;
  readonly seal: Seal;
  readonly kinds: SinkKinds;
  readonly userAgent: string;
  /** Of processes that sinks start. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface NotifyServices {
  readonly sinks: Sinks;
  readonly loops: SinkLoops;
  readonly problems: ProblemReconciler;
  /** Whether this node is the one that sends. */
  readonly turn: WorkLease;
  /** Puts in order what the last process has left: before anybody can make a sink. */
  restore(): Promise<void>;
}

export function composeNotify(deps: NotifyDeps): NotifyServices {
  const { dataDir, outside, log, storage, seal, kinds, userAgent, environment } = deps;
  // What sends has a library with it: it is loaded when there is something to send.
  const transports = async () => {
    const { Transports } = await import('../notify/transport.ts');
    return new Transports({ outside, userAgent, environment });
  };
  let loaded: ReturnType<typeof transports> | undefined;
  const loops: SinkLoops = new SinkLoops({
    storage,
    outside,
    kindOf: (name) => kinds.load(name),
    maySend: () => turn.isHeld,
    configured: (sink) => sinks.configured(sink),
    transport: async (signal) => (await (loaded ??= transports())).open(signal),
    onError: (what, error) => log.error({ err: error }, what),
  });
  const turn = new WorkLease(storage.nodes, 'sinks', () => loops.wakeAll());
  const zone = new Intl.DateTimeFormat('en-US').resolvedOptions().timeZone;
  const sinks: Sinks = new Sinks({ storage, seal, kinds, outside, zone, loops });
  const freeBytes = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(dataDir);
    return bavail * bsize;
  };
  const problems = new ProblemReconciler({ storage, outside, freeBytes, onRecorded: () => loops.wakeAll() });
  const restore = async (): Promise<void> => {
    const ids = storage.catalog.data.sinks.map(({ id }) => id);
    const left = await storage.deliveries.retainSinks(ids);
    if (left > 0) log.warn({ sinks: left }, 'deleted the leftovers of removed sinks');
  };
  return { sinks, loops, problems, turn, restore };
}
