import { below, type Dice, diceOf, pick, times } from './fuzz-dice.ts';

/** What the inputs of one target are made of: some that are as they should be, and what they are spoilt with. */
export interface Material {
  /** At least one. */
  readonly documents: readonly string[];
  /** What means something to the reader, whole or torn. */
  readonly pieces: readonly string[];
  /** Of a document in which one place is repeated very often; none where absent. */
  readonly heavyLength?: number;
}

/** Of Unicode and ASCII, those that readers trip over. */
const CHARACTERS = [
  ' ',
  '\t',
  '\n',
  '\r',
  '\r\n',
  '\f',
  '\v',
  '\0',
  '\u001b',
  '\u007f',
  '\u0085',
  '\u00a0',
  '\u00ad',
  '\u200b',
  '\u202e',
  '\u2028',
  '\ufeff',
  '\ufffd',
  '\ud800',
  '\udc00',
  'İ',
  'ß',
  '漢',
  '😀',
  '\u0301',
];

/** Input number n of a seed: a document, or a soup of pieces, with a few mutations; the same one each time. */
export function inputFrom(material: Material, seed: number, number: number): string {
  const dice = diceOf(seed, number);
  let text = dice() < 0.2 ? soup(material, dice) : pick(dice, material.documents);
  for (let round = below(dice, 8); round > 0; round--) text = mutate(text, material, dice);
  return material.heavyLength !== undefined && dice() < 0.01 ? heavy(text, material, dice) : text;
}

function piece({ pieces }: Material, dice: Dice): string {
  return dice() < 0.8 ? pick(dice, pieces) : pick(dice, CHARACTERS);
}

function soup(material: Material, dice: Dice): string {
  return times(1 + below(dice, 40), () => piece(material, dice)).join(pick(dice, ['', '', ' ', '\n']));
}

function mutate(text: string, material: Material, dice: Dice): string {
  const start = below(dice, text.length + 1);
  const end = Math.min(text.length, start + below(dice, dice() < 0.8 ? 12 : 200));
  const [before, inside, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  switch (below(dice, 8)) {
    case 0:
      return before + after;
    case 1:
    case 2:
      return before + piece(material, dice) + inside + after;
    case 3:
      return before + piece(material, dice) + after;
    case 4:
      return before + inside.repeat(2 + below(dice, 20)) + after;
    case 5:
      return after + inside + before;
    case 6:
      return before + pick(dice, material.documents).slice(below(dice, 200)) + after;
    default:
      return before + String.fromCharCode(below(dice, dice() < 0.5 ? 0x100 : 0x1_0000)) + after;
  }
}

function heavy(text: string, material: Material, dice: Dice): string {
  const start = below(dice, text.length + 1);
  const own = text.slice(start, start + 1 + below(dice, 60));
  const unit = dice() < 0.5 && own !== '' ? own : piece(material, dice) + piece(material, dice) || 'x';
  const many = Math.ceil(below(dice, material.heavyLength ?? 0) / unit.length);
  return text.slice(0, start) + unit.repeat(many) + text.slice(start);
}
