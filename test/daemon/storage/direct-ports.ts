import type { DatabaseSync } from 'node:sqlite';
import { GroupCommit, type Step } from '../../../src/daemon/storage/embedded/group-commit.ts';
import { operationsOn } from '../../../src/daemon/storage/embedded/operations.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';

export type DirectPorts = Pick<Storage, 'frontier' | 'pages' | 'eventLog' | 'ratings' | 'robots'>;

/** The embedded ports without the thread between: the same operations and commits, some hundred histories faster. */
export function directPorts(database: DatabaseSync): DirectPorts {
  const { reads, writes } = operationsOn(database);
  const commits = new GroupCommit(database, 0);
  const write = <Answer>(step: () => Step<Answer>): Promise<Answer> =>
    new Promise((resolve, reject) => {
      commits.add({ step, resolve: (answer) => resolve(answer as Answer), reject });
    });
  return {
    frontier: {
      putSource: (...args) => write(writes.putSource(...args)),
      removeSource: (...args) => write(writes.removeSource(...args)),
      sources: async () => reads.sources(),
      take: async (...args) => reads.take(...args),
      release: (...args) => write(writes.release(...args)),
      offer: (...args) => write(writes.offer(...args)),
      hasten: (...args) => write(writes.hasten(...args)),
      look: async (...args) => reads.look(...args),
      bringForward: (...args) => write(writes.bringForward(...args)),
      frontierTotals: async (...args) => reads.frontierTotals(...args),
    },
    pages: {
      version: async (...args) => reads.version(...args),
      furniture: async (...args) => reads.furniture(...args),
      commit: (...args) => write(writes.commit(...args)),
    },
    eventLog: {
      bounds: async (...args) => reads.bounds(...args),
      read: async (...args) => reads.read(...args),
      firstAt: async (...args) => reads.firstAt(...args),
      trim: (...args) => write(writes.trim(...args)),
      drop: (...args) => write(writes.drop(...args)),
      count: async () => reads.count(),
    },
    ratings: {
      standing: async (...args) => reads.standing(...args),
      beginRatings: (...args) => write(writes.beginRatings(...args)),
      addRatings: (...args) => write(writes.addRatings(...args)),
      publishRatings: (...args) => write(writes.publishRatings(...args)),
      giveUpRatings: (...args) => write(writes.giveUpRatings(...args)),
      clearRatings: (...args) => write(writes.clearRatings(...args)),
      sweepRatings: (...args) => write(writes.sweepRatings(...args)),
      countReferring: (...args) => write(writes.countReferring(...args)),
      ratingSummary: async () => reads.ratingSummary(),
    },
    robots: {
      robotsCopy: async (...args) => reads.robotsCopy(...args),
      saveRobotsCopy: (...args) => write(writes.saveRobotsCopy(...args)),
      robotsTotals: async () => reads.robotsTotals(),
    },
  };
}
