import { grouped } from '../grouped.ts';

/** `watch` → `watches`, `tap` → `taps`, `entry` → `entries`: the nouns that commands count. */
export function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:ch|sh|s|x)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** `1 rule`, `3 rules`. */
export function count(number: number, noun: string): string {
  return `${grouped(number)} ${number === 1 ? noun : plural(noun)}`;
}
