import { DamagedStore, randomDamages } from '../fixtures/damage.ts';
import { seeded } from '../fixtures/series.ts';

/** From a page or two to half of them. */
const MOST_OF_PAGES = 0.5;

/** Damages so many copies of a full store at random pages, and looks at what `hydrant salvage` makes of each. */
export async function salvageDamages(times: number): Promise<string[]> {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const random = seeded(seed);
  const store = await DamagedStore.make();
  const faults: string[] = [];
  try {
    for (let turn = 1; turn <= times; turn += 1) {
      const count = 1 + Math.floor(random() ** 3 * store.pages * MOST_OF_PAGES);
      const damages = randomDamages(random, count, store.pages);
      const found = await store.complaints(damages).catch((error: unknown) => [String(error)]);
      faults.push(...found.map((fault) => `FAULT: store ${turn}, ${count} damages: ${fault}`));
      if (turn % 10 === 0) process.stderr.write(`  ${turn} of ${times} stores\n`);
    }
  } finally {
    store.dispose();
  }
  return [`${times} damaged stores of ${store.pages} pages (seed ${seed})`, ...faults];
}
