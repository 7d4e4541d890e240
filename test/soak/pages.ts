import { BACK_WITHIN_MS, readHostilePages } from './hostile-load.ts';

const MB = 1_000_000;
const MOST_MB = 600;
const AFTER_MB = 350;

/** So many hostile pages of ten hosts at four threads: what memory they take at most, and how much of it stays. */
export async function hostilePages(count: number): Promise<string[]> {
  const { before, most, after, visits } = await readHostilePages(count);
  const told = Object.entries(visits).map(([word, times]) => `${times} ${word}`);
  const [beforeMb, mostMb, afterMb] = [before, most, after].map((bytes) => Math.round(bytes / MB));
  return [
    `${count} hostile pages: ${beforeMb} MB before, at most ${mostMb} MB, ${afterMb} MB within ${BACK_WITHIN_MS / 1_000} s after the last; ${told.join(', ')}`,
    ...(most > MOST_MB * MB ? [`FAULT: ${mostMb} MB, of ${MOST_MB} that it may be`] : []),
    ...(after > AFTER_MB * MB ? [`FAULT: ${afterMb} MB after it, of ${AFTER_MB} that it may be`] : []),
  ];
}
