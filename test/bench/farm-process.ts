import { Farm, type FarmOptions } from '../fixtures/farm/farm.ts';

/** A farm in a process of its own, so that what it costs is not taken for the crawl's: options in, origins out. */
const farm = await Farm.start(JSON.parse(process.argv[2] ?? '{}') as FarmOptions);
process.send?.(farm.seeds);
process.once('disconnect', () => process.exit());
