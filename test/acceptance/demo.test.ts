import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const hydrant = join(import.meta.dirname, '../../bin/hydrant');

/** How long something that will happen may take to happen. */
const PATIENCE = { timeout: 30_000, interval: 20 };

let scratch = '';

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'hydrant-test-'));
});

afterEach(() => {
  rmSync(scratch, { recursive: true, force: true });
});

/** The demo puts its data directory below TMPDIR, so that a test sees what it leaves. */
const environment = () => ({
  extendEnv: false,
  env: { PATH: process.env['PATH'] ?? '', TMPDIR: scratch, NO_COLOR: '1' },
  reject: false,
});

function demo(...words: readonly string[]) {
  return execa(process.execPath, [hydrant, 'demo', ...words], environment());
}

interface Line {
  readonly id: string;
  readonly event: string;
  readonly matched_at: string;
  readonly query_ids: readonly string[];
  readonly document: { readonly url: string; readonly diff?: { readonly chunks: readonly { readonly typ: string }[] } };
  readonly tags: readonly string[];
}

describe('hydrant demo', () => {
  it('shows matches as JSON lines, ends after --for, and leaves nothing behind', async () => {
    const { stdout, stderr, exitCode } = await demo('--json', '--for', '10s', '--seed', '7');
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    const lines = stdout.split('\n').map((line) => JSON.parse(line) as Line);
    expect(lines.map((line) => line.id)).toEqual(lines.map((_, offset) => `0-${offset}`));
    expect(lines.every((line) => line.event === 'update' && line.query_ids.length > 0)).toBe(true);
    // Every page is seen for the first time, and at least one has changed since.
    expect(new Set(lines.map((line) => line.document.url)).size).toBe(4);
    expect(lines.some((line) => line.document.diff?.chunks.some((chunk) => chunk.typ === 'del'))).toBe(true);
    // The dated news page passes the quality filter of its rule.
    expect(lines.flatMap((line) => line.tags)).toEqual(expect.arrayContaining(['news', 'prices']));
    expect(stderr).toContain('Five rules watch them');
    expect(readdirSync(scratch)).toEqual([]);
  });

  it('shows them as lines for people', async () => {
    const { stdout, stderr, exitCode } = await demo('--plain', '--for', '5s', '--seed', '7');
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}news {10}127\.0\.0\.1 {11} {2}The Harbour Post/m);
    expect(stdout).toMatch(/^ {10}\+ /m);
    expect(stderr).toMatch(/\d+ matches in \d+ s\n?$/);
  });

  it('ends when its reader has gone, although nothing more may come', async () => {
    const script = '"$0" "$1" demo --json -q | head -n 1';
    const { stdout, exitCode } = await execa('sh', ['-c', script, process.execPath, hydrant], environment());
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ id: '0-0' });
    expect(readdirSync(scratch)).toEqual([]);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('cleans up after %s while it starts', async (signal) => {
    const running = demo('--json');
    // The directory is made just before the daemon is started in it.
    while (readdirSync(scratch).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    running.kill(signal);
    const { exitCode, stderr } = await running;
    expect({ exitCode, stderr }).toMatchObject({ exitCode: { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal] });
    expect(readdirSync(scratch)).toEqual([]);
  });

  it('takes its daemon with it even when it is killed', async () => {
    const running = demo('--json', '-q');
    const notice = async () => {
      const [directory = ''] = readdirSync(scratch);
      return JSON.parse(readFileSync(join(scratch, directory, 'daemon.json'), 'utf8')) as { pid: number };
    };
    const { pid } = await vi.waitFor(notice, PATIENCE);
    running.kill('SIGKILL');
    await running;
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), PATIENCE);
  });

  it('says what is wrong when there is no place for its data', async () => {
    const missing = join(scratch, 'missing');
    const { exitCode, stderr } = await execa(process.execPath, [hydrant, 'demo', '--json'], {
      ...environment(),
      env: { PATH: process.env['PATH'] ?? '', TMPDIR: missing },
    });
    expect(existsSync(missing)).toBe(false);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('TMPDIR');
    expect(stderr).not.toContain('this is a bug');
  });
});
