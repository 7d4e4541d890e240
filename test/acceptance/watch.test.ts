import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Member } from './member.ts';
import { RealDaemon, until } from './real-daemon.ts';
import type { KeyCreated } from '../../src/shared/api/organization.ts';
import type { Status } from '../../src/shared/api/status.ts';
import type { Watch, WatchExplanation, WatchNews } from '../../src/shared/api/watch.ts';

/** One page whose lines are the test's to say, and how often it was asked for. */
class Page {
  lines: readonly string[] = ['Tea costs three euros a pound.', 'Coffee costs four euros a pound.'];
  requests = 0;
  url = '';
  /** Until it is resolved, nothing is answered. */
  held: Promise<void> | undefined;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      if (request.url === '/robots.txt') return response.writeHead(404).end();
      this.requests += 1;
      const html = `<title>Prices</title><main>${this.lines.map((line) => `<p>${line}</p>`).join('')}</main>`;
      return void Promise.resolve(this.held).then(() => {
        response.writeHead(200, { 'content-type': 'text/html' }).end(html);
      });
    });
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.77', resolve));
    this.url = `http://127.0.0.77:${(this.#server.address() as AddressInfo).port}/prices`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe('a watched page', () => {
  let daemon: RealDaemon;
  let page: Page;
  let member: Member;

  beforeEach(async () => {
    page = new Page();
    await page.open();
    daemon = await RealDaemon.start();
    const { key } = await daemon.operator<KeyCreated>('POST', '/admin/keys', { name: 'test' });
    member = new Member(daemon.notice.url, key);
  });
  afterEach(async () => {
    page.close();
    await daemon.dispose();
  });

  const entries = (watch: Watch, count: number): Promise<void> =>
    until(`${count} entries`, async () => (await member.show(watch.id)).diffs.length === count);

  test('is read at once when it is watched; a change is an entry, told to who waits for it, and survives kill -9', async () => {
    const watch = await member.watch(page.url);
    expect(watch).toMatchObject({ url: page.url, status: 'active', change_count: 0, last_checked_at: null });
    await entries(watch, 1);
    const first = await member.show(watch.id);
    expect(first.diffs).toMatchObject([{ has_changes: false, diff: null }]);
    expect(first.data.last_checked_at).not.toBeNull();

    const waited = daemon.operator<{ data: WatchNews }>('GET', '/admin/watch-changes?after=0&wait=25');
    page.lines = ['Tea costs three euros a pound.', 'Coffee costs five euros a pound.'];
    await daemon.operator('POST', `/admin/watches/${watch.id}/check`);
    const { changes } = (await waited).data;
    expect(changes).toMatchObject([{ watch: { id: watch.id, url: page.url }, title: 'Prices', check: { n: 2 } }]);
    const second = await member.show(watch.id);
    expect(second.data.change_count).toBe(1);
    expect(second.diffs.map((entry) => entry.has_changes)).toEqual([true, false]);
    expect(second.diffs[0]?.diff).toEqual({
      hunks: [
        [
          { ctx: ['Tea costs three euros a pound.'] },
          { del: ['Coffee costs four euros a pound.'] },
          { ins: ['Coffee costs five euros a pound.'] },
        ],
      ],
    });

    await daemon.kill();
    await daemon.start();
    expect(await member.show(watch.id)).toEqual(second);
    const { data: status } = await daemon.operator<{ data: Status }>('GET', '/admin/status');
    expect(status.watch).toMatchObject({ watches: 1, active: 1, failing: 0, held: 0, checks: 2, changes: 1 });
    expect(await daemon.hydrant(['status'])).toContain('watch    1 watch · 2 checks · 1 change');
  });

  test('is left alone while it is paused, and read at once when it is resumed', async () => {
    const watch = await member.watch(page.url);
    await entries(watch, 1);
    expect(await member.change(watch.id, { status: 'paused' })).toMatchObject({ status: 'paused' });
    expect(page.requests).toBe(1);
    expect(await member.change(watch.id, { status: 'active' })).toMatchObject({ status: 'active' });
    await entries(watch, 2);
    expect(page.requests).toBe(2);
    expect((await member.show(watch.id)).diffs[0]).toMatchObject({ has_changes: false, diff: null });
  });

  test('whose options are changed during a check is read again by the new ones, and by no others', async () => {
    const watch = await member.watch(page.url);
    await entries(watch, 1);
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    page.held = promise;
    page.lines = ['Tea costs two euros a pound.', 'Coffee costs nine euros a pound.'];
    await daemon.operator('POST', `/admin/watches/${watch.id}/check`);
    await until('a check that is under way', () => page.requests === 2);
    await daemon.hydrant(['watch', 'edit', watch.id, '--select', 'p:first-child']);
    // Whoever waits for a check that is asked for now waits for the next one.
    const asked = await daemon.operator<object>('POST', `/admin/watches/${watch.id}/check`);
    expect(asked).toMatchObject({ data: { checks: 1, under_way: false } });
    answer();
    await entries(watch, 2);
    expect(page.requests).toBe(3);
    expect(await daemon.hydrant(['watch', 'text', watch.id])).toBe('Tea costs two euros a pound.');
  });

  test('that cannot be had is an entry without a reason; the operator is told why', async () => {
    const watch = await member.watch(page.url);
    await entries(watch, 1);
    page.close();
    await daemon.operator('POST', `/admin/watches/${watch.id}/check`);
    await entries(watch, 2);
    const [newest] = (await member.show(watch.id)).diffs;
    expect(Object.keys(newest ?? {}).sort()).toEqual(['created_at', 'diff', 'has_changes']);
    expect(newest).toMatchObject({ has_changes: false, diff: null });
    const { data } = await daemon.operator<{ data: WatchExplanation }>('GET', `/admin/watches/${watch.id}/explanation`);
    expect(data).toMatchObject({
      check: { n: 2, outcome: 'failed', reason: 'connect' },
      request: { conditional: false },
    });
    const status = await daemon.operator<{ data: Status }>('GET', '/admin/status');
    expect(status.data.problems[0]?.message).toContain(`watch ${page.url}: `);
    expect(status.data.watch).toMatchObject({ failing: 1, outcomes: { connect: 1 } });
  });

  test('is not there for another member, who is told that a teammate watches it', async () => {
    const watch = await member.watch(page.url);
    await daemon.operator('POST', '/admin/members', { name: 'Ines', role: 'admin' });
    const { key } = await daemon.operator<KeyCreated>('POST', '/admin/keys', { name: 'other', member: 'Ines' });
    const other = new Member(daemon.notice.url, key);
    const path = `/v1/url-watch/${watch.id}`;
    expect((await other.ask('GET', path)).status).toBe(404);
    expect((await other.ask('PUT', path, { status: 'paused' })).status).toBe(404);
    expect((await other.ask('DELETE', path)).status).toBe(404);
    expect((await other.ask('GET', '/v1/url-watch')).body).toEqual({ data: [] });
    const twice = await other.ask('POST', '/v1/url-watch', {
      url: page.url,
      frequency_minutes: 5,
    });
    expect(twice.status).toBe(422);
    expect(JSON.stringify(twice.body)).toContain('already being watched in your organization');
    expect((await member.ask('DELETE', path)).status).toBe(204);
    expect((await member.ask('GET', path)).status).toBe(404);
  });
});
