import type { Status } from '../../../../src/shared/api/status.ts';
import { watchFigures } from '../../../fixtures/watch-figures.ts';

const MIB = 1_024 * 1_024;

/** Of a daemon that has been up for a while. */
export const STATUS: Status = {
  version: '0.1.0',
  pid: 4121,
  started_at: '2026-02-27T00:00:00Z',
  url: 'http://127.0.0.1:7878',
  data_dir: '/var/lib/hydrant',
  organization: 'home',
  crawl: {
    sources: 2,
    pages: 18_204,
    visits: 3,
    changes: 1,
    failures: 0,
    in_flight: 2,
    oldest_due_ms: 245_000,
    robots: { hosts: 40, unreachable: 1, refused: 1_204 },
  },
  watch: watchFigures,
  match: { taps: 1, rules: 25, events: 1_841 },
  sinks: {
    sinks: 2,
    paused: 0,
    sent: 40,
    parked: 1,
    dropped: 0,
    behind: 3,
    unhealthy: [
      { id: 'k', name: 'phone', kind: 'ntfy', state: 'disabled', since: '2026-02-23T08:00:00Z', detail: 'refused' },
    ],
  },
  stream: { open: 2, buffered_bytes: 1_500 },
  memory_bytes: 128 * MIB,
  memory: {
    plan: 'normal',
    program_bytes: 60 * MIB,
    main_heap_bytes: 28 * MIB,
    storage_heap_bytes: 9.6 * MIB,
    analysis_heap_bytes: 20 * MIB,
    analysis_threads: 1,
    buffer_bytes: 4 * MIB,
    sqlite_cache_limit_bytes: 16 * MIB,
    other_bytes: 6 * MIB,
  },
  disk: { free_bytes: 20_000 * MIB, total_bytes: 50_000 * MIB },
  problems: [{ at: '2026-02-27T13:41:00Z', message: 'shop.example answers 503\u001b[31m' }],
};
