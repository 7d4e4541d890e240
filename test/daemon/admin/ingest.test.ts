import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ingestRoutes } from '../../../src/daemon/admin/crawl.ts';
import { createApp } from '../../../src/daemon/http/app.ts';
import { ARCHIVE_QUESTIONS, ARCHIVE_RECORD_BYTES } from '../../../src/shared/limits.ts';
import { RecordingLog } from '../http/api.ts';

let app: FastifyInstance;
let records: Uint8Array[];
beforeEach(async () => {
  records = [];
  app = createApp(new RecordingLog());
  ingestRoutes(app, {
    known: async ({ records: asked }) => asked.map(({ at }) => at < 5),
    add: async (record) => {
      records.push(record);
      return { outcome: 'changed', events: 3 };
    },
  });
  app.route({ method: 'POST', url: '/json', handler: async (request) => ({ read: request.body }) });
  await app.ready();
});
afterEach(() => app.close());

const post = (url: string, payload: string | Buffer, type?: string) =>
  app.inject({ method: 'POST', url, payload, ...(type !== undefined && { headers: { 'content-type': type } }) });

describe('POST /admin/ingest', () => {
  test.each([undefined, 'application/warc', 'application/json', 'not a type'])(
    'takes the bytes of a record as they are, called %s',
    async (type) => {
      const bytes = Buffer.from([0x57, 0x00, 0xff, 0x0a]);
      const { statusCode, body } = await post('/admin/ingest', bytes, type);
      expect([statusCode, JSON.parse(body)]).toEqual([200, { data: { outcome: 'changed', events: 3 } }]);
      expect(Buffer.from(records[0] ?? [])).toEqual(bytes);
    },
  );

  test('takes a record as long as one may be, and none that is longer', async () => {
    expect((await post('/admin/ingest', Buffer.alloc(ARCHIVE_RECORD_BYTES))).statusCode).toBe(200);
    expect((await post('/admin/ingest', Buffer.alloc(ARCHIVE_RECORD_BYTES + 1))).statusCode).toBe(413);
    expect(records).toHaveLength(1);
  });

  test('an empty body is an empty record', async () => {
    expect((await post('/admin/ingest', '')).statusCode).toBe(200);
    expect(records[0]).toHaveLength(0);
  });

  test('the other routes go on reading JSON', async () => {
    expect(JSON.parse((await post('/json', '{"a":1}', 'application/warc')).body)).toEqual({ read: { a: 1 } });
  });
});

describe('POST /admin/ingest/known', () => {
  test('answers for each record, in order', async () => {
    const asked = { records: [1, 9, 2].map((at) => ({ url: 'http://a.example/', at })) };
    const { body } = await post('/admin/ingest/known', JSON.stringify(asked));
    expect(JSON.parse(body)).toEqual({ data: { known: [true, false, true] } });
  });

  test('takes as many as one may ask for, with the longest URLs, and no more', async () => {
    const record = { url: `http://a.example/${'"'.repeat(2_000)}`, at: 1 };
    const of = (count: number): string => JSON.stringify({ records: Array.from({ length: count }, () => record) });
    expect((await post('/admin/ingest/known', of(ARCHIVE_QUESTIONS))).statusCode).toBe(200);
    expect((await post('/admin/ingest/known', of(ARCHIVE_QUESTIONS + 1))).statusCode).toBe(422);
  });
});
