import { describe, expect, test } from 'vitest';
import type { RequestChange } from '../../../src/shared/api/own-request.ts';
import { NO_OPTIONS } from '../../../src/shared/api/watch-values.ts';
import { ownRequests } from '../requests/own-requests.ts';
import { body, page, status, WatchWorld } from './watch-world.ts';

const requests = ownRequests();
const FORM = '<title>Sign in</title><main><h1>Sign in</h1><form><input type=password><button>Go</button></form></main>';

/** A watch that has read its page once. */
async function watching(change?: RequestChange, select: readonly string[] = []): Promise<WatchWorld> {
  const world = new WatchWorld();
  const request = change && requests.changed(undefined, change);
  await world.add('w', { options: { ...NO_OPTIONS, select: [...select], ...(request && { request }) } });
  world.serve(page('Tea 3 €', 'Coffee 4 €'));
  await world.check();
  return world;
}

async function checked(world: WatchWorld) {
  await world.storage.watches.changeWatch('w', { due: Date.now() });
  return world.check();
}

describe('a watch that signs in', () => {
  const cookie = { headers: { cookie: 'session=1' } };

  test('asks with what was set, for the origin of its page', async () => {
    const world = await watching({ ...cookie, body: 'q=1' });
    expect(world.requests[0]?.own).toMatchObject({
      origin: 'http://shop.example',
      headers: { cookie: 'session=1' },
      method: 'POST',
      body: 'q=1',
    });
  });

  test.each([401, 403])('and is answered %d is signed out: no change, and the page as it was stays', async (code) => {
    const world = await watching(cookie);
    world.answer = () => status(code);
    expect(await checked(world)).toMatchObject({ outcome: 'failed', reason: 'signed_out', status: code });
    expect((await world.entries())[0]?.diff).toBeUndefined();
    world.serve(page('Tea 3 €', 'Coffee 5 €'));
    expect(await checked(world)).toMatchObject({ outcome: 'changed' });
    expect(await world.change()).toEqual({ del: ['Coffee 4 €'], ins: ['Coffee 5 €'] });
  });

  test('with nothing but a time of its own is answered 403 as all are', async () => {
    const world = await watching({ timeout_seconds: 5 });
    world.answer = () => status(403);
    expect(await checked(world)).toMatchObject({ reason: 'http_4xx' });
  });

  test.each<[string, readonly string[]]>([
    ['all of its page is watched', []],
    ['a part is watched that the form has, too', ['main']],
    ['a part is watched that the form does not have', ['p']],
  ])('is signed out by a page to sign in where there was none, where %s', async (_, select) => {
    const world = await watching(cookie, select);
    world.serve(FORM);
    expect(await checked(world)).toMatchObject({ outcome: 'failed', reason: 'signed_out' });
    expect((await world.entries())[0]?.diff).toBeUndefined();
  });

  test('is signed out by it without a login, too: a page that was there has been put behind one', async () => {
    const world = await watching();
    world.serve(FORM);
    expect(await checked(world)).toMatchObject({ outcome: 'failed', reason: 'signed_out' });
  });

  test('that watches the form itself goes on', async () => {
    const world = new WatchWorld();
    await world.add('w', { options: { ...NO_OPTIONS, select: ['main'] } });
    world.serve(FORM);
    expect(await world.check()).toMatchObject({ outcome: 'baseline' });
    world.serve(FORM.replace('</h1>', ' to the shop</h1>'));
    expect(await checked(world)).toMatchObject({ outcome: 'changed' });
  });

  test('for the first time reads another page: nothing of it is a change', async () => {
    const world = await watching();
    const request = requests.changed(undefined, cookie);
    await world.storage.watches.changeWatch('w', { options: { ...NO_OPTIONS, ...(request && { request }) } });
    world.serve(page('Hello Ada', 'Your tea 2 €'));
    expect(await checked(world)).toMatchObject({ outcome: 'baseline', note: 'options' });
    world.serve(page('Hello Ada', 'Your tea 4 €'));
    expect(await checked(world)).toMatchObject({ outcome: 'changed' });
  });

  test('with a renewed cookie compares with what it read before, and asks without validators', async () => {
    const world = await watching(cookie);
    world.answer = () => body(page('Tea 3 €', 'Coffee 4 €', 'x'), { validators: { etag: '"1"' } });
    await checked(world);
    const known = (await world.known()).options;
    const request = requests.changed(known.request, { headers: { cookie: 'session=2' } });
    await world.storage.watches.changeWatch('w', { options: { ...known, ...(request && { request }) } });
    world.serve(page('Tea 3 €', 'Coffee 5 €', 'x'));
    expect(await checked(world)).toMatchObject({ outcome: 'changed' });
    expect(world.requests.at(-1)).toMatchObject({ validators: undefined, own: { headers: { cookie: 'session=2' } } });
  });

  test('whose command fails asks nobody, and says so', async () => {
    const world = await watching(cookie);
    const request = requests.changed(undefined, { headers_from: 'false' });
    await world.storage.watches.changeWatch('w', { options: { ...NO_OPTIONS, ...(request && { request }) } });
    const before = world.requests.length;
    expect(await checked(world)).toMatchObject({ outcome: 'failed', reason: 'headers_from' });
    expect(world.requests).toHaveLength(before);
  });

  test('by headers of a command that have expired is no check: they are made anew for the next one', async () => {
    const world = await watching({ headers_from: 'echo Cookie:a=b' });
    world.answer = () => status(401);
    expect(await checked(world)).toBeUndefined();
    expect(await world.entries()).toHaveLength(1);
    // Made just now, and not taken either: that is reported.
    expect(await checked(world)).toMatchObject({ outcome: 'failed', reason: 'signed_out' });
  });
});
