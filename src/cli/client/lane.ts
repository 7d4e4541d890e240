import { type FollowOptions, follow, type Following } from './follow.ts';
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
