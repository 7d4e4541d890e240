/** Numbers from 0 up to 1, the same ones for the same seed and number of the input, whichever thread asks. */
export type Dice = () => number;

/** sfc32 (C. Doty-Humphrey, PractRand), warmed up. */
export function diceOf(seed: number, number: number): Dice {
  let [a, b, c, counter] = [seed | 0, number | 0, Math.floor(number / 2 ** 32) | 0, 1];
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 12; round++) next();
  return next;
}

export function below(dice: Dice, limit: number): number {
  return Math.floor(dice() * limit);
}

export function pick(dice: Dice, from: readonly string[]): string {
  return from[below(dice, from.length)] ?? '';
}

export function times(count: number, make: () => string): string[] {
  return Array.from({ length: count }, make);
}
