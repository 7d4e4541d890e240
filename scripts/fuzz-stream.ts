import { isDeepStrictEqual } from 'node:util';
import { parse } from 'node:querystring';
import { formatEventId, parseEventId } from '../src/shared/api/stream.ts';
import { STREAM_LIMIT_EVENTS, STREAM_SINCE_SECONDS, STREAM_TIMEOUT_SECONDS } from '../src/shared/limits.ts';
import { Problem } from '../src/daemon/problem.ts';
import type { LogBounds } from '../src/daemon/storage/event-log.ts';
import { findStart, readParameters, type StreamParameters } from '../src/daemon/stream/request.ts';
import type { Broken } from './fuzz-attempt.ts';
import { inputFrom } from './fuzz-mutation.ts';

const MATERIAL = {
  documents: [
    '0-1842\n',
    '\nsince=5m&timeout=30',
    '\noffset=7&limit=100',
    '7-999999999999999\noffset=999999999999999&since=24h&timeout=300&limit=10000',
  ],
  pieces:
    'offset= since= timeout= limit= & = 0 -1 1e3 0x10 %30 1.5 00000000000007 999999999999999 9007199254740993 1s 86400s 24h 1441m 0m 5M 5 m NaN Infinity null [] offset[]=1 __proto__=1 constructor=2 0-0 0-1 7-9 4294967296-1 9999999999-999999999999999 1-1-1 - \n'.split(
      ' ',
    ),
};

const BOUNDS: readonly LogBounds[] = [
  { partition: 0, floor: 0, head: 0 },
  { partition: 7, floor: 3, head: 10 },
  { partition: 9_999_999_999, floor: 0, head: 999_999_999_999_999 },
];
const FIELDS: ReadonlySet<unknown> = new Set(['offset', 'since', 'timeout', 'limit', 'Last-Event-ID']);

export function inputOf(seed: number, number: number): string {
  return inputFrom(MATERIAL, seed, number);
}

/** The first line is the header, the rest the query: refused by the name of a field, or a place that the log has. */
export async function check(input: string): Promise<Broken | undefined> {
  const end = input.indexOf('\n');
  const header = end <= 0 ? undefined : input.slice(0, end);
  let read: StreamParameters;
  try {
    read = readParameters(parse(input.slice(end + 1)), header);
  } catch (refusal) {
    return refused(refusal);
  }
  return numbers(read) ?? (await started(read));
}

function refused(refusal: unknown): Broken | undefined {
  if (!(refusal instanceof Problem)) return { check: 'throws', detail: String(refusal) };
  const { field, message = '' } = refusal.facts as { field?: unknown; message?: string };
  const isClear = refusal.code === 'invalid_field' && FIELDS.has(field) && message.length > 0 && message.length < 300;
  return isClear ? undefined : { check: 'refusal', detail: JSON.stringify(refusal.facts) };
}

function numbers({ timeoutMs, limit, position }: StreamParameters): Broken | undefined {
  const { least, most } = STREAM_TIMEOUT_SECONDS;
  const isEvents = limit === Infinity || isIn(limit, STREAM_LIMIT_EVENTS.least, STREAM_LIMIT_EVENTS.most);
  const isTime = isIn(timeoutMs, least * 1_000, most * 1_000);
  const isOffset = isIn(position.offset ?? 0, 0, Number.MAX_SAFE_INTEGER);
  const isSince = isIn(position.sinceMs ?? 1, 1, STREAM_SINCE_SECONDS * 1_000);
  return isEvents && isTime && isOffset && isSince ? undefined : { check: 'limits', detail: JSON.stringify(position) };
}

async function started({ position }: StreamParameters): Promise<Broken | undefined> {
  for (const bounds of BOUNDS) {
    for (const first of [0, bounds.head, bounds.head + 5]) {
      const log = { now: 0, firstAt: async () => first, droppedUpTo: async () => -bounds.head };
      const { why: _, keptFrom: __, head, ...start } = await findStart(position, bounds, log);
      if (head !== bounds.head) return { check: 'head', detail: JSON.stringify({ bounds, head }) };
      const isThere = start.partition === bounds.partition && isIn(start.offset, bounds.floor, bounds.head);
      if (!isThere) return { check: 'start', detail: JSON.stringify({ bounds, start }) };
      // What the client is told of its start is an id that it may come back with.
      if (!isDeepStrictEqual(parseEventId(formatEventId(start)), start))
        return { check: 'id', detail: formatEventId(start) };
    }
  }
  return undefined;
}

function isIn(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
