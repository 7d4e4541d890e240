import { DirectoryDisk } from '../model/disk.ts';
import { walk } from '../model/walk.ts';

/** So many random steps of the service against a plain model of it, and a tenth as many on a disk. */
export async function model(steps: number): Promise<string[]> {
  const seed = Math.floor(Math.random() * 2 ** 31);
  try {
    const taken = await walk(steps, seed);
    const onDisk = await walk(Math.ceil(steps / 10), seed, () => new DirectoryDisk());
    return [`model: ${taken} steps, and ${onDisk} on a disk, without a difference (seed ${seed})`];
  } catch (difference) {
    return [`model: seed ${seed}`, difference instanceof Error ? difference.message : String(difference)];
  }
}
