import { ROSTER } from './roster.ts';
import type { Asked } from './row.ts';

/** One benchmark in a process of its own, so that no other's heap or compiled code is in its figures: `one.ts NAME ASKED`. */
const [name = '', asked = '{}'] = process.argv.slice(2);
const benchmark = await ROSTER[name]?.();
if (!benchmark) throw new Error(`no benchmark ${name}`);
const outcome = await benchmark(JSON.parse(asked) as Asked);
// What a benchmark has left behind must not keep its process.
process.send?.(outcome, () => process.exit(0));
