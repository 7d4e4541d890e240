import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Fetched, Validators } from '../../../src/daemon/fetch/fetched.ts';
import { answer, body, failure, HOUR, MINUTE, page, url, WatchWorld } from './watch-world.ts';

const BEGIN = Date.UTC(2026, 1, 13, 12);
const DAY = 24 * HOUR;
const httpDate = (ms: number): string => new Date(ms).toUTCString();

/** A server that answers 304 to whoever sends its validators back. */
class Server {
  text = page('Tea 3 €');
  validators: Validators;
  readonly madeAt: number | undefined;

  /** `madeAt`: what its clock says at its first answer, and at the others too. */
  constructor(validators: Validators, madeAt?: number) {
    this.validators = validators;
    this.madeAt = madeAt;
  }

  answer({ validators: sent }: { readonly validators?: Validators | undefined }): Fetched {
    const { validators } = this;
    const isKnown = JSON.stringify(sent) === JSON.stringify(validators);
    if (isKnown) return { outcome: 'not_modified', url, answer: answer(304), validators };
    const { madeAt } = this;
    return body(this.text, { validators, answer: answer(200, madeAt === undefined ? {} : { madeAt }) });
  }
}

describe('validators of a watched page', () => {
  beforeEach(() => void vi.useFakeTimers({ now: BEGIN }));
  afterEach(() => void vi.useRealTimers());

  async function watching(validators: Validators, madeAt?: number) {
    const world = new WatchWorld();
    const server = new Server(validators, madeAt);
    await world.add();
    world.answer = (request) => server.answer(request);
    await world.check();
    return { world, server };
  }

  async function nextCheck(world: WatchWorld) {
    vi.setSystemTime((await world.known()).due);
    return world.check();
  }

  test('are sent back as they came, and a 304 is an unchanged check', async () => {
    const validators = { etag: 'W/"a"', lastModified: httpDate(BEGIN - DAY) };
    const { world } = await watching(validators);
    expect(await nextCheck(world)).toEqual({ outcome: 'unchanged', note: 'not_modified', status: 304, validators });
    expect(await nextCheck(world)).toMatchObject({ note: 'not_modified' });
    expect(world.requests.map((request) => request.validators)).toEqual([undefined, validators, validators]);
  });

  test('an ETag that never changes hides a change for a day at most', async () => {
    const { world, server } = await watching({ etag: '"stuck"' });
    server.text = page('Tea 4 €');
    const outcomes: (string | undefined)[] = [];
    while (Date.now() < BEGIN + DAY) outcomes.push((await nextCheck(world))?.outcome);
    expect(outcomes.slice(0, -1).every((outcome) => outcome === 'unchanged')).toBe(true);
    expect(outcomes.at(-1)).toBe('changed');
  });

  test('a second edit in the second of the first is not hidden behind its Last-Modified, nor behind an ETag of it', async () => {
    for (const etag of [undefined, '"65cb5d40-3a"']) {
      const lastModified = httpDate(BEGIN);
      const { world, server } = await watching(etag === undefined ? { lastModified } : { etag, lastModified });
      server.text = page('Tea 4 €');
      expect(await nextCheck(world)).toMatchObject({ outcome: 'changed' });
      expect(await nextCheck(world)).toMatchObject({ note: 'not_modified' });
      vi.setSystemTime(BEGIN);
    }
  });

  test('a server whose clock is slow is asked by its own clock how old its Last-Modified is', async () => {
    const slow = BEGIN - 5 * MINUTE;
    const { world, server } = await watching({ lastModified: httpDate(slow) }, slow);
    server.text = page('Tea 4 €');
    expect(await nextCheck(world)).toMatchObject({ outcome: 'changed' });
  });

  test('a body that could not be read leaves those of the last one that could, and none are sent', async () => {
    const { world, server } = await watching({ etag: '"1"' });
    server.validators = { etag: '"2"' };
    server.text = '<main></main>';
    expect(await nextCheck(world)).toMatchObject({ outcome: 'failed', reason: 'empty', status: 200 });
    server.text = page('Tea 4 €');
    expect(await nextCheck(world)).toMatchObject({ outcome: 'changed' });
    expect(await nextCheck(world)).toMatchObject({ note: 'not_modified' });
    expect(world.requests.map(({ validators }) => validators?.etag)).toEqual([undefined, '"1"', undefined, '"2"']);
  });

  test('after a failure without a body, too, all of the page is asked for', async () => {
    const { world, server } = await watching({ etag: '"1"' });
    world.answer = () => failure('timeout');
    await nextCheck(world);
    world.answer = (request) => server.answer(request);
    expect(await nextCheck(world)).toMatchObject({ outcome: 'unchanged', note: 'same_bytes' });
    expect(await world.entries()).toMatchObject([{ recovered: 1 }, { outcome: 'failed' }, { outcome: 'baseline' }]);
    expect(await nextCheck(world)).toMatchObject({ note: 'not_modified' });
  });

  test('a clock that was set back asks for all of the page', async () => {
    const { world } = await watching({ etag: '"1"' });
    vi.setSystemTime(BEGIN - 2 * DAY);
    await world.supply.bringForward(Date.now());
    expect(await nextCheck(world)).toMatchObject({ note: 'same_bytes' });
    expect((await world.known()).due - Date.now()).toBeLessThanOrEqual(10 * MINUTE);
  });
});
