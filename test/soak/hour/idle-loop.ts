import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parentPort } from 'node:worker_threads';

/**
 * A loop that has nothing to do, measured as the daemon measures its own (every 10 ms, which each delay includes): what it
 * is late by is the machine's doing. Asked for its p99 in milliseconds, it answers and begins anew.
 */
const delays = monitorEventLoopDelay({ resolution: 10 });
delays.enable();
parentPort?.on('message', () => {
  parentPort?.postMessage(delays.percentile(99) / 1e6, []);
  delays.reset();
});
