import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { diskBytes } from '../hour/figures.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What the process and the directory hold at one moment; bytes, counts, milliseconds since 1970. */
export interface Holding {
  readonly heap: number;
  readonly rss: number;
  readonly files: number;
  readonly disk: number;
  readonly events: number;
  readonly oldestEvent: number;
  readonly recentChanges: number;
  readonly oldestChange: number;
  /** Checks that are kept of the watch that has most. */
  readonly mostChecks: number;
}

export function holdingOf(dataDir: string): Holding {
  collect();
  const { heapUsed: heap, rss } = process.memoryUsage();
  const files = readdirSync('/proc/self/fd').length;
  const database = new DatabaseSync(join(dataDir, 'hydrant.db'), { readOnly: true });
  try {
    const number = (sql: string): number => Number(Object.values(database.prepare(sql).get() ?? {})[0] ?? 0);
    return {
      heap,
      rss,
      files,
      disk: diskBytes(dataDir),
      events: number('SELECT count(*) FROM events'),
      oldestEvent: number('SELECT min(at) FROM events'),
      recentChanges: number('SELECT count(*) FROM changes'),
      oldestChange: number('SELECT min(at) FROM changes'),
      mostChecks: number('SELECT max(n) FROM (SELECT count(*) AS n FROM watch_checks GROUP BY watch)'),
    };
  } finally {
    database.close();
  }
}
