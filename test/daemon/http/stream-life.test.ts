import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Api } from './api.ts';
import { SseReader } from '../../acceptance/sse-reader.ts';
import { append } from '../../fixtures/visits.ts';

/** What happens to a stream that is open when its tap, or the tap's rules, change. */
describe('an open stream', () => {
  let api: Api;
  let reader: SseReader;
  let tap: { id: string; token: string };

  beforeEach(async () => {
    api = await Api.open();
    tap = await api.newTap();
    reader = new SseReader();
  });
  afterEach(async () => {
    reader.close();
    await api.close();
  });

  async function open(): Promise<void> {
    await api.call('POST', '/v1/rules', tap.token, { value: 'ferry' });
    expect(await reader.open(`${api.url}/v1/stream`, tap.token)).toBe(200);
    await reader.until(1);
  }

  async function publish(): Promise<void> {
    api.house.hub.announce(await append(api.house.storage, 1, tap.id));
  }

  const types = (): string[] => reader.events.map(({ event }) => event);

  test('of a tap that is paused stays open and silent, replays what is buffered, and goes on when it is resumed', async () => {
    await open();
    await publish();
    await reader.until(2);
    const { status } = await api.call('PUT', `/v1/taps/${tap.id}`, api.house.key, { status: 'paused' });
    expect(status).toBe(200);
    // Unregistered from matching: that is all there is to being silent.
    expect(api.house.index.registered.size).toBe(0);
    const again = new SseReader();
    await again.open(`${api.url}/v1/stream?offset=0`, tap.token);
    await again.until(2);
    again.close();
    expect(reader.ended).toBe(false);
    await api.call('PUT', `/v1/taps/${tap.id}`, api.house.key, { status: 'active' });
    await publish();
    await reader.until(3);
    expect(types()).toEqual(['connected', 'update', 'update']);
  });

  test('stays open when the last rule of its tap goes, and tells what a new one matches', async () => {
    await open();
    const { body } = await api.call<{ data: { id: string }[] }>('GET', '/v1/rules', tap.token);
    for (const { id } of body.data) await api.call('DELETE', `/v1/rules/${id}`, tap.token);
    const bare = new SseReader();
    await bare.open(`${api.url}/v1/stream`, tap.token);
    await bare.until(2);
    expect(bare.events.map(({ event }) => event)).toEqual(['connected', 'error']);
    expect(reader.ended).toBe(false);
    await api.call('POST', '/v1/rules', tap.token, { value: 'harbour' });
    await publish();
    await reader.until(2);
    expect(types()).toEqual(['connected', 'update']);
  });

  test('ends at once with its tap, and the token opens no other', async () => {
    await open();
    expect((await api.call('DELETE', `/v1/taps/${tap.id}`, api.house.key)).status).toBe(204);
    await reader.until(2);
    expect(reader.events[1]).toMatchObject({ event: 'error', id: undefined });
    expect(reader.events[1]?.data).toContain('tap_revoked');
    expect(await new SseReader().open(`${api.url}/v1/stream`, tap.token)).toBe(401);
  });
});
