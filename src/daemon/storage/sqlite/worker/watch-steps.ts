import type { Step } from './group-commit.ts';
import { sweeping } from './steps.ts';
import type { WatchStores } from './watch-stores.ts';
import type { HoldWalk } from '../watch/watch-organization-store.ts';
import type { WatchOwner } from '../watch/watch-store.ts';

/** Writes that touch thousands of watches, cut into steps as the others are (steps.ts). */

/** Watches that one step forgets, holds or moves: each touches its host, too. About five milliseconds (measured). */
const WATCHES_A_STEP = 200;

/** Answered when it is forgotten: what is swept may be of ten thousand others. */
export function removingWatch({ commits, watches }: WatchStores, id: string): () => Step<boolean> {
  const sweep = sweeping(commits);
  let isKnown: boolean | undefined;
  return () => {
    if (isKnown !== undefined) return { done: sweep().done, answer: isKnown, isAnswered: true };
    isKnown = watches.forget(id);
    return { done: !isKnown, answer: isKnown, isAnswered: true };
  };
}

/** All are forgotten before the first one is swept. */
export function removingWatchesOf({ commits, watches }: WatchStores, owner: WatchOwner): () => Step<number> {
  const sweep = sweeping(commits);
  let forgotten = 0;
  let isMore = true;
  return () => {
    if (!isMore) return { done: sweep().done, answer: forgotten };
    const some = watches.forgetSome(owner, WATCHES_A_STEP);
    forgotten += some;
    isMore = some === WATCHES_A_STEP;
    return { done: forgotten === 0, answer: forgotten };
  };
}

export function holdingWatches(stores: WatchStores, organizationId: string, isHeld: boolean): () => Step<void> {
  const settle = settlingHold(stores, organizationId);
  let isNew = true;
  return () => {
    if (!isNew) return settle();
    isNew = false;
    stores.organizations.hold(organizationId, isHeld);
    return { done: false, answer: undefined };
  };
}

/** Also what the former process began, and could not finish. */
export function settlingHold({ organizations }: WatchStores, organizationId: string): () => Step<void> {
  let walk: HoldWalk | undefined;
  return () => {
    walk ??= organizations.walk(organizationId);
    return { done: !organizations.settleSome(walk, WATCHES_A_STEP), answer: undefined };
  };
}

export function reschedulingWatches({ line }: WatchStores, now: number, withinMs: number): () => Step<number> {
  const walk = { after: 0, moved: 0 };
  return () => {
    const isMore = line.rescheduleSome(walk, now, withinMs, WATCHES_A_STEP);
    return { done: !isMore, answer: walk.moved };
  };
}
