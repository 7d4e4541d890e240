import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { animatedSvg, type TimedLine } from './recording-frames.ts';

/**
 * `npm run recording`: runs the demo for some seconds and writes what it shows as `docs/demo.svg`. The story is that of
 * a seed; ports and times are those of the run, so nothing compares the file.
 */
const SECONDS = 14;
const root = path.resolve(import.meta.dirname, '..');
const COMMAND = 'hydrant demo --seed 7';

const begin = performance.now();
const lines: TimedLine[] = [{ at: 0, text: `\u001b[1m$ ${COMMAND}\u001b[0m` }];
const words = [path.join(root, 'bin/hydrant'), 'demo', '--plain', '--seed', '7', '--for', `${SECONDS}s`];
const env = { ...process.env, FORCE_COLOR: '1', TZ: 'UTC', COLUMNS: '100' };
const demo = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
for (const stream of [demo.stdout, demo.stderr]) {
  createInterface(stream).on('line', (text) => lines.push({ at: performance.now() - begin, text }));
}
const code = await new Promise<number | null>((resolve) => demo.on('close', resolve));
if (code === 0) {
  const stage = { columns: 100, rows: 26, title: COMMAND, rest: 4_000 };
  await writeFile(path.join(root, 'docs/demo.svg'), animatedSvg(lines, stage));
} else {
  process.stderr.write(`the demo ended with ${code}; build first: npm run build\n`);
  process.exitCode = 1;
}
