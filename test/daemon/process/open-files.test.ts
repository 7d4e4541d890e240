import { describe, expect, test } from 'vitest';
import { connectionsAllowed, openFilesLimit } from '../../../src/daemon/process/listeners.ts';

describe('connections of the public port', () => {
  test('are as many as wanted where the process may open far more files', () => {
    expect(connectionsAllowed(20_000, 65_536)).toBe(20_000);
    expect(connectionsAllowed(20_000, Infinity)).toBe(20_000);
  });

  test('leave the daemon 768 files of its own, and half of them where there are few', () => {
    expect(connectionsAllowed(20_000, 4_096)).toBe(3_328);
    expect(connectionsAllowed(20_000, 1_024)).toBe(512);
    expect(connectionsAllowed(100, 1_024)).toBe(100);
  });

  test('are counted against what this process may open', () => {
    expect(openFilesLimit()).toBeGreaterThan(64);
  });
});
