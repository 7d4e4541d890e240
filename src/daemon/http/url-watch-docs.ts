import { Type } from 'typebox';
import { json, ON_FREE, type RouteDoc } from './route-doc.ts';
import { Problem } from '../problem.ts';
import { CrawlEntry, Watch } from '../../shared/api/watch.ts';
import { WATCH_FREQUENCIES, WATCH_HISTORY_LIMIT } from '../../shared/limits.ts';

const noWatch = new Problem('not_found', { resource: 'watch' });
const badLimit = (most: number): Problem =>
  new Problem('invalid_field', { field: 'limit', message: `limit must be a whole number from 1 to ${most}.` });
const noFrequency = new Problem('invalid_field', {
  field: 'frequency_minutes',
  message: `The frequency_minutes field must be one of ${WATCH_FREQUENCIES.join(', ')}.`,
});
const tooFrequent = new Problem('watch_too_frequent', {
  ...ON_FREE,
  limit: 180,
  allowed: WATCH_FREQUENCIES.filter((minutes) => minutes >= 180),
});
const usedUp = new Problem('check_quota_used_up', { ...ON_FREE, limit: 1_000, until: '2026-03-01' });

const watch = {
  id: '6c0f7f5e-3a4e-4c59-9d5b-0d8f3a1c2b10',
  url: 'https://example.org/pricing',
  frequency_minutes: 180,
  status: 'active',
  change_count: 1,
  last_checked_at: '2026-02-27T03:00:00+00:00',
  created_at: '2026-02-27T00:00:00+00:00',
};
const oneWatch = json(Type.Object({ data: Watch }), { data: watch });
const diffs = [
  {
    diff: { hunks: [[{ ctx: ['Plans'] }, { del: ['Starter: 9 a month'], ins: ['Starter: 12 a month'] }]] },
    has_changes: true,
    created_at: '2026-02-27T03:00:00+00:00',
  },
  { diff: null, has_changes: false, created_at: '2026-02-27T00:00:01+00:00' },
];

function limitOf(description: string, more: object): { query: ReturnType<typeof Type.Object> } {
  return { query: Type.Object({ limit: Type.Optional(Type.Integer({ description, minimum: 1, ...more })) }) };
}

export const urlWatchDocs: Readonly<Record<string, RouteDoc>> = {
  'GET /v1/url-watch': {
    id: 'listWatches',
    tag: 'URL Watch',
    key: 'management key',
    summary: 'List the watched URLs of the member',
    description: 'The newest first. A management key acts as the member who made it, and sees no watches of others.',
    ...limitOf('At most this many; up to the plan’s maximum of watched URLs, which is the default.', {}),
    answer: {
      status: 200,
      description: 'The watches.',
      content: json(Type.Object({ data: Type.Array(Watch) }), { data: [watch] }),
    },
    refusals: [badLimit(5)],
  },
  'POST /v1/url-watch': {
    id: 'createWatch',
    tag: 'URL Watch',
    key: 'management key',
    summary: 'Watch a URL',
    description:
      `It is active, and its first check is due at once. \`frequency_minutes\` is one of ${WATCH_FREQUENCIES.join(', ')}, and ` +
      'not faster than the plan allows. A URL is watched once in an organization, whatever follows a `#` in it.',
    answer: {
      status: 201,
      description: 'The watch.',
      content: json(Type.Object({ data: Watch }), { data: created() }),
    },
    refusals: [
      new Problem('invalid_field', { field: 'url', message: 'The url field is required.' }),
      new Problem('private_address', { url: 'http://10.0.0.1/', detail: '10.0.0.1 is not a public address' }),
      noFrequency,
      tooFrequent,
      new Problem('watches_not_in_plan', { ...ON_FREE, plan: 'API only' }),
      new Problem('watch_limit_reached', { ...ON_FREE, limit: 5 }),
      usedUp,
      new Problem('already_watching', { url: watch.url }),
      new Problem('watched_in_organization', { url: watch.url }),
    ],
  },
  'GET /v1/url-watch/:id': {
    id: 'getWatch',
    tag: 'URL Watch',
    key: 'management key',
    summary: 'Show a watch and what its checks have found',
    description:
      'Every check is an entry, the newest first. `diff` is null where nothing has changed, and where a check has failed. ' +
      'Entries of an older format have `chunks` in place of `hunks`.',
    ...limitOf('At most this many entries.', {
      maximum: WATCH_HISTORY_LIMIT.most,
      default: WATCH_HISTORY_LIMIT.default,
    }),
    answer: {
      status: 200,
      description: 'The watch, and its entries beside it.',
      content: json(Type.Object({ data: Watch, diffs: Type.Array(CrawlEntry) }), { data: watch, diffs }),
    },
    refusals: [noWatch, badLimit(WATCH_HISTORY_LIMIT.most)],
  },
  'PUT /v1/url-watch/:id': {
    id: 'changeWatch',
    tag: 'URL Watch',
    key: 'management key',
    summary: 'Change the frequency of a watch, pause or resume it',
    description: 'Either field may be sent alone. A watch that is resumed is checked at once.',
    answer: { status: 200, description: 'The watch as it is now.', content: oneWatch },
    refusals: [noWatch, noFrequency, tooFrequent, usedUp],
  },
  'DELETE /v1/url-watch/:id': {
    id: 'deleteWatch',
    tag: 'URL Watch',
    key: 'management key',
    summary: 'Stop watching a URL',
    description: 'Deletes its history, too.',
    answer: { status: 204, description: 'The watch is no more.' },
    refusals: [noWatch],
  },
};

function created(): object {
  return { ...watch, change_count: 0, last_checked_at: null };
}
