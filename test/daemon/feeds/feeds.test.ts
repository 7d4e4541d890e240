import { beforeEach, describe, expect, test } from 'vitest';
import { answerTo } from '../../../src/daemon/http/problems.ts';
import type { Problem } from '../../../src/daemon/problem.ts';
import { FEEDS_PER_ORGANIZATION } from '../../../src/shared/limits.ts';
import { addNeighbour, type House } from '../taps/house.ts';
import { FedHouse } from './fed-house.ts';

let fed: FedHouse;
let house: House;
let own: string;
beforeEach(async () => {
  fed = await FedHouse.open();
  ({ house } = fed);
  own = house.organizationId;
});

const refusal = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => expect.unreachable('nothing was refused'),
    (error: Problem) => answerTo(error).body.message,
  );

describe('a feed by address', () => {
  test('is known by a secret that nothing keeps but as a hash', async () => {
    const { report, secret } = await house.feeds.add(own, { kind: 'tap', of: 'news' });
    expect(secret).toMatch(/^svcf_[A-Za-z0-9]{40}$/);
    expect(report).toEqual({
      id: report.id,
      name: 'news',
      kind: 'tap',
      of: fed.tapId,
      of_name: 'news',
      prefix: secret.slice(0, 9),
      created_at: '2026-02-27T10:00:00+00:00',
    });
    expect(JSON.stringify(house.catalog.data)).not.toContain(secret.slice(9));
    expect(house.feeds.bySecret(secret)).toMatchObject({ id: report.id, of: fed.tapId });
    expect(await house.feeds.list(own)).toEqual([report]);
  });

  test('is of a tap, a watch or a tag, and named as that is, or as one likes', async () => {
    await fed.watch('w', { url: 'https://example.org/prices' });
    await fed.watch('x', { title: 'Plans' });
    await house.feeds.add(own, { kind: 'tap', of: fed.tapId, name: ' phone ' });
    await house.feeds.add(own, { kind: 'watch', of: 'w' });
    await house.feeds.add(own, { kind: 'watch', of: 'x' });
    await house.feeds.add(own, { kind: 'tag', of: ' shop ' });
    expect((await house.feeds.list(own)).map(({ name, kind, of, of_name: label }) => [name, kind, of, label])).toEqual([
      ['phone', 'tap', fed.tapId, 'news'],
      ['https://example.org/prices', 'watch', 'w', 'https://example.org/prices'],
      ['Plans', 'watch', 'x', 'http://x.example/'],
      ['shop', 'tag', 'shop', 'shop'],
    ]);
  });

  test('is gone with its removal, and with its tap; of a watch that is gone it says so', async () => {
    const [one, other] = [await fed.feed('tap', 'news'), await fed.feed('tap', 'news')];
    await house.feeds.remove(own, one.record.prefix);
    expect([house.feeds.bySecret(one.secret), house.feeds.bySecret(other.secret)?.id]).toEqual([
      undefined,
      other.record.id,
    ]);
    await house.taps.revoke(own, fed.tapId);
    expect(house.feeds.bySecret(other.secret)).toBeUndefined();
    await fed.watch('w');
    await fed.feed('watch', 'w');
    await house.storage.watches.removeWatch('w');
    expect(await house.feeds.list(own)).toMatchObject([{ of: 'w', of_name: null }]);
  });

  test('is of what the organization has, and not of what another has', async () => {
    const { organizationId: stranger } = await addNeighbour(house.catalog);
    await fed.watch('w');
    expect(await refusal(house.feeds.add(stranger, { kind: 'tap', of: fed.tapId }))).toContain('There is no such tap');
    expect(await refusal(house.feeds.add(stranger, { kind: 'watch', of: 'w' }))).toBe('There is no such watch.');
    expect(await refusal(house.feeds.add(own, { kind: 'watch', of: 'nothing' }))).toBe('There is no such watch.');
    expect(await refusal(house.feeds.add(own, { kind: 'tag', of: 'a,b' }))).toContain('The tag must not have a comma');
    const { record } = await fed.feed('tap', 'news');
    expect(await house.feeds.list(stranger)).toEqual([]);
    expect(await refusal(house.feeds.remove(stranger, record.id))).toContain('There is no such feed');
    expect(house.catalog.data.feeds).toHaveLength(1);
  });

  test('is one of no more than there may be', async () => {
    for (let made = 0; made < FEEDS_PER_ORGANIZATION; made += 1)
      await house.feeds.add(own, { kind: 'tag', of: 'shop' });
    expect(await refusal(house.feeds.add(own, { kind: 'tag', of: 'shop' }))).toBe(
      'Feed limit reached. An organization may have up to 200 feeds. Remove one that nobody reads: hydrant feed remove <name>',
    );
  });
});
