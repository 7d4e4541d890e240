import { cpus } from 'node:os';
import { path } from './path.ts';
import { storage } from './storage.ts';
import { stream } from './stream.ts';

/**
 * `npm run bench [name …]`: figures, never verdicts. Each benchmark prints lines of its own; what it measures stands
 * in its file. Figures of two runs are comparable on one machine at one load only.
 */
const benchmarks: Record<string, () => Promise<string[]>> = { path, storage, stream };

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => benchmarks[name] === undefined);
if (unknown.length > 0) {
  process.stderr.write(`no benchmark ${unknown.join(', ')}; there are ${Object.keys(benchmarks).join(', ')}\n`);
  process.exitCode = 2;
} else {
  process.stdout.write(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}\n`);
  for (const [name, run] of Object.entries(benchmarks)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    process.stdout.write(`\n${name}\n`);
    for (const line of await run()) process.stdout.write(`  ${line}\n`);
  }
}
