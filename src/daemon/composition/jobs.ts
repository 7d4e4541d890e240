import { schedule, type ScheduledTask } from 'node-cron';
import type { NotifyServices } from './notify.ts';
import type { ClockRepair } from './clock-repair.ts';
import type { Outside } from '../outside.ts';
import type { Log } from '../process/log.ts';
import type { DomainRatings } from '../ratings/domain-ratings.ts';
import type { DaemonSettings } from '../settings.ts';
import { DAY_MS } from '../storage/ledger.ts';
import type { Storage } from '../storage/storage.ts';
import { StorageUnavailable } from '../storage/unavailable.ts';
import type { RuleTally } from '../taps/rule-tally.ts';
import type { Quota } from '../watch/quota.ts';
import { TRIAL_SECONDS, USAGE_DAYS } from '../../shared/limits.ts';

interface JobDeps {
  readonly settings: Pick<DaemonSettings, 'recentBytes' | 'streamRetention' | 'logBytes'>;
  readonly outside: Pick<Outside, 'now'>;
  readonly log: Pick<Log, 'error'>;
  readonly storage: Storage;
  readonly clock: ClockRepair;
  readonly notifying: Pick<NotifyServices, 'problems'>;
  readonly quota: Pick<Quota, 'refresh'>;
  readonly ratings: Pick<DomainRatings, 'countIfDue'>;
  readonly tally: Pick<RuleTally, 'flush' | 'trim'>;
}

interface Job {
  /** As cron has it. */
  readonly when: string;
  /** What is in the process is done by each node; absent: one node does it for all. */
  readonly isOwn?: true;
  /** Unique among them. */
  readonly failed: string;
  readonly run: () => Promise<unknown>;
}

const EACH_MINUTE = '* * * * *';
/** Less than from one turn to the next: who does a job keeps it, and no other node does it in the same turn. */
const MINUTE_LEASE_MS = 55_000;
const HOUR_LEASE_MS = 55 * 60_000;

/** What is done by the clock. Failed jobs are logged and retried at their next run. */
export function startJobs(deps: JobDeps): ScheduledTask[] {
  const { log, storage } = deps;
  const isMine = async ({ when, failed }: Job): Promise<boolean> =>
    (await storage.nodes.lease(`job: ${failed}`, when === EACH_MINUTE ? MINUTE_LEASE_MS : HOUR_LEASE_MS)) > 0;
  return jobs(deps).map((job) => {
    const turn = async (): Promise<void> => {
      try {
        if (job.isOwn === true || (await isMine(job))) await job.run();
      } catch (error) {
        // That the database is away is in the log and the status already, once.
        if (!(error instanceof StorageUnavailable)) log.error({ err: error }, job.failed);
      }
    };
    // Its warnings go past the log: a laptop that slept through the night would write a hundred.
    return schedule(job.when, turn, { suppressMissedWarning: true });
  });
}

function jobs({ settings, outside, storage, clock, notifying, quota, ratings, tally }: JobDeps): readonly Job[] {
  const trim = async (): Promise<void> => {
    const now = outside.now();
    await storage.recentChanges.trimRecentChanges(now - TRIAL_SECONDS * 1_000, settings.recentBytes);
    // Last, since it gives back the space of both.
    await storage.eventLog.trim(now - settings.streamRetention * 1_000, settings.logBytes);
  };
  const forgetUsage = (): Promise<void> => storage.ledger.trimUsage(outside.now() - USAGE_DAYS * DAY_MS);
  return [
    {
      when: EACH_MINUTE,
      run: () => clock.run(),
      failed: 'timestamps of a clock that was ahead could not be corrected',
    },
    { when: EACH_MINUTE, run: trim, failed: 'the event log could not be trimmed' },
    {
      when: EACH_MINUTE,
      run: () => storage.frontier.tidy(outside.now()),
      failed: 'rows left by removals could not be deleted',
    },
    // Asked each hour and done once a day: a machine that is off at night has its turn, too.
    { when: '23 * * * *', run: () => ratings.countIfDue(), failed: 'links between domains could not be counted' },
    { when: EACH_MINUTE, isOwn: true, run: () => tally.flush(), failed: 'rule statistics could not be written' },
    // A month has begun, or a plan was changed.
    {
      when: EACH_MINUTE,
      isOwn: true,
      run: () => quota.refresh(),
      failed: 'the monthly check counts could not be read',
    },
    {
      when: EACH_MINUTE,
      run: () => notifying.problems.reconcile(),
      failed: 'problems could not be compared with those that are known',
    },
    { when: '17 * * * *', run: () => tally.trim(), failed: 'old rule statistics could not be deleted' },
    { when: '41 * * * *', run: forgetUsage, failed: 'old usage figures could not be deleted' },
  ];
}
