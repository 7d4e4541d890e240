import { eachKnownWord, type Entry, type Found, joinedWord, type Lexicon } from './lexicon.ts';

/** Where something was found, and how much more it says there than in the text. */
export interface Place {
  readonly times: number;
  /** How a reason names it, before the word; words of the text are told together. */
  readonly name?: string;
}

interface Sighting {
  count: number;
  readonly word: string;
  name: string | undefined;
}

interface Ground {
  readonly reason: string;
  readonly points: number;
  readonly isWord: boolean;
}

const REASON_WORDS = 4;
/** The weight of a word that says one thing alone. */
const CLEAR = 2;
/** UTF-16 units; more of a text than its words can need is not even lower-cased. */
const LONG_WORD = 20;

/** What speaks for which category on one page. */
export class Evidence {
  readonly #sightings = new Map<Entry, Sighting>();
  readonly #points = new Map<string, number>();
  readonly #grounds = new Map<string, Ground[]>();
  readonly #named = new Set<string>();

  /** Looks at no more than `limit` words; answers how many there were. */
  read(text: string, place: Place, lexicons: readonly Lexicon[], limit: number): number {
    const lower = text.slice(0, limit * LONG_WORD).toLowerCase();
    return eachKnownWord(lower, lexicons, limit, this.#seeing(lower, place));
  }

  #seeing(text: string, place: Place): Found {
    return (entry, start, end) => {
      const seen = this.#sightings.get(entry);
      if (seen === undefined) {
        this.#sightings.set(entry, { count: place.times, word: text.slice(start, end), name: place.name });
        return;
      }
      seen.count += place.times;
      seen.name ??= place.name;
    };
  }

  /** Words written together, as in the name of a host: the longest from each place on. */
  readJoined(text: string, place: Place, lexicons: readonly Lexicon[]): void {
    const see = this.#seeing(text, place);
    for (let at = 0; at < text.length;) at = joinedWord(text, at, lexicons, see);
  }

  /** Something that is no word says it: the category and those above it get the points. */
  add(category: string, points: number, reason: string): void {
    for (let path = category; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
      this.#addGround(path, { reason, points, isWord: false });
    }
  }

  /** Adds up the words seen. The second time that a word stands says less than the first. */
  settle(): void {
    for (const [{ senses }, { count, word, name }] of this.#sightings) {
      const times = Math.log2(1 + count);
      const ground = { reason: name === undefined ? word : `${name} "${word}"`, isWord: name === undefined };
      for (const { category, weight } of senses) {
        this.#addGround(category, { ...ground, points: weight * times });
        if (name !== undefined && weight >= CLEAR) this.#named.add(category);
      }
    }
    this.#sightings.clear();
  }

  pointsOf(category: string): number {
    return this.#points.get(category) ?? 0;
  }

  /** Whether a clear word of its title, section or address says it. */
  isNamed(category: string): boolean {
    return this.#named.has(category);
  }

  /** Whether a single word of the text is all there is: it may be one of several meanings, or of a teaser. */
  isThin(category: string): boolean {
    const grounds = this.#grounds.get(category) ?? [];
    return grounds.length === 1 && grounds[0]?.isWord === true;
  }

  /** Those that have points, right below a category; the tops below ''. */
  below(parent: string): (readonly [category: string, points: number])[] {
    return [...this.#points].filter(
      ([category]) => category.startsWith(`${parent}/`) && !category.includes('/', parent.length + 1),
    );
  }

  /** What says most for a category, in words for the operator. */
  reasonFor(category: string): string {
    const grounds = (this.#grounds.get(category) ?? []).toSorted((one, other) => other.points - one.points);
    const most = grounds.slice(0, REASON_WORDS);
    const words = most.filter(({ isWord }) => isWord).map(({ reason }) => reason);
    const others = most.filter(({ isWord }) => !isWord).map(({ reason }) => reason);
    return [...others, ...(words.length > 0 ? [`words: ${words.join(', ')}`] : [])].join(', ');
  }

  #addGround(category: string, ground: Ground): void {
    this.#points.set(category, this.pointsOf(category) + ground.points);
    const grounds = this.#grounds.get(category);
    if (grounds === undefined) this.#grounds.set(category, [ground]);
    else grounds.push(ground);
  }
}
