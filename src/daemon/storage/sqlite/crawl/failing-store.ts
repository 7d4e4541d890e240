import type { DatabaseSync } from 'node:sqlite';
import type { FailingPage, MovedPage } from '../../frontier.ts';
import { readAnswers, wholeUrl } from './frontier-rows.ts';
import { HOST_CLASS } from '../schema/host-classes-migration.ts';
import { NO_STATUS } from '../watch/watch-rows.ts';

/**
 * Pages that the operator or a member named and that cannot be had, although their hosts are none of the unhealthy; and those that
 * are somewhere else now.
 */
export class FailingStore {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync) {
    this.#sql = prepare(database);
  }

  pages(atMost: number): FailingPage[] {
    const seeds = this.#sql.seeds.all(atMost) as unknown as SeedRow[];
    const watches = this.#sql.watches.all(atMost) as unknown as WatchRow[];
    return [...seeds.map(ofSource), ...watches.map(ofWatch)].slice(0, atMost);
  }

  moved(atMost: number): MovedPage[] {
    const seeds = this.#sql.moved.all(atMost) as unknown as Omit<SeedRow, 'failures'>[];
    return seeds.flatMap(({ id, host, url, answers }) => {
      const [newest] = readAnswers(answers);
      if (newest?.movedTo === undefined) return [];
      return [{ id, url: wholeUrl(url, host), movedTo: newest.movedTo, at: newest.at }];
    });
  }
}

interface SeedRow {
  readonly id: string;
  readonly host: string;
  readonly url: string;
  readonly failures: number;
  readonly answers: string;
}

interface WatchRow extends Pick<FailingPage, 'id' | 'url' | 'failures' | 'at'> {
  readonly reason: string | null;
  readonly status: number | null;
}

function ofSource({ id, host, url, failures, answers }: SeedRow): FailingPage {
  const [newest] = readAnswers(answers);
  const { at = 0, reason = 'failed', status } = newest ?? {};
  return { kind: 'source', id, url: wholeUrl(url, host), reason, status, failures, at };
}

function ofWatch({ reason, status, ...same }: WatchRow): FailingPage {
  const known = status === null || status === NO_STATUS ? undefined : status;
  return { kind: 'watch', ...same, reason: reason ?? 'failed', status: known };
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  const answers = (host: string) =>
    `EXISTS (SELECT 1 FROM hosts WHERE key = ${host} AND backoff = 0 AND ${HOST_CLASS} < 2)`;
  const seedsOf = (
    pages: string,
    which: string,
  ) => `SELECT sources.key AS place, sources.id, hosts.name AS host, pages.url,
      visited.failures, visited.answers
    FROM sources CROSS JOIN ${pages} CROSS JOIN visited ON visited.page = pages.key CROSS JOIN hosts ON hosts.key = pages.host
    WHERE sources.id IS NOT NULL AND sources.is_paused = 0 AND ${which}`;
  // By the indexes of seeds: a look or two for each source, whatever it holds.
  const seeds = (which: string) =>
    sql(`SELECT id, host, url, failures, answers FROM (
        ${seedsOf('pages ON pages.source = sources.key AND pages.depth = 0', which)} UNION ALL
        ${seedsOf(
          `holdings ON holdings.source = sources.key AND holdings.depth = 0
          CROSS JOIN pages ON pages.key = holdings.page`,
          which,
        )})
      ORDER BY place LIMIT ?`);
  return {
    seeds: seeds(`visited.failures > 0 AND ${answers('pages.host')}`),
    // In what is written of the newest visit no blank is left but those between its parts; a sentence may follow the last.
    moved: seeds(`visited.failures = 0 AND visited.answers LIKE '% >%'`),
    watches:
      sql(`SELECT watches.id, watches.target AS url, watch_states.failures, watch_states.checked_at AS at, failure.reason, failure.status
      FROM watch_states INDEXED BY watch_states_failing CROSS JOIN watches ON watches.key = watch_states.watch
        LEFT JOIN watch_checks AS newest ON newest.watch = watch_states.watch AND newest.n = watch_states.checks
        LEFT JOIN watch_failures AS failure ON failure.key = newest.more
      WHERE watch_states.failures > 0 AND watch_states.parked = 0 AND watches.id IS NOT NULL AND ${answers('watch_states.host')}
      ORDER BY watch_states.watch LIMIT ?`),
  };
}
