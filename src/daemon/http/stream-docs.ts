import { Type } from 'typebox';
import type { RouteDoc } from './route-doc.ts';
import { StreamEvent } from './stream-events.ts';
import { STREAM_LIMIT_EVENTS, STREAM_OPENINGS_A_MINUTE, STREAM_TIMEOUT_SECONDS } from '../../shared/limits.ts';
import { Problem } from '../problem.ts';

const match = {
  tap_id: '0f5ad3a1-3f6c-4e0b-9b3a-5f1f6a1f2f10',
  query_ids: ['9ea1e19f-7c55-4a7e-9a52-0d3f0b1c2d3e'],
  matched_at: '2026-02-13T08:06:32.123Z',
  document: {
    url: 'https://example.com/news/ferry',
    title: 'The ferry was late',
    publish_time: '2026-02-13T08:00:00',
    diff: { chunks: [{ typ: 'ins', text: 'The ferry was late again on Tuesday.' }] },
    language: 'en',
  },
};

const frames = [
  'retry: 2718\nevent: connected\ndata: {}\n\n',
  `id: 0-1842\nevent: update\ndata: ${JSON.stringify(match)}\n\n`,
  'event: end\ndata: {}\n\n',
].join('');

const lines = [
  '{"event":"connected","data":{}}',
  `{"event":"update","id":"0-1842","data":${JSON.stringify(match)}}`,
  '{"event":"end","data":{}}',
];

/** A text that is a list of events once it is read as its media type says. */
function streamOf(contentMediaType: string) {
  return Type.String({ contentMediaType, contentSchema: Type.Array(StreamEvent) });
}

const { least, most, default: seconds } = STREAM_TIMEOUT_SECONDS;
const limits = STREAM_LIMIT_EVENTS;

export const streamDocs: Readonly<Record<string, RouteDoc>> = {
  'GET /v1/stream': {
    id: 'stream',
    tag: 'Stream',
    key: 'tap token',
    summary: 'Receive matches as they happen',
    description:
      'Server-sent events: `connected` once, an `update` a match, `end` at the timeout or the limit, `error` with a message ' +
      'when something goes wrong after the opening. The start is that of `Last-Event-ID` or `lastEventId`, else `offset`, ' +
      'else `since`, else live. With `Accept: application/x-ndjson` the same as JSON lines. Matches are kept for about 24 hours. HEAD answers the same without a stream.',
    query: Type.Object({
      timeout: Type.Optional(
        Type.Integer({
          minimum: least,
          maximum: most,
          default: seconds,
          description: 'Seconds the stream stays open.',
        }),
      ),
      since: Type.Optional(
        Type.String({ pattern: '^\\d{1,6}[smh]$', description: 'How far back to begin: `5m`, `1h`, at most `24h`.' }),
      ),
      offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Offset of the first event.' })),
      limit: Type.Optional(
        Type.Integer({ minimum: limits.least, maximum: limits.most, description: 'Events after which it ends.' }),
      ),
      lastEventId: Type.Optional(
        Type.String({ description: 'Stands for `Last-Event-ID` where a client cannot send that header.' }),
      ),
    }),
    headers: Type.Object({
      'Last-Event-ID': Type.Optional(
        Type.String({ description: 'Id of the last `update` the client has, `<partition>-<offset>`.' }),
      ),
    }),
    answer: {
      status: 200,
      description: 'The stream: `connected`, then an `update` a match, then `end` or `error`.',
      content: {
        'text/event-stream': { schema: streamOf('text/event-stream'), example: frames },
        'application/x-ndjson': { schema: streamOf('application/x-ndjson'), example: `${lines.join('\n')}\n` },
      },
      headers: {
        'X-Stream-Start': Type.String({
          description: 'The id of the first event to come, and why: `0-1842; resumed`.',
        }),
      },
    },
    refusals: [
      new Problem('invalid_field', {
        field: 'timeout',
        message: `timeout must be a whole number of seconds from ${least} to ${most}.`,
      }),
      new Problem('out_of_credit', {}),
      new Problem('rate_limited', { what: '/v1/stream', limit: STREAM_OPENINGS_A_MINUTE, seconds: 12 }),
    ],
  },
};
