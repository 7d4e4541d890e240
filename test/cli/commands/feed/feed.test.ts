import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FeedReport } from '../../../../src/shared/api/feed.ts';
import { PRICES, QUIET } from '../../changes/watch-sample.ts';
import { FakeDaemon, OTHER_TAP, type Ran, run, type RunOptions, TAP } from '../../harness.ts';

const FEED: FeedReport = {
  id: 'f1f1f1f1-0000-4000-8000-000000000001',
  name: 'phone',
  kind: 'tap',
  of: TAP.id,
  of_name: TAP.name,
  prefix: 'svcf_Yk3a',
  created_at: '2026-02-27T00:00:00+00:00',
};
const GONE: FeedReport = {
  ...FEED,
  id: 'f2f2f2f2-0000-4000-8000-000000000002',
  name: 'prices',
  kind: 'watch',
  of: 'w-1',
  of_name: null,
};
const address = `http://127.0.0.1:7878/feeds/svcf_${'k'.repeat(40)}`;
const addresses = { atom: `${address}.atom`, json: `${address}.json` };

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = await FakeDaemon.onSocket();
  daemon
    .on('GET /v1/taps', 200, { data: [TAP, OTHER_TAP] })
    .on('GET /admin/watches', 200, { data: [PRICES, QUIET] })
    .on('GET /admin/feeds', 200, { data: [FEED, GONE] })
    .on('POST /admin/feeds', 201, { data: FEED, addresses });
});
afterEach(async () => daemon.stop());

async function hydrant(words: string, options: RunOptions = {}): Promise<Ran> {
  return run([...words.split(' '), '--data-dir', daemon.directory], options);
}
const sent = (): unknown[] => daemon.sent('POST /admin/feeds').map(({ body }) => body);

describe('hydrant feed add', () => {
  test('prints the address alone, and says that it is the only time', async () => {
    const { code, stdout, stderr } = await hydrant('feed add --tap news --name phone');
    expect([code, stdout, sent()]).toEqual([0, `${addresses.atom}\n`, [{ kind: 'tap', of: TAP.id, name: 'phone' }]]);
    expect(stderr).toContain('feed phone created; its address is shown only now');
    expect(await hydrant('feed add --tap news -q')).toEqual({ code: 0, stdout: `${addresses.atom}\n`, stderr: '' });
    expect(JSON.parse((await hydrant('feed add --tap news --json')).stdout)).toEqual({ ...FEED, addresses });
  });

  test('is of a tap, a watch or a tag, by whatever names them', async () => {
    await hydrant(`feed create --tap ${OTHER_TAP.name}`);
    await hydrant('feed add --watch https://example.org/prices#top');
    await hydrant('feed add --watch bbbb');
    await hydrant('feed add --tag shop');
    expect(sent()).toEqual([
      { kind: 'tap', of: OTHER_TAP.id },
      { kind: 'watch', of: PRICES.id },
      { kind: 'watch', of: QUIET.id },
      { kind: 'tag', of: 'shop' },
    ]);
  });

  test.each([
    ['feed add', 2, 'specify what the feed is of'],
    ['feed add --tap news --tag shop', 2, 'specify what the feed is of'],
    ['feed add --tap nothing', 5, 'there is no tap `nothing`'],
    ['feed add --watch nothing', 5, 'there is no watch'],
  ])('refuses `%s`', async (words, code, message) => {
    const ran = await hydrant(words);
    expect([ran.code, ran.stdout, sent()]).toEqual([code, '', []]);
    expect(ran.stderr).toContain(message);
  });

  test('works on the daemon’s machine only', async () => {
    const env = { HYDRANT_KEY: `svcm_${'k'.repeat(40)}`, HYDRANT_URL: 'http://127.0.0.1:9' };
    const { code, stderr } = await run(['feed', 'list'], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('works on the daemon')]);
  });
});

describe('hydrant feed list', () => {
  test('shows what each is of, and no more of an address than its beginning', async () => {
    const { stdout } = await hydrant('feeds ls');
    const created = '2026-02-27T00:00:00+00:00';
    expect(stdout.split('\n').filter(Boolean)).toEqual([
      [FEED.id, 'phone', 'tap', TAP.name, 'svcf_Yk3a', created].join('\t'),
      [GONE.id, 'prices', 'watch', 'w-1', 'svcf_Yk3a', created].join('\t'),
    ]);
    expect(JSON.parse((await hydrant('feed list --json')).stdout)).toEqual([FEED, GONE]);
  });
});

describe('hydrant feed remove', () => {
  test('needs a yes', async () => {
    daemon.on(`DELETE /admin/feeds/${FEED.id}`, 204);
    expect(await hydrant('feed remove phone')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(daemon.sent(`DELETE /admin/feeds/${FEED.id}`)).toHaveLength(0);
    expect(await hydrant('feed revoke phone -y')).toEqual({ code: 0, stdout: '', stderr: 'feed phone removed\n' });
    expect(daemon.sent(`DELETE /admin/feeds/${FEED.id}`)).toHaveLength(1);
    expect((await hydrant('feed remove nothing -y')).code).toBe(5);
  });
});
