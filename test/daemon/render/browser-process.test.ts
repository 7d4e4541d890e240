import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BrowserProcess, Profiles } from '../../../src/daemon/render/browser-process.ts';
import { findBrowser } from '../../../src/daemon/render/chromium.ts';
import { processesOf } from '../../../src/daemon/render/memory-watch.ts';
import { NO_BROWSER } from './rendering.ts';

function directory(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'hydrant-test-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const statusOf = (pid: number, field: string): string =>
  new RegExp(`^${field}:\\s*(\\S+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? '';

describe.skipIf(NO_BROWSER ?? process.platform !== 'linux')('a browser', () => {
  test('runs as a user that owns nothing, in its sandbox', async () => {
    const note = path.join(directory(), 'profiles');
    const profiles = new Profiles(note);
    const browser = await findBrowser('');
    const child = await BrowserProcess.start({ browser: browser ?? '', proxyPort: 1, hasSandbox: true, profiles });
    onTestFinished(() => child.kill());
    const profile = readFileSync(note, 'utf8');
    const group = child.pid ?? 0;
    const renderers = async (): Promise<number[]> => {
      const all = await processesOf(group);
      const isRenderer = (pid: number): boolean =>
        readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('--type=renderer');
      return all.map(({ pid }) => pid).filter((pid) => existsSync(`/proc/${pid}`) && isRenderer(pid));
    };
    await expect.poll(async () => (await renderers()).length, { timeout: 30_000 }).toBeGreaterThan(0);
    const [renderer = 0] = await renderers();
    const own = process.getuid?.();
    // In a name space of its own, with system calls filtered.
    await expect.poll(() => statusOf(renderer, 'Seccomp'), { timeout: 30_000 }).toBe('2');
    expect(statusOf(renderer, 'NoNewPrivs')).toBe('1');
    expect(statusOf(group, 'Uid')).toBe(String(own === 0 ? 65_534 : own));
    await child.kill();
    expect([await processesOf(group), existsSync(profile), existsSync(note)]).toEqual([[], false, false]);
  });
});

describe('profiles of browsers', () => {
  test('that a killed daemon has left are removed at the next start, and nothing else is', async () => {
    const note = path.join(directory(), 'profiles');
    const left = (await new Profiles(note).make(undefined)).path;
    const others = directory();
    writeFileSync(note, [left, others, '/etc', ''].join('\n'));
    await new Profiles(note).sweep();
    expect([existsSync(left), existsSync(others), existsSync('/etc'), existsSync(note)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
