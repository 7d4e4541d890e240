/** One piece of news, by what tells it from all others of its tap. */
export interface Piece {
  readonly tap: string;
  readonly url: string;
}

/** A request, a mail or a run of a program: a message as it came to a receiver. */
export interface Arrival {
  /** Which life of the daemon it came in. */
  readonly life: number;
  readonly id: string;
  readonly type: string;
  readonly title: string;
  /** Those that are told in their own words, in the order of the message. */
  readonly leads: readonly Piece[];
  /** Those that are named as saying the same. */
  readonly alike: readonly Piece[];
  /** Pieces of news, those without a name included (`and 37 more`). */
  readonly count: number;
  /** Events that the message says were dropped. */
  readonly dropped: number;
  /**
   * `accepted`: the receiver took it and said so. `unclear`: it took it, and its answer was cut short. `failed`: it did not take it.
   */
  readonly fate: 'accepted' | 'unclear' | 'failed';
}

/** What a receiver does instead of what it should. */
export type Misdeed =
  | 'error'
  | 'busy'
  | 'hang'
  | 'reset'
  | 'redirect'
  | 'cut short'
  | 'garbage'
  | 'gone'
  | 'refuse'
  | 'be killed';

/** When: after so many messages of a life, for so many. */
export interface Episode {
  readonly misdeed: Misdeed;
  readonly after: number;
  readonly times: number;
}

/** How a receiver behaves in a life, message by message. */
export class Conduct {
  readonly misdeeds: readonly Misdeed[];
  #episode: Episode | undefined;
  #seen = 0;

  constructor(misdeeds: readonly Misdeed[]) {
    this.misdeeds = misdeeds;
  }

  /** Undefined: it is well for a whole life. */
  begin(episode: Episode | undefined): void {
    this.#episode = episode;
    this.#seen = 0;
  }

  next(): Misdeed | undefined {
    const at = this.#seen;
    this.#seen += 1;
    if (this.#episode === undefined) return undefined;
    const { misdeed, after, times } = this.#episode;
    return at >= after && at < after + times ? misdeed : undefined;
  }
}

/** The number that a title tells: `12 matches and 3 changes`, `1,204 events`; 1 where it is a page's own. */
export function countOf(title: string): number {
  const parts = [...title.matchAll(/(?:^|, | and )([\d,]+) (?:events?|matches|match|changes?)\b/g)];
  if (parts.length === 0) return 1;
  return parts.reduce((sum, [, number = '0']) => sum + Number(number.replaceAll(',', '')), 0);
}

/** `1,204 matches were dropped: …` */
export function droppedIn(text: string): number {
  const [, number] = /([\d,]+) (?:match(?:es)?|events?|changes?|problems?) (?:was|were) dropped/.exec(text) ?? [];
  return number === undefined ? 0 : Number(number.replaceAll(',', ''));
}
