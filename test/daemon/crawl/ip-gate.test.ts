import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Entry, IpGate } from '../../../src/daemon/crawl/ip-gate.ts';
import { IP_IN_FLIGHT } from '../../../src/shared/limits.ts';

const HOUR = 3_600_000;

/** All names are of one address, unless the test says where they are. */
function gateOf(
  options: { at?: Record<string, readonly string[]>; opened?: readonly string[]; sharedIps?: readonly string[] } = {},
) {
  const clock = { now: 1_000 * HOUR };
  const asked: string[] = [];
  const gate = new IpGate({
    locate: async (hostname) => {
      asked.push(hostname);
      return options.at?.[hostname] ?? ['192.0.2.1'];
    },
    isOpened: (address) => options.opened?.includes(address) ?? false,
    sharedIps: options.sharedIps ?? [],
    outside: { now: () => clock.now },
  });
  return { gate, clock, asked };
}

function leave(entry: Entry): void {
  if (entry.opensAt !== undefined) throw new Error('was not let in');
  entry.leave();
}

describe('the gate of an address', () => {
  test('lets one begin each quarter of a second, whatever their hosts are', async () => {
    const { gate, clock } = gateOf();
    leave(await gate.enter('a.test'));
    expect(await gate.enter('b.test')).toEqual({ opensAt: clock.now + 250 });
    clock.now += 250;
    leave(await gate.enter('b.test'));
    clock.now += 249;
    expect(await gate.enter('c.test')).toHaveProperty('opensAt');
  });

  test('has two under way at a time, and the next when one of them has left', async () => {
    const { gate, clock } = gateOf();
    const first = await gate.enter('a.test');
    clock.now += 250;
    const second = await gate.enter('b.test');
    clock.now += 10_000;
    expect(await gate.enter('c.test')).toHaveProperty('opensAt');
    leave(first);
    const third = await gate.enter('c.test');
    clock.now += 10_000;
    expect(await gate.enter('d.test')).toHaveProperty('opensAt');
    leave(second);
    leave(third);
  });

  test('counts a visit once that leaves twice', async () => {
    const { gate, clock } = gateOf();
    const first = await gate.enter('a.test');
    clock.now += 250;
    await gate.enter('b.test');
    leave(first);
    leave(first);
    clock.now += 250;
    await gate.enter('c.test');
    clock.now += 250;
    expect(await gate.enter('d.test')).toHaveProperty('opensAt');
  });

  test('gives those whom it refuses a time each, so that they do not come back at once', async () => {
    const { gate, clock } = gateOf();
    leave(await gate.enter('a.test'));
    const times = await Promise.all(['b', 'c', 'd', 'e'].map((name) => gate.enter(`${name}.test`)));
    expect(times.map(({ opensAt = 0 }) => opensAt - clock.now)).toEqual([250, 500, 750, 1_000]);
  });

  test('sends nobody away for longer than five minutes', async () => {
    const { gate, clock } = gateOf();
    leave(await gate.enter('a.test'));
    let last: Entry = { opensAt: 0 };
    for (let host = 0; host < 2_000; host += 1) last = await gate.enter(`h${host}.test`);
    expect(last.opensAt).toBe(clock.now + 5 * 60_000);
  });

  test('hosts of different addresses do not wait for each other; one of several waits for all of them', async () => {
    const at = { 'a.test': ['192.0.2.1'], 'b.test': ['192.0.2.2'], 'both.test': ['192.0.2.3', '192.0.2.2'] };
    const { gate } = gateOf({ at });
    leave(await gate.enter('a.test'));
    leave(await gate.enter('b.test'));
    expect(await gate.enter('both.test')).toHaveProperty('opensAt');
  });

  test('a host without an address is let in, to fail by itself', async () => {
    const { gate } = gateOf({ at: { 'a.test': [] } });
    for (let turn = 0; turn < 5; turn += 1) await expect(gate.enter('a.test')).resolves.toHaveProperty('leave');
  });

  test('has no limit where the operator has opened the address, or named it as one of a CDN', async () => {
    const at = {
      'own.test': ['127.0.0.7'],
      'cdn.test': ['104.16.1.1'],
      'mapped.test': ['::ffff:104.16.1.1'],
      'cdn6.test': ['2606:4700::1'],
      'half.test': ['104.16.1.1', '192.0.2.9'],
    };
    const { gate } = gateOf({ at, opened: ['127.0.0.7'], sharedIps: ['104.16.0.0/13', '2606:4700::/32'] });
    for (const host of ['own.test', 'cdn.test', 'mapped.test', 'cdn6.test']) {
      for (let turn = 0; turn < 5; turn += 1) await expect(gate.enter(host)).resolves.toHaveProperty('leave');
    }
    await gate.enter('half.test');
    expect(await gate.enter('half.test')).toHaveProperty('opensAt');
    expect(gate.size).toBe(1);
  });

  test('looks an address of v6 up without its brackets', async () => {
    const { gate, asked } = gateOf();
    await gate.enter('[2001:db8::1]');
    expect(asked).toEqual(['2001:db8::1']);
  });

  test.each(['104.16.0.0', '104.16.0.0/40', 'cloudflare', ''])('refuses %j as a network at the start', (network) => {
    expect(() => gateOf({ sharedIps: [network] })).toThrow(/crawl-shared-ips: .* is not a network/);
  });

  test('a clock that is set back by an hour closes nothing for an hour', async () => {
    const { gate, clock } = gateOf();
    leave(await gate.enter('a.test'));
    await gate.enter('b.test');
    clock.now -= HOUR;
    leave(await gate.enter('c.test'));
    const refused = await gate.enter('d.test');
    expect(refused.opensAt).toBe(clock.now + 250);
  });

  test('forgets addresses that nobody is at any more', async () => {
    const at: Record<string, readonly string[]> = {};
    const { gate, clock } = gateOf({ at });
    let most = 0;
    for (let host = 0; host < 20_000; host += 1) {
      at[`h${host}.test`] = [`10.0.${host >> 8}.${host & 255}`];
      leave(await gate.enter(`h${host}.test`));
      clock.now += 10;
      most = Math.max(most, gate.size);
    }
    expect(most).toBeLessThan(1_100);
  });

  test('whoever comes and goes, an address has never more than it may, and never two beginnings too close', async () => {
    const step = fc.record({ wait: fc.nat(400), lasts: fc.nat(2_000), host: fc.nat(20) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 100 }), async (steps) => {
        const { gate, clock } = gateOf();
        const inside: { until: number; leave: () => void }[] = [];
        let lastBegin = -Infinity;
        for (const { wait, lasts, host } of steps) {
          clock.now += wait;
          for (const visit of inside.filter(({ until }) => until <= clock.now)) {
            visit.leave();
            inside.splice(inside.indexOf(visit), 1);
          }
          const isFree = inside.length < IP_IN_FLIGHT && clock.now - lastBegin >= 250;
          const entry = await gate.enter(`h${host}.test`);
          expect(entry.opensAt === undefined).toBe(isFree);
          if (entry.opensAt !== undefined) continue;
          lastBegin = clock.now;
          inside.push({ until: clock.now + lasts, leave: entry.leave });
        }
      }),
    );
  });
});
