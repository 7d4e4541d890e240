import type { MatchDocument } from '../../shared/api/match.ts';

/** Words of a question that are looked for; a question is no text. */
const MOST_WORDS = 32;

/** What a saved match is found by: its address, title, note and text, in lower case. */
export function textOf({ url, title, diff }: MatchDocument, note: string): string {
  const chunks = diff?.chunks.map(({ text }) => text) ?? [];
  return folded([url, title ?? '', note, ...chunks].join('\n'));
}

/** The words of a question, each once, in the same form. */
export function wordsOf(question: string): string[] {
  const words = folded(question)
    .split(/\s+/)
    .filter((word) => word !== '');
  return [...new Set(words)].slice(0, MOST_WORDS);
}

/** One form of what can be written in several: composed characters, and lower case. */
function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
