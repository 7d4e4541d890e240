import { wordClass, WordClass } from './word-class.ts';

/**
 * The pictographs of Emoji 11, inside a character class. Unicode has since taken the property from those that never
 * became emoji (★, ♪), which must stay searchable.
 */
export const PICTOGRAPHS =
  '\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\u2600-\\u2605\\u2607-\\u2685\\u2690-\\u2705\\u2708-\\u2712' +
  '\\u2763-\\u2767\\u{1F000}-\\u{1F0FF}\\u{1F249}-\\u{1F3FA}\\u{1F400}-\\u{1F53D}\\u{1F546}-\\u{1F64F}\\u{1F680}-\\u{1F6FF}';

/** What may stand in an emoji of several characters, as StandardTokenizer tells it apart. */
type Kind =
  /** A skin tone. */
  | 'tone'
  /** A pictograph that takes one. */
  | 'person'
  | 'picture'
  /** A mark or a format character other than those below. */
  | 'mark'
  /** U+FE0F: as an emoji, not as text. Its counterpart, U+FE0E, ends an emoji before it. */
  | 'selector'
  | 'joiner'
  /** Letters and digits of an invisible name, such as that of Scotland. */
  | 'tag'
  | 'lastTag';

type State =
  | 'begin'
  | 'joinersFirst'
  | 'tone'
  | 'toneJoiner'
  | 'person'
  | 'personJoiner'
  | 'picture'
  | 'pictureJoiner'
  | 'selector'
  | 'tags'
  | 'tagged'
  | 'joinedPerson'
  | 'joinedPersonJoiner'
  | 'joinedPicture'
  | 'joinedPictureJoiner'
  | 'joinedSelector'
  | 'selectorJoiner'
  | 'selectorJoiners';

interface Row {
  /** An emoji may end here. */
  readonly ends: boolean;
  readonly on: Readonly<Partial<Record<Kind, State>>>;
}

const ends = (on: Row['on']): Row => ({ ends: true, on });
const goesOn = (on: Row['on']): Row => ({ ends: false, on });
const marked = (state: State): Row['on'] => ({ mark: state, tag: state, lastTag: state });
const joined: Row['on'] = { person: 'joinedPerson', picture: 'joinedPicture' };

/** The states of StandardTokenizer's automaton (JFlex, Lucene 8.8) that a pictograph can lead to. */
const STATES: Readonly<Record<State, Row>> = {
  begin: goesOn({ tone: 'tone', person: 'person', picture: 'picture', joiner: 'joinersFirst' }),
  joinersFirst: goesOn({ person: 'person', picture: 'picture', joiner: 'joinersFirst' }),
  tone: ends({ ...marked('tone'), joiner: 'toneJoiner' }),
  toneJoiner: ends({ ...joined, ...marked('tone'), tone: 'tone', joiner: 'toneJoiner' }),
  person: ends({ ...marked('person'), tone: 'tone', selector: 'selector', joiner: 'personJoiner' }),
  personJoiner: ends({
    ...joined,
    ...marked('person'),
    tone: 'tone',
    selector: 'selector',
    joiner: 'personJoiner',
  }),
  picture: ends({ ...marked('picture'), selector: 'selector', joiner: 'pictureJoiner' }),
  pictureJoiner: ends({
    ...joined,
    ...marked('picture'),
    tone: 'tone',
    selector: 'selector',
    joiner: 'pictureJoiner',
  }),
  selector: ends({ joiner: 'selectorJoiner', tag: 'tags' }),
  tags: goesOn({ tag: 'tags', lastTag: 'tagged' }),
  tagged: ends({}),
  joinedPerson: ends({
    ...marked('joinedPerson'),
    tone: 'tone',
    selector: 'joinedSelector',
    joiner: 'joinedPersonJoiner',
  }),
  joinedPersonJoiner: ends({
    ...joined,
    ...marked('joinedPerson'),
    tone: 'tone',
    selector: 'joinedSelector',
    joiner: 'joinedPersonJoiner',
  }),
  joinedPicture: ends({ ...marked('joinedPicture'), selector: 'joinedSelector', joiner: 'joinedPictureJoiner' }),
  joinedPictureJoiner: ends({
    ...joined,
    ...marked('joinedPicture'),
    tone: 'tone',
    selector: 'joinedSelector',
    joiner: 'joinedPictureJoiner',
  }),
  joinedSelector: ends({ joiner: 'selectorJoiner' }),
  selectorJoiner: goesOn({ ...joined, tone: 'tone', joiner: 'selectorJoiners' }),
  selectorJoiners: goesOn({ ...joined, joiner: 'selectorJoiners' }),
};

export const JOINER = 0x200d;
const SELECTOR = 0xfe0f;
const TEXT_SELECTOR = 0xfe0e;
const FIRST_TAG = 0xe0020;
const LAST_TAG = 0xe007f;
const FIRST_TONE = 0x1f3fb;
const LAST_TONE = 0x1f3ff;
const FLAG = /^\p{RI}$/u;
const PERSON = /^\p{Emoji_Modifier_Base}$/u;

/** Where the emoji that begins at `start` ends, the longest there is before `limit`; `start` itself when none does. */
export function emojiEnd(text: string, start: number, limit: number): number {
  const sequence = SEQUENCE.exec(text.slice(start, limit));
  if (sequence) return start + sequence[0].length;
  let state: State | undefined = 'begin';
  let end = start;
  for (let at = start; at < limit;) {
    const codePoint = text.codePointAt(at) ?? 0;
    const kind = kindOf(codePoint);
    state = kind && STATES[state].on[kind];
    if (!state) break;
    at += codePoint > 0xffff ? 2 : 1;
    if (STATES[state].ends) end = at;
  }
  return end;
}

function kindOf(codePoint: number): Kind | undefined {
  if (codePoint === JOINER) return 'joiner';
  if (codePoint === SELECTOR) return 'selector';
  if (codePoint >= FIRST_TONE && codePoint <= LAST_TONE) return 'tone';
  if (codePoint >= FIRST_TAG && codePoint <= LAST_TAG) return codePoint === LAST_TAG ? 'lastTag' : 'tag';
  const found = wordClass(codePoint);
  if (found === WordClass.extend) return codePoint === TEXT_SELECTOR ? undefined : 'mark';
  return found === WordClass.pictograph ? pictographOf(String.fromCodePoint(codePoint)) : undefined;
}

function pictographOf(character: string): Kind | undefined {
  if (FLAG.test(character)) return undefined;
  return PERSON.test(character) ? 'person' : 'picture';
}

/** Flags, two letters each, and the keycaps of `#` and `*`; those of digits are digits with marks. */
const SEQUENCE =
  /^(?:\p{RI}[\p{M}\p{Cf}]*\p{RI}[\p{M}\p{Cf}]*|[#*][[\p{M}\p{Cf}]--[\uFE0E\uFE0F\u20E3]]*(?:\u20E3[[\p{M}\p{Cf}]--[\uFE0E\uFE0F]]*(?:\uFE0F\u20E3[[\p{M}\p{Cf}]--[\uFE0E\uFE0F]]*)?|\uFE0F\u20E3[[\p{M}\p{Cf}]--[\uFE0E\uFE0F]]*))/v;
