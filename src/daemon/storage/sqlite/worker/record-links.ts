import type { Operations } from './operations.ts';
import type { Ratings } from '../../ratings.ts';
import type { RecentChanges } from '../../recent-changes.ts';
import type { RuleCounters } from '../../rule-counters.ts';
import type { SavedMatches } from '../../saved-matches.ts';

type Ask = <Name extends keyof Operations>(
  name: Name,
  args: Parameters<Operations[Name]>,
) => Promise<ReturnType<Operations[Name]>>;

/** The calls of small ports as messages to the storage thread. */
export function ruleCountersOver(ask: Ask): RuleCounters {
  return {
    addRuleCounts: (counts) => ask('addRuleCounts', [counts]),
    ruleFigures: (ruleIds, since) => ask('ruleFigures', [ruleIds, since]),
    trimRuleCounts: (before, living) => ask('trimRuleCounts', [before, living]),
  };
}

export function recentChangesOver(ask: Ask): RecentChanges {
  return {
    recentChanges: (question) => ask('recentChanges', [question]),
    trimRecentChanges: (before, mostBytes) => ask('trimRecentChanges', [before, mostBytes]),
    repairChangeTimes: (now) => ask('repairChangeTimes', [now]),
  };
}

export function savedMatchesOver(ask: Ask): SavedMatches {
  return {
    saveMatch: (match, text, limit) => ask('saveMatch', [match, text, limit]),
    savedMatch: (organizationId, id) => ask('savedMatch', [organizationId, id]),
    savedMatches: (question) => ask('savedMatches', [question]),
    noteSavedMatch: (organizationId, id, note, text) => ask('noteSavedMatch', [organizationId, id, note, text]),
    removeSavedMatch: (organizationId, id) => ask('removeSavedMatch', [organizationId, id]),
  };
}

export function ratingsOver(ask: Ask): Ratings {
  return {
    standing: (domain) => ask('standing', [domain]),
    beginRatings: (name) => ask('beginRatings', [name]),
    addRatings: (list, rated) => ask('addRatings', [list, rated]),
    publishRatings: (list, at) => ask('publishRatings', [list, at]),
    giveUpRatings: (list) => ask('giveUpRatings', [list]),
    clearRatings: () => ask('clearRatings', []),
    sweepRatings: () => ask('sweepRatings', []),
    countReferring: (at) => ask('countReferring', [at]),
    ratingSummary: () => ask('ratingSummary', []),
  };
}
