import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const module = join(import.meta.dirname, '../../../src/cli/runtime/ending.ts');
const hasGnuTail = spawnSync('tail', ['--version'], { encoding: 'utf8' }).stdout?.includes('GNU') ?? false;

const waiting = 'setTimeout(() => { stop(); process.exit(7); }, 4_000);';

/** A program that never writes and waits for its reader to go; run in a pipeline, its exit code answers. */
function pipeline(reader: string, then = waiting): string {
  const script = `
    const { watchReader } = await import(${JSON.stringify(module)});
    const stop = watchReader(process.stdout, () => process.exit(42));
    ${then}
  `;
  const words = [
    '-c',
    `"$0" --input-type=module -e "$1" | ${reader}; echo "\${PIPESTATUS[0]}"`,
    process.execPath,
    script,
  ];
  return spawnSync('bash', words, { encoding: 'utf8', timeout: 30_000 }).stdout.trim();
}

describe.skipIf(!hasGnuTail)('a program with nothing to write (skipped: needs GNU tail)', () => {
  it('is told that the reader of its pipe has gone', () => {
    expect(pipeline('true')).toBe('42');
  });

  it('is not told so while there is a reader', () => {
    expect(pipeline('cat')).toBe('7');
  });

  it('leaves no process behind that would keep the pipe open when it is killed', () => {
    // cat ends when the last writer has gone, and bash waits for cat.
    expect(pipeline('cat', "process.kill(process.pid, 'SIGKILL');")).toBe('137');
  });
});
