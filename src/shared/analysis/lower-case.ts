const UNITS = 0x1_0000;
const BLOCK = 0x100;

/**
 * Lower case as Java's Character.toLowerCase has it: character by character, whatever stands beside it. The engine's
 * own makes `ς` of a last `Σ`, and two characters of `İ`.
 */
export function lowerCase(word: string): string {
  if (!/[\u0130\u03A3]/.test(word)) return word.toLowerCase();
  return Array.from(word, (character) => (character === '\u0130' ? 'i' : character.toLowerCase())).join('');
}

/** The same for single UTF-16 units; surrogates stand for themselves. */
export const LOWER_UNITS = new Uint16Array(UNITS);

function readLowerCases(): void {
  for (let from = 0; from < UNITS; from += BLOCK) {
    const block = String.fromCharCode(...Array.from({ length: BLOCK }, (_, unit) => from + unit));
    const lower = lowerCase(block);
    for (let unit = 0; unit < BLOCK; unit++) LOWER_UNITS[from + unit] = lower.charCodeAt(unit);
  }
}

readLowerCases();
