import type { Check, Watches } from '../../watches.ts';
import type { Operations } from './operations.ts';

type Ask = <Name extends keyof Operations>(
  name: Name,
  args: Parameters<Operations[Name]>,
) => Promise<ReturnType<Operations[Name]>>;

/** The calls of `Watches` as messages to the storage thread. `copied` gives bytes that may be handed over. */
export function watchesOver(ask: Ask, copied: (bytes: Uint8Array) => Uint8Array): Watches {
  return {
    addWatch: (watch, mostInOrganization) => ask('addWatch', [watch, mostInOrganization]),
    watch: (id) => ask('watch', [id]),
    watches: (question) => ask('watches', [question]),
    changeWatch: (id, change) => ask('changeWatch', [id, change]),
    removeWatch: (id) => ask('removeWatch', [id]),
    removeWatchesOf: (owner) => ask('removeWatchesOf', [owner]),
    holdWatches: (organizationId, isHeld) => ask('holdWatches', [organizationId, isHeld]),
    heldOrganizations: () => ask('heldOrganizations', []),
    watchMembers: () => ask('watchMembers', []),
    takeWatches: (question) => ask('takeWatches', [question]),
    releaseWatch: (id, host) => ask('releaseWatch', [id, host]),
    watchBaseline: (id) => ask('watchBaseline', [id]),
    commitCheck: (check) => ask('commitCheck', [detached(check, copied)]),
    checks: (id, question) => ask('watchChecks', [id, question]),
    check: (id, n) => ask('watchCheck', [id, n]),
    watchText: (id, n) => ask('watchText', [id, n]),
    watchExplanation: (id) => ask('watchExplanation', [id]),
    watchChanges: (question) => ask('watchChanges', [question]),
    newestChange: () => ask('newestChange', []),
    seeWatch: (id, n) => ask('seeWatch', [id, n]),
    rescheduleWatches: (now, withinMs) => ask('rescheduleWatches', [now, withinMs]),
    watchTotals: (now) => ask('watchTotals', [now]),
  };
}

/** With bytes of its own: those of the caller may change before the message is made. */
function detached(check: Check, copied: (bytes: Uint8Array) => Uint8Array): Check {
  const { baseline, text, diff } = check;
  return {
    ...check,
    ...(baseline && { baseline: { ...baseline, page: copied(baseline.page), body: copied(baseline.body) } }),
    ...(text && { text: { ...text, packed: copied(text.packed) } }),
    ...(diff && { diff: { ...diff, packed: copied(diff.packed) } }),
  };
}
