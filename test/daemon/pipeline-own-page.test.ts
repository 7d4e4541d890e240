import { describe, expect, test } from 'vitest';
import type { RenderOptions } from '../../src/shared/api/render.ts';
import { ownRequests } from './requests/own-requests.ts';
import { SignIns } from '../../src/daemon/requests/sign-ins.ts';
import { body, minute, page, url, world, type World } from './pipeline-world.ts';

const render: RenderOptions = { wait_for: '.price', within_seconds: 30 };
const HOURS = 'The harbour opens at nine.';
const FERRY = 'The ferry leaves at ten.';

/** A page that has been read once, with a rule that every mention of a ferry matches. */
async function read(text: string, own?: World['ownPage']): Promise<World> {
  const it = await world();
  it.rule('ferry', 'ferry');
  it.ownPage = own;
  it.serve(text, { validators: { etag: '"1"' } });
  await it.visit();
  it.later();
  return it;
}

describe('a page that is rendered', () => {
  test('is asked for so, and each of its requests asks robots.txt', async () => {
    const it = await read(page(HOURS), { render });
    expect(it.requests).toEqual([
      expect.objectContaining({ url, render: { withinMs: 30_000, waitFor: '.price', mayLoad: expect.any(Function) } }),
    ]);
  });

  test('for the first time, or no more, is a baseline: its other text is no change, and the next change is', async () => {
    const it = await read(page(HOURS));
    for (const own of [{ render }, undefined]) {
      it.ownPage = own;
      it.serve(page(HOURS, own ? 'A browser shows the ferry.' : 'No browser, no ferry.'));
      expect(await it.visit()).toMatchObject({ outcome: 'unchanged', events: 0 });
      it.later();
      it.serve(page(HOURS, FERRY));
      expect(await it.visit()).toMatchObject({ outcome: 'changed', events: 1 });
      it.later();
    }
  });

  test('and is the same bytes as before: what it had been read as before is not compared with', async () => {
    const it = await read(page(HOURS));
    it.ownPage = { render };
    it.serve(page(HOURS), { validators: { etag: '"1"' } });
    expect(await it.visit()).toMatchObject({ outcome: 'unchanged', events: 0 });
    expect(it.requests[1]).toMatchObject({ validators: undefined });
    it.later();
    it.serve(page(HOURS, FERRY));
    expect(await it.visit()).toMatchObject({ outcome: 'changed', events: 1 });
  });
});

describe('a page that was read before it had settled', () => {
  const unsettled = 'it was still changing after 20 s';

  test('is no first version until a second look', async () => {
    const it = await read('');
    it.ownPage = { render };
    it.serve(page(HOURS), { unsettled });
    const detail = expect.stringContaining(unsettled) as unknown;
    expect(await it.visit()).toMatchObject({ outcome: 'failed', reason: 'doubtful', detail });
    it.later(minute);
    expect(await it.visit()).toMatchObject({ outcome: 'changed' });
  });

  test('changes nothing that the next look does not find again', async () => {
    const it = await read(page(HOURS, FERRY), { render });
    it.serve(page(HOURS, 'Loading the ferry'), { unsettled });
    expect(await it.visit()).toMatchObject({ outcome: 'failed', reason: 'doubtful', events: 0 });
    it.later(minute);
    it.serve(page(HOURS, FERRY));
    expect(await it.visit()).toMatchObject({ outcome: 'unchanged', events: 0 });
  });

  test('is believed when the next look finds the same change, and not when it finds another one', async () => {
    const it = await read(page(HOURS), { render });
    for (const text of ['A ferry is late.', 'The ferry is very late.']) {
      it.serve(page(HOURS, text), { unsettled });
      expect(await it.visit()).toMatchObject({ outcome: 'failed', reason: 'doubtful', events: 0 });
      it.later();
    }
    expect(await it.visit()).toMatchObject({ outcome: 'changed', events: 1 });
  });

  test('and never is the same is believed at the fourth look', async () => {
    const it = await read(page(HOURS), { render });
    const outcomes: (string | undefined)[] = [];
    for (const time of ['one', 'two', 'three', 'four']) {
      it.serve(page(HOURS, `A ferry leaves at ${time} from the new pier.`), { unsettled });
      outcomes.push((await it.visit())?.outcome);
      it.later();
    }
    expect(outcomes).toEqual(['failed', 'failed', 'failed', 'changed']);
  });
});

describe('a page whose operator signs in', () => {
  const FORM =
    '<title>Sign in</title><main><h1>Sign in</h1><form><input type=password><button>Go</button></form></main>';
  const requests = ownRequests();
  const signingBy = (change: Parameters<typeof requests.changed>[1]): World['ownPage'] => {
    const request = requests.changed(undefined, change);
    return request && { signing: { id: 'source', url, request } };
  };

  test('is signed out by a form to sign in where there was none: no change, and its text stays', async () => {
    const it = await world();
    it.ownPage = signingBy({ headers: { cookie: 'session=1' } });
    it.signIns = new SignIns(requests, {});
    it.serve(page(HOURS));
    await it.visit();
    it.later();
    it.serve(FORM);
    expect(await it.visit()).toMatchObject({ outcome: 'failed', reason: 'signed_out', events: 0 });
    it.later(24 * 60 * minute);
    it.serve(page(HOURS));
    expect(await it.visit()).toMatchObject({ outcome: 'unchanged', events: 0 });
  });

  test('is signed out by a form at its first visit, too; a page that nobody signs in for is what it is', async () => {
    const it = await world();
    it.serve(FORM);
    it.ownPage = signingBy({ headers: { cookie: 'session=1' } });
    it.signIns = new SignIns(requests, {});
    expect(await it.visit()).toMatchObject({ outcome: 'failed', reason: 'signed_out' });
    const other = await world();
    other.serve(FORM);
    expect(await other.visit()).toMatchObject({ outcome: 'changed' });
  });

  test('by a command is asked for once more, with headers that are made anew', async () => {
    const it = await world();
    it.ownPage = signingBy({ headers_from: JSON.stringify([process.execPath, '-p', "'cookie: a=' + process.pid"]) });
    it.signIns = new SignIns(requests, {});
    it.serve(page(HOURS));
    await it.visit();
    it.later();
    it.answer = () => body(it.requests.length === 2 ? FORM : page(HOURS, FERRY));
    expect(await it.visit()).toBeUndefined();
    expect(await it.visit()).toMatchObject({ outcome: 'changed' });
    expect(new Set(it.requests.map(({ own }) => own?.headers['cookie'])).size).toBe(2);
  });

  test('by other headers than before is another page: a baseline', async () => {
    const it = await read(page(HOURS));
    it.ownPage = signingBy({ headers: { cookie: 'session=1' } });
    it.signIns = new SignIns(requests, {});
    it.serve(page(HOURS, 'Your ferry is booked.'));
    expect(await it.visit()).toMatchObject({ outcome: 'unchanged', events: 0 });
  });
});
