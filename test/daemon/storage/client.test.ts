import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { StorageClient } from '../../../src/daemon/storage/sqlite/worker/client.ts';

const fixture = (name: string): URL => pathToFileURL(join(import.meta.dirname, '../../fixtures', name));
const options = { path: '', groupCommitMs: 0, partition: 0 };

describe('when the storage thread dies', () => {
  test('all that waits is rejected, all that comes too, and the daemon is told once', async () => {
    const onFatal = vi.fn<(error: Error) => void>();
    const link = await StorageClient.open(options, onFatal, fixture('dying-thread.ts'));
    const waiting = await Promise.allSettled([
      link.ports.eventLog.count(),
      link.ports.frontier.sources(),
      link.ports.eventLog.drop('t'),
    ]);
    for (const one of waiting) expect(one).toMatchObject({ reason: { message: 'the storage thread has died' } });
    await expect(link.ports.eventLog.count()).rejects.toThrow('the storage thread has died');
    expect(onFatal).toHaveBeenCalledTimes(1);
    expect(onFatal.mock.calls[0]?.[0].cause).toMatchObject({ name: 'RangeError', message: 'out of everything' });
    await link.close();
    await link.close();
  });

  test('before it is open, opening is rejected', async () => {
    const onFatal = vi.fn<(error: Error) => void>();
    await expect(StorageClient.open(options, onFatal, fixture('no-such-thread.ts'))).rejects.toThrow('no-such-thread');
    expect(onFatal).not.toHaveBeenCalled();
  });
});
