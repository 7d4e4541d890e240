import { walk } from '../model/walk.ts';

/** So many random steps of the service against a plain model of it. */
export async function model(steps: number): Promise<string[]> {
  const seed = Math.floor(Math.random() * 2 ** 31);
  try {
    const taken = await walk(steps, seed);
    return [`model: ${taken} steps without a difference (seed ${seed})`];
  } catch (difference) {
    return [`model: seed ${seed}`, difference instanceof Error ? difference.message : String(difference)];
  }
}
