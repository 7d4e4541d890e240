import { describe, expect, test } from 'vitest';
import { matrix } from '../../../../src/daemon/notify/kinds/matrix.ts';
import { LATER_MS, sinkKindContract } from '../../../contract/sink-kind.ts';
import { checkFields, httpReceiver, jsonOf, type Reply, textIn } from '../http-receiver.ts';
import { ofMatrix, readHtml } from '../html-reading.ts';
import { answerTo } from './one-answer.ts';

const ROOM = '!636q39766251:example.com';

/** A stand-in for a home server: what https://spec.matrix.org/v1.11/client-server-api/#sending-events-to-a-room asks of an event. */
const receiver = () =>
  httpReceiver({
    configured: (origin) => ({
      options: { url: origin, room: ROOM },
      secrets: { token: 'syt_aHlkcmFudA_kLmNoPqRsTuV_0a1b2c' },
    }),
    read: (asked, fault) => {
      const json = jsonOf(asked, fault);
      const path =
        /^\/_matrix\/client\/v3\/rooms\/%21636q39766251%3Aexample\.com\/send\/m\.room\.message\/msg_[-_A-Za-z0-9]+$|^\/_matrix\/client\/v3\/rooms\/!636q39766251%3Aexample\.com\/send\/m\.room\.message\/msg_[-_A-Za-z0-9]+$/;
      if (asked.method !== 'PUT' || !path.test(asked.path)) fault(`${asked.method} ${asked.path}`);
      if (asked.headers.authorization !== 'Bearer syt_aHlkcmFudA_kLmNoPqRsTuV_0a1b2c') fault('authorization');
      checkFields(json, { msgtype: 16, body: 60_000, format: 32, formatted_body: 60_000, 'm.mentions': null }, fault);
      if (json['msgtype'] !== 'm.text' || json['format'] !== 'org.matrix.custom.html') fault('format');
      if (JSON.stringify(json['m.mentions']) !== '{}') fault('mentions');
      // The server adds its own part of an event, signatures and hashes.
      if (Buffer.byteLength(asked.body) > 60_000) fault('M_TOO_LARGE');
      const html = readHtml(textIn(json, 'formatted_body'), ofMatrix);
      const plain = textIn(json, 'body');
      const calls = [...plain.matchAll(/(?<![\p{L}\p{N}_.+-])@[\p{L}\p{N}_]+/gu)].map(([call]) => call);
      return {
        text: `${plain}\n${html.text}`.replaceAll('\u2060', ''),
        links: html.links,
        alive: [...html.alive, ...calls],
      };
    },
    answers: {
      accept: { status: 200, body: '{"event_id":"$YUwRidLecu:example.com"}' },
      refuse: { status: 403, body: '{"errcode":"M_FORBIDDEN","error":"User not in room"}' },
      fail: { status: 504, body: 'gateway' },
      later: {
        status: 429,
        body: JSON.stringify({ errcode: 'M_LIMIT_EXCEEDED', error: 'Too many requests', retry_after_ms: LATER_MS }),
      },
    },
  });

sinkKindContract('matrix', () => Promise.resolve(matrix), receiver);

describe('an answer of Matrix', () => {
  test.each<[Reply, object]>([
    [
      { status: 401, body: '{"errcode":"M_UNKNOWN_TOKEN","error":"bad"}' },
      { outcome: 'refused', detail: 'M_UNKNOWN_TOKEN: bad' },
    ],
    [{ status: 413, body: '{"errcode":"M_TOO_LARGE","error":"event too large"}' }, { outcome: 'refused' }],
    [
      { status: 429, body: '{"errcode":"M_LIMIT_EXCEEDED"}', headers: { 'retry-after': '3' } },
      { outcome: 'unavailable', retryAfterMs: 3_000 },
    ],
    [{ status: 500, body: '{"errcode":"M_UNKNOWN","error":"oops"}' }, { outcome: 'unavailable' }],
  ])('%j is %j', async (reply, outcome) => {
    expect(
      await answerTo(matrix, { options: { url: 'https://a.test', room: ROOM }, secrets: { token: 't' } }, reply),
    ).toMatchObject(outcome);
  });
});
