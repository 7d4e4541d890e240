import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeDaemon, type Ran, run } from '../../harness.ts';
import { PRICES } from '../../changes/watch-sample.ts';

describe('with a management key', () => {
  const { id, url, frequency_minutes, status, change_count, last_checked_at, created_at } = PRICES;
  const own = { id, url, frequency_minutes, status, change_count, last_checked_at, created_at };
  let remote: FakeDaemon;
  beforeEach(async () => {
    remote = await FakeDaemon.onPort();
    remote.on('GET /v1/url-watch', 200, { data: [own] });
  });
  afterEach(async () => remote.stop());
  const afar = async (words: string): Promise<Ran> =>
    run(['watch', ...words.split(' ')], { env: { HYDRANT_URL: remote.url, HYDRANT_KEY: 'svcm_x' } });

  const at = (hour: number): string => `2026-02-27T${String(hour).padStart(2, '0')}:00:00+00:00`;
  const hunks = (del: string, ins: string): object => ({ hunks: [[{ ctx: ['Plans'] }, { del: [del], ins: [ins] }]] });
  const none = { diff: null, has_changes: false };
  const entries = [
    { ...none, created_at: at(6) },
    { ...none, created_at: at(5) },
    { diff: hunks('Starter: 9', 'Starter: 12'), has_changes: true, created_at: at(4) },
    { ...none, created_at: at(3) },
    { diff: { chunks: [{ typ: 'ins', text: 'Starter: 9' }] }, has_changes: true, created_at: at(2) },
    { ...none, created_at: at(1) },
  ];
  const withHistory = (diffs: readonly object[]): void => {
    remote.on(`GET /v1/url-watch/${id}?limit=100`, 200, { data: own, diffs });
  };

  test('diff shows the newest change that the public API has, or each since a time', async () => {
    withHistory(entries);
    const { code, stdout } = await afar('diff aaaa --exit-code');
    expect([code, stdout]).toEqual([
      1,
      `${url}\n${at(4)}: changed: 1 line added, 1 removed\n@@\n  Plans\n- Starter: 9\n+ Starter: 12\n`,
    ]);
    const since = (await afar('diff aaaa --since 2026-02-27T01:30:00Z')).stdout.split('\n');
    expect(since.filter((line) => line.includes('changed'))).toEqual([
      `${at(2)}: changed: 1 line added`,
      `${at(4)}: changed: 1 line added, 1 removed`,
    ]);
    expect(JSON.parse((await afar('diff aaaa --json')).stdout)).toEqual({ watch: { id, url }, changes: [entries[2]] });
    expect((await afar('diff aaaa --html')).stdout).toContain('Starter');
  });

  test('diff of a page without a change says so', async () => {
    withHistory([{ ...none, created_at: at(1) }]);
    expect(await afar('diff aaaa')).toMatchObject({ code: 5, stderr: expect.stringContaining('has not changed') });
  });

  test('log lists the checks that the public API has, and says that it tells no failures', async () => {
    withHistory(entries);
    const { stdout, stderr } = await afar('log aaaa --limit 3');
    expect(stdout).toBe(
      `${at(6)}\tunchanged\tno change\n${at(5)}\tunchanged\tno change\n${at(4)}\tchanged\tchanged: 1 line added, 1 removed\n`,
    );
    expect(stderr).toContain('a management key cannot see failures');
    const changes = (await afar('log aaaa --changes --json')).stdout.trim().split('\n');
    expect(changes.map((line) => (JSON.parse(line) as { created_at: string }).created_at)).toEqual([at(4), at(2)]);
  });

  test('show has the newest change', async () => {
    withHistory(entries);
    remote.on(`GET /v1/url-watch/${id}?limit=1`, 200, { data: own, diffs: entries.slice(0, 1) });
    expect((await afar('show aaaa')).stdout).toContain(`last change\t${at(4)}\n`);
  });
});
