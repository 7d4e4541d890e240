import { cpus } from 'node:os';
import { crawl } from './crawl.ts';
import { frontier } from './frontier.ts';
import { match, matchRows } from './match.ts';
import { page } from './page.ts';
import { start } from './start.ts';
import { storage } from './storage.ts';
import { stream } from './stream.ts';
import { tail } from './tail.ts';
import { watch, watchRows } from './watch.ts';

/**
 * `npm run bench [name …] [size]`: figures, never verdicts. The size is that of a benchmark that can be made larger. Each benchmark prints lines of its own; what it measures stands
 * in its file. With --json, one array of the rows of those that have rows. Figures of two runs are comparable on one
 * machine at one load only.
 */
const benchmarks: Record<string, (size?: number) => Promise<string[]>> = {
  frontier,
  match,
  page,
  storage,
  stream,
  crawl,
  start,
  tail,
  watch,
};
const tables: Record<string, (size?: number) => object[] | Promise<object[]>> = {
  match: () => matchRows(),
  watch: watchRows,
};

const [size] = process.argv.slice(2).flatMap((argument) => (/^\d+$/.test(argument) ? [Number(argument)] : []));
const names = process.argv.slice(2).filter((argument) => argument !== '--json' && !/^\d+$/.test(argument));
const asJson = process.argv.includes('--json');
const known = Object.keys(asJson ? tables : benchmarks);
const unknown = names.filter((name) => !known.includes(name));
const wanted = known.filter((name) => names.length === 0 || names.includes(name));
if (unknown.length > 0) {
  const kind = asJson ? 'benchmark with --json' : 'benchmark';
  process.stderr.write(`no ${kind} ${unknown.join(', ')}; there are ${known.join(', ')}\n`);
  process.exitCode = 2;
} else if (asJson) {
  const rows: object[] = [];
  for (const name of wanted) rows.push(...((await tables[name]?.(size)) ?? []));
  process.stdout.write(`${JSON.stringify(rows)}\n`);
} else {
  process.stdout.write(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}\n`);
  for (const name of wanted) {
    process.stdout.write(`\n${name}\n`);
    for (const line of (await benchmarks[name]?.(size)) ?? []) process.stdout.write(`  ${line}\n`);
  }
}
