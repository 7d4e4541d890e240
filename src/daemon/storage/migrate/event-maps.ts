import { EVENT_OVERHEAD_BYTES } from '../event-log.ts';
import { CHANGE_OVERHEAD_BYTES } from '../recent-changes.ts';
import { columns, type TableMap } from './table-map.ts';

/** What a tap has left that was revoked is deleted in the background: it stays behind, with its charges. */
const OF_TAPS = 'JOIN taps ON taps.key = tap AND taps.id IS NOT NULL';
const OF_LIVE_TAPS = 'JOIN taps ON taps.key = tap AND taps.dropped_at IS NULL';

const EVENT_BYTES = `octet_length(query_ids) + octet_length(document) + ${EVENT_OVERHEAD_BYTES}`;

/** The log, what was delivered and charged, what is sent elsewhere, and what is kept of rules. */
export const eventMaps: readonly TableMap[] = [
  {
    name: 'log',
    both: ['id', 'partition'],
    // What a clock that was ahead has dropped is none of the past.
    toPostgres: { dropped_up_to: 'min(dropped_up_to, last_at)' },
    toSqlite: {
      dropped_up_to: 'dropped_up_to',
      last_at: 'greatest((SELECT max(last_at) FROM taps), dropped_up_to)',
      bytes: '(SELECT coalesce(sum(bytes), 0) FROM taps WHERE dropped_at IS NULL)',
    },
  },
  {
    name: 'taps',
    both: ['key', 'id', 'floor', 'head'],
    toPostgres: {
      last_at: '(SELECT last_at FROM log)',
      bytes: `(SELECT coalesce(sum(${EVENT_BYTES}), 0) FROM events WHERE tap = taps.key)`,
    },
    from: { sqlite: 'taps WHERE id IS NOT NULL', postgres: 'taps WHERE dropped_at IS NULL' },
    sequence: { column: 'key' },
  },
  {
    name: 'events',
    both: ['tap', 'at', 'query_ids', 'document'],
    toPostgres: { off: 'events."offset"' },
    toSqlite: { offset: 'events.off' },
    from: {
      sqlite: `events ${OF_TAPS} ORDER BY events.seq`,
      // The order of the log, which SQLite numbers as they come.
      postgres: `events ${OF_LIVE_TAPS} AND off >= taps.floor ORDER BY events.at, events.off, events.tap`,
    },
  },
  {
    name: 'changes',
    both: ['seq', 'at', 'change', 'page'],
    toPostgres: { bytes: `length(change) + length(page) + ${CHANGE_OVERHEAD_BYTES}` },
    isWide: true,
    sequence: { column: 'seq' },
  },
  {
    name: 'change_totals',
    only: 'sqlite',
    both: [],
    toSqlite: { id: '1', bytes: 'coalesce(sum(bytes), 0)', last_at: 'coalesce(max(at), 0)' },
    from: { postgres: 'changes' },
  },
  { name: 'credit_accounts', both: ['organization', 'prepaid'] },
  {
    name: 'credit_entries',
    both: ['seq', 'organization', 'at', 'kind', 'amount', 'withdrawn', 'expires_at'],
    toPostgres: { remaining: '"left"' },
    toSqlite: { left: 'remaining' },
    sequence: { column: 'seq' },
  },
  {
    name: 'charged',
    both: ['tap', 'first', 'next'],
    from: { sqlite: `charged ${OF_TAPS}`, postgres: `charged ${OF_LIVE_TAPS}` },
  },
  { name: 'usage', both: ['day', 'organization', 'tap', 'rule', 'matches', 'spent'] },
  { name: 'checks', both: ['month', 'organization', 'checks'] },
  {
    name: 'rule_hours',
    both: ['rule', 'hour', 'matches', 'no_date', 'too_old', 'future_date', 'url', 'adult'],
  },
  { name: 'rule_last', both: ['rule', 'at'] },
  {
    name: 'saved_matches',
    both: columns('seq id organization url tap tap_name rules matched_at saved_at saved_by note document words'),
    isWide: true,
    sequence: { column: 'seq' },
  },
  {
    name: 'sinks',
    both: columns(`
      key id sent dropped failing_since wait_until disabled_at digested_at delivered_at last_error
      sent_times
    `),
    sequence: { column: 'key' },
  },
  {
    name: 'sink_messages',
    both: columns('n sink id type title url message at attempts refusals is_parked parked_at error'),
    isWide: true,
    sequence: { column: 'n' },
  },
  {
    name: 'sink_attempts',
    both: ['sink', 'n', 'at', 'message_id', 'type', 'title', 'attempt', 'outcome', 'status', 'detail', 'ms'],
  },
  { name: 'open_problems', both: ['key', 'after', 'since', 'problem'] },
  {
    name: 'problem_events',
    both: ['n', 'at', 'kind', 'after', 'problem'],
    sequence: {
      column: 'n',
      postgres: { read: 'SELECT head AS highest FROM problem_log', write: 'UPDATE problem_log SET head = $1' },
    },
  },
];
