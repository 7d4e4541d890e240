import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RealDaemon } from '../../acceptance/real-daemon.ts';

/** What the daemon says of itself at one moment, and what its directory holds. Sizes in bytes, lags in milliseconds. */
export interface Figures {
  readonly rss: number;
  readonly heap: number;
  readonly external: number;
  readonly fds: number;
  readonly handles: number;
  readonly lagP50: number;
  readonly lagP99: number;
  readonly disk: number;
  readonly visits: number;
  readonly checks: number;
  readonly events: number;
  readonly streams: number;
  readonly cpuSeconds: number;
}

/** Reading them begins a new time of measuring for the lags: each is of the time since the reading before. */
export async function figuresOf(daemon: RealDaemon): Promise<Figures> {
  const text = await daemon.operatorText('/metrics');
  const of = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  return {
    rss: of('process_resident_memory_bytes'),
    heap: of('nodejs_heap_size_used_bytes'),
    external: of('nodejs_external_memory_bytes'),
    fds: of('process_open_fds'),
    handles: of('nodejs_active_handles_total'),
    lagP50: of('nodejs_eventloop_lag_p50_seconds') * 1_000,
    lagP99: of('nodejs_eventloop_lag_p99_seconds') * 1_000,
    disk: diskBytes(daemon.dataDir),
    visits: of('hydrant_visits_total'),
    checks: of('hydrant_watch_checks_total'),
    events: of('hydrant_events'),
    streams: of('hydrant_streams_open'),
    cpuSeconds: of('process_cpu_seconds_total'),
  };
}

/** Of all files below it. One that goes meanwhile counts nothing. */
export function diskBytes(directory: string): number {
  const names = readdirSync(directory, { recursive: true }) as string[];
  return names.reduce((sum, name) => {
    const found = statSync(join(directory, name), { throwIfNoEntry: false });
    return sum + (found?.isFile() === true ? found.size : 0);
  }, 0);
}
