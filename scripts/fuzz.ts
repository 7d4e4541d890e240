import { parseArgs } from 'node:util';
import { fuzzHttp } from './fuzz-http.ts';
import { fuzz } from './fuzz-run.ts';
import { TARGETS } from './fuzz-targets.ts';

/**
 * `npm run fuzz -- TARGET [count] [seed] [--from NUMBER] [--keep-going]`: shows the first failing input, as short as it
 * can be made, and ends with 1; with --keep-going one input for each way to fail. Progress every ten seconds, at
 * the end the slowest input.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string', default: '0' }, 'keep-going': { type: 'boolean', default: false } },
});
const [target = '', count = '1000000', seed = '1'] = positionals;
const numbers = [count, seed, values.from].map((text) => (/^\d{1,15}$/.test(text) ? Number(text) : Number.NaN));
const [inputs = 0, seeded = 0, from = 0] = numbers;
const names = [...Object.keys(TARGETS), 'http'];
if (!names.includes(target) || numbers.some(Number.isNaN)) {
  process.stderr.write(`usage: npm run fuzz -- ${names.join('|')} [count] [seed] [--from NUMBER] [--keep-going]\n`);
  process.exitCode = 2;
} else {
  const run = target === 'http' ? fuzzHttp : fuzz;
  if (!(await run({ target, count: inputs, seed: seeded, from, keepGoing: values['keep-going'] })))
    process.exitCode = 1;
}
