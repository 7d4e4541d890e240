import { describe, expect, it } from 'vitest';
import { Notices } from '../../../../src/cli/commands/tail/tail-feed.ts';
import type { StreamEvent } from '../../../../src/cli/client/stream-event.ts';
import { update } from '../../screens/sample.ts';

const connected: StreamEvent = { type: 'connected', start: undefined, openedAt: undefined };
const noRules: StreamEvent = { type: 'error', message: 'This tap has no rules.' };

function waiting(reason: string, delayMs = 3_000): StreamEvent {
  return { type: 'waiting', delayMs, reason };
}

function startingAt(offset: number, reason: string, gone?: number): StreamEvent {
  return {
    type: 'connected',
    start: { at: { partition: 0, offset }, reason, head: undefined, gone },
    openedAt: undefined,
  };
}

const cases: readonly [string, readonly StreamEvent[], readonly string[]][] = [
  ['the first connection', [connected], ['connected · news']],
  ['nothing of the agreed end and the next connection', [connected, { type: 'end' }, connected], ['connected · news']],
  [
    'an outage once, however many tries it takes',
    [connected, waiting('broken'), waiting('broken', 9_000), connected, connected],
    ['connected · news', 'reconnecting in 3 s: broken', 'connected again'],
  ],
  [
    'a new reason',
    [waiting('the daemon answers 503', 400), waiting('broken')],
    ['reconnecting in 1 s: the daemon answers 503', 'reconnecting in 3 s: broken'],
  ],
  [
    'what the daemon says once, until a match has come',
    [connected, noRules, waiting('This tap has no rules.'), connected, noRules, update(), noRules],
    ['connected · news', 'This tap has no rules.', 'This tap has no rules.'],
  ],
  [
    'how many events are gone',
    [startingAt(900, 'clamped', 120)],
    ['connected · news', 'the log now begins at 0-900: 120 events are no longer kept'],
  ],
  [
    'that one event is gone',
    [startingAt(1, 'clamped', 1)],
    ['connected · news', 'the log now begins at 0-1: 1 event is no longer kept'],
  ],
  [
    'that the log is another one',
    [startingAt(0, 'clamped')],
    ['connected · news', 'the log now begins at 0-0, in another partition: earlier events are no longer kept'],
  ],
  [
    'that one asked for what is not there yet',
    [startingAt(7, 'ahead')],
    ['connected · news', 'there are no events yet; the next one will be 0-7'],
  ],
  ['nothing of a resume that lost nothing', [startingAt(7, 'resumed')], ['connected · news']],
];

describe('the notices tell', () => {
  it.each(cases)('%s', (_, events, expected) => {
    const said: string[] = [];
    const notices = new Notices((line) => said.push(line), 'news');
    for (const event of events) notices.hear(event);
    expect(said).toEqual(expected);
  });
});
