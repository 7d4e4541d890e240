import type { DatabaseSync } from 'node:sqlite';
import { siteOf } from '../../../shared/page/domain.ts';
import { ratingOf, type Standing } from '../../../shared/rating/rating.ts';
import { CopyStore } from './copy-store.ts';
import { FrontierStore } from './frontier-store.ts';
import { GraphStore } from './graph-store.ts';
import { HolderStore } from './holder-store.ts';
import { HostStore } from './host-store.ts';
import { IntakeStore } from './intake-store.ts';
import { LogStore } from './log-store.ts';
import { PageStore } from './page-store.ts';
import { RatingStore } from './rating-store.ts';
import { RetiredStore } from './retired-store.ts';
import { RobotsStore } from './robots-store.ts';
import { SourceStore } from './source-store.ts';
import { VisitedStore } from './visited-store.ts';

export interface Stores {
  readonly frontier: FrontierStore;
  readonly graph: GraphStore;
  readonly hosts: HostStore;
  readonly intake: IntakeStore;
  readonly log: LogStore;
  readonly pages: PageStore;
  readonly ratings: RatingStore;
  readonly robots: RobotsStore;
  readonly sources: SourceStore;
  readonly standing: (domain: string) => Standing;
}

/** One store a group of tables; who needs another gets it here. */
export function storesOn(database: DatabaseSync): Stores {
  const log = new LogStore(database);
  const graph = new GraphStore(database);
  const ratings = new RatingStore(database);
  const robots = new RobotsStore(database);
  const hosts = new HostStore(database);
  const copies = new CopyStore(database);
  const retired = new RetiredStore(database);
  const visited = new VisitedStore(database);
  const holders = new HolderStore(database, { hosts, copies, graph });
  const sources = new SourceStore(database, { hosts, holders, retired, visited });
  const standing = (domain: string): Standing => {
    const imported = ratings.imported(domain);
    return { ...(imported !== undefined && { imported }), referring: graph.referring(domain) };
  };
  const dr = (host: string): number => ratingOf(standing(siteOf(`http://${host}/`) ?? host)) ?? 0;
  const intake = new IntakeStore(database, { hosts, holders, retired, sources, visited, dr });
  const frontier = new FrontierStore(database, { hosts, holders, intake, visited });
  const pages = new PageStore(database, { copies, graph, holders, hosts, intake, log, sources, visited });
  return { frontier, graph, hosts, intake, log, pages, ratings, robots, sources, standing };
}
