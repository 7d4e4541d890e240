import type { Rule } from '../../../src/shared/api/rule.ts';
import type { Update } from '../../../src/cli/client/stream-event.ts';
import { initialModel, type TailModel } from '../../../src/cli/screens/tail-model.ts';
import type { Line } from '../../../src/cli/screens/styled-line.ts';
import { reduce, type TailAction } from '../../../src/cli/screens/tail-store.ts';

export const rule: Rule = { id: 'r1', value: 'kernel', tag: 'linux', nsfw: false, quality: true };

export interface SampleParts {
  readonly offset?: number;
  readonly title?: string;
  readonly url?: string;
  readonly chunks?: readonly { readonly typ: 'ins' | 'del'; readonly text: string }[];
}

/** An update that matched at 14:02:11 on the reader's own clock, wherever the reader is. */
export function update(parts: SampleParts = {}): Update {
  const { offset = 0, title = `Page ${offset}`, url = 'https://www.lwn.net/kernel', chunks = [] } = parts;
  const matched_at = new Date(2026, 1, 13, 14, 2, 11).toISOString();
  const document = { url, title, diff: { chunks } };
  const match = { tap_id: 't', query_ids: ['r1'], matched_at, document };
  return { type: 'update', id: `0-${offset}`, payload: { ...match }, match };
}

export function arrived(parts: SampleParts = {}, now = 0, tap = 'news'): TailAction {
  return { type: 'stream', tap, event: update(parts), rules: [rule], known: 1, now };
}

/** A stream is open, of a tap with so many rules. */
export function connectedWith(known: number): TailAction {
  return {
    type: 'stream',
    tap: 'news',
    event: { type: 'connected', start: undefined, openedAt: undefined },
    rules: [],
    known,
    now: 0,
  };
}

export const connected = connectedWith(1);

export function model(...actions: readonly TailAction[]): TailModel {
  const first = initialModel({ taps: ['news'], label: 'local', rules: 1, open: false, now: 0, canAct: false });
  return actions.reduce(reduce, first);
}

/** So many matches, of offsets 0, 1, 2… */
export function matches(count: number): TailAction[] {
  return Array.from({ length: count }, (_, offset) => arrived({ offset }));
}

/** The text of the lines, without their styles. */
export function textOf(lines: readonly Line[]): string[] {
  return lines.map((spans) => spans.map((span) => span.text).join(''));
}
