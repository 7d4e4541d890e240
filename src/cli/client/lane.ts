import { follow, type Following, type FollowOptions } from './follow.ts';
import type { RuleBook } from './rule-book.ts';
import type { StreamEvent } from './stream-event.ts';

/** What is known of a tap that is to be followed. */
export interface LaneFacts {
  /** Its name. */
  readonly tap: string;
  /** Undefined where a tap's token is all we have: that does not tell. */
  readonly tapId: string | undefined;
  readonly follow: FollowOptions;
  readonly rules: RuleBook;
}

/** One tap among those that are followed together. */
export class Lane implements AsyncIterable<StreamEvent> {
  readonly tap: string;
  readonly tapId: string | undefined;
  readonly token: string;
  readonly rules: RuleBook;
  readonly following: Following;

  /** @throws as `follow`, once it is read */
  constructor(facts: LaneFacts) {
    this.tap = facts.tap;
    this.tapId = facts.tapId;
    this.token = facts.follow.token;
    this.rules = facts.rules;
    this.following = follow(facts.follow);
  }

  [Symbol.asyncIterator](): AsyncGenerator<StreamEvent, void> {
    return this.following[Symbol.asyncIterator]();
  }
}

/** What one of several taps tells. */
export interface LaneEvent {
  readonly lane: Lane;
  readonly event: StreamEvent;
}

/** What is merged: anything that gives values one after another, and can be told to stop by its own means. */
interface Source<Value> extends AsyncIterable<Value> {}

type Merged<From, Value> =
  | { readonly from: From; readonly value: Value }
  /** This one gives no more, and why, where it failed. */
  | { readonly from: From; readonly failure: unknown };

/**
 * Several streams as one, in the order in which their events come. Of each, the next event is asked for only when the
 * last was handled, so a slow reader slows all of them, and at most one event of each waits here. A stream that fails
 * ends alone: the others go on. (`Promise.race` over the streams would add a callback to the quiet ones with every
 * event of a busy one, and never let go of it.)
 */
export async function* merge<From extends Source<Value>, Value>(
  sources: readonly From[],
): AsyncGenerator<Merged<From, Value>, void> {
  const ready: (Merged<From, Value> | { readonly from: From })[] = [];
  let wake = (): void => {};
  const iterators = new Map(sources.map((from) => [from, from[Symbol.asyncIterator]()]));
  const ask = async (from: From): Promise<void> => {
    try {
      const next = await iterators.get(from)?.next();
      ready.push(next === undefined || next.done === true ? { from } : { from, value: next.value });
    } catch (failure) {
      ready.push({ from, failure });
    }
    wake();
  };
  for (const from of sources) void ask(from);
  for (let open = sources.length; open > 0;) {
    const next = ready.shift();
    if (next === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    if ('value' in next) {
      yield next;
      void ask(next.from);
      continue;
    }
    open -= 1;
    if ('failure' in next) yield next;
  }
}
