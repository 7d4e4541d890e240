import { plural } from '../plural.ts';

/** `1 rule`, `3 rules`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural(noun)}`;
}
