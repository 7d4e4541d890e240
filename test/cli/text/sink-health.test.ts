import { expect, test } from 'vitest';
import { sinksLine, unhealthySinkLine } from '../../../src/cli/text/sink-health.ts';

const none = { sinks: 0, paused: 0, sent: 0, parked: 0, dropped: 0, behind: 0, unhealthy: [] };
const now = Date.parse('2026-02-27T10:00:00Z');

test('how all sinks are doing is one line, with what there is to look at', () => {
  expect(sinksLine(none)).toBeUndefined();
  expect(sinksLine({ ...none, sinks: 1, sent: 1 })).toBe('1 sink · 1 message sent');
  const some = { sinks: 3, sent: 1_204, paused: 1, behind: 2, parked: 4, dropped: 5, unhealthy: [] };
  expect(sinksLine(some)).toBe('3 sinks · 1,204 messages sent · 1 paused · 2 waiting · 4 refused · 5 dropped');
});

test.each([
  ['failing', 'refused', 'ntfy phone has failed for 4 d: refused'],
  ['dead', 'refused', 'ntfy phone is dead, it has failed for 4 d: refused'],
  ['disabled', '', 'ntfy phone is disabled, its receiver is gone'],
] as const)('a sink that is %s', (state, detail, line) => {
  const sink = { id: 'k', name: 'phone', kind: 'ntfy', since: '2026-02-23T10:00:00Z', state, detail } as const;
  expect(unhealthySinkLine(sink, now)).toBe(line);
});
