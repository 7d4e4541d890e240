import type { DatabaseSync } from 'node:sqlite';
import { GroupCommit, type Step } from '../../../src/daemon/storage/sqlite/worker/group-commit.ts';
import { operationsOn } from '../../../src/daemon/storage/sqlite/worker/operations.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';

export type DirectPorts = Pick<
  Storage,
  'frontier' | 'ledger' | 'pages' | 'eventLog' | 'ratings' | 'robots' | 'watches'
>;

/** The embedded ports without the thread between: the same operations and commits, some hundred histories faster. */
export function directPorts(database: DatabaseSync): DirectPorts {
  const { reads, writes, maps } = operationsOn(database);
  const commits = new GroupCommit(database, 0, maps);
  const write = <Answer>(step: () => Step<Answer>): Promise<Answer> =>
    new Promise((resolve, reject) => {
      // To the end, also where nobody has to wait for it: what is left is compared.
      const whole = (): Step<Answer> => ({ ...step(), isAnswered: false });
      commits.add({ step: whole, resolve: (answer) => resolve(answer as Answer), reject });
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
      tidy: (...args) => write(writes.tidy(...args)),
      frontierTotals: async (...args) => reads.frontierTotals(...args),
      unhealthyHosts: async (...args) => reads.unhealthyHosts(...args),
      failingPages: async (...args) => reads.failingPages(...args),
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
      repairTimes: (...args) => write(writes.repairTimes(...args)),
      drop: (...args) => write(writes.drop(...args)),
      retain: (...args) => write(writes.retain(...args)),
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
      answeredLast: async (...args) => reads.answeredLast(...args),
    },
    ledger: {
      prepaid: async () => reads.prepaid(),
      account: async (...args) => reads.account(...args),
      grantCredit: (...args) => write(writes.grantCredit(...args)),
      setCredit: (...args) => write(writes.setCredit(...args)),
      unlimitCredit: (...args) => write(writes.unlimitCredit(...args)),
      creditHistory: async (...args) => reads.creditHistory(...args),
      charge: (...args) => write(writes.charge(...args)),
      usage: async (...args) => reads.usage(...args),
      checks: async (...args) => reads.checks(...args),
      countCheck: (...args) => write(writes.countCheck(...args)),
      trimUsage: (...args) => write(writes.trimUsage(...args)),
    },
    watches: {
      addWatch: (...args) => write(writes.addWatch(...args)),
      watch: async (...args) => reads.watch(...args),
      watches: async (...args) => reads.watches(...args),
      changeWatch: (...args) => write(writes.changeWatch(...args)),
      removeWatch: (...args) => write(writes.removeWatch(...args)),
      removeWatchesOf: (...args) => write(writes.removeWatchesOf(...args)),
      holdWatches: (...args) => write(writes.holdWatches(...args)),
      heldOrganizations: async () => reads.heldOrganizations(),
      watchMembers: async () => reads.watchMembers(),
      takeWatches: async (...args) => reads.takeWatches(...args),
      releaseWatch: (...args) => write(writes.releaseWatch(...args)),
      watchBaseline: async (...args) => reads.watchBaseline(...args),
      commitCheck: (...args) => write(writes.commitCheck(...args)),
      checks: async (...args) => reads.watchChecks(...args),
      check: async (...args) => reads.watchCheck(...args),
      watchText: async (...args) => reads.watchText(...args),
      watchExplanation: async (...args) => reads.watchExplanation(...args),
      watchChanges: async (...args) => reads.watchChanges(...args),
      newestChange: async () => reads.newestChange(),
      seeWatch: (...args) => write(writes.seeWatch(...args)),
      rescheduleWatches: (...args) => write(writes.rescheduleWatches(...args)),
      watchTotals: async (...args) => reads.watchTotals(...args),
    },
  };
}
