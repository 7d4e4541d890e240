import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  markedIndex,
  perMinute,
  reduce,
  RING,
  type TailAction,
  type TailKey,
  type TailModel,
  visibleRows,
} from '../../../src/cli/screens/tail-model.ts';
import { arrived, connected, matches, model } from './sample.ts';

const key = (name: TailKey): TailAction => ({ type: 'key', key: name });
const marked = (of: TailModel) => visibleRows(of)[markedIndex(of)]?.update.id;

describe('the ring', () => {
  it('keeps the newest thousand and counts all', () => {
    const full = model(...matches(RING + 5));
    expect(full.rows).toHaveLength(RING);
    expect(full.rows[0]?.update.id).toBe('0-5');
    expect(full.total).toBe(RING + 5);
  });

  it('moving past the marked row leaves the oldest one marked', () => {
    const held = reduce(reduce(model(...matches(RING)), key('first')), arrived({ offset: RING }));
    expect(marked(held)).toBe('0-1');
  });
});

describe('the mark', () => {
  it('follows the newest until it is moved', () => {
    expect(marked(model(...matches(3)))).toBe('0-2');
    expect(marked(model(...matches(3), key('up'), arrived({ offset: 3 })))).toBe('0-1');
  });

  it('follows again once it is back at the bottom', () => {
    expect(marked(model(...matches(3), key('up'), key('down'), arrived({ offset: 3 })))).toBe('0-3');
    expect(marked(model(...matches(9), key('first'), key('last'), arrived({ offset: 9 })))).toBe('0-9');
  });

  it('stays where the details are open', () => {
    const open = model(...matches(3), key('details'), arrived({ offset: 3 }));
    expect([open.open, marked(open)]).toEqual([true, '0-2']);
    expect(model(...matches(3), key('details'), key('back')).open).toBe(false);
  });

  it('is on no row while there is none', () => {
    const none = model(key('up'), key('details'), key('down'));
    expect([none.open, markedIndex(none)]).toEqual([false, -1]);
  });

  it('is always on a visible row, whatever is pressed and whatever comes', () => {
    const action = fc.oneof(
      fc.constant(arrived()),
      fc.constant(connected),
      fc.constantFrom<TailKey>('up', 'down', 'first', 'last', 'pause', 'details', 'back').map(key),
    );
    const property = fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
      const last = model(...actions);
      const rows = visibleRows(last);
      const index = markedIndex(last);
      return rows.length === 0 ? index === -1 : index >= 0 && index < rows.length;
    });
    expect(() => fc.assert(property)).not.toThrow();
  });
});

describe('a pause', () => {
  it('stops the view, not the reading', () => {
    const paused = model(...matches(2), key('pause'), arrived({ offset: 2 }));
    expect(visibleRows(paused)).toHaveLength(2);
    expect(paused.total).toBe(3);
    expect(visibleRows(reduce(paused, key('pause')))).toHaveLength(3);
  });
});

describe('the rate', () => {
  it('counts one minute and forgets what is older', () => {
    const busy = model(...matches(4), arrived({ offset: 4 }, 30_000));
    expect(perMinute(busy)).toBe(5);
    expect(perMinute(reduce(busy, { type: 'tick', now: 61_000 }))).toBe(1);
    expect(perMinute(reduce(busy, { type: 'tick', now: 3_600_000 }))).toBe(0);
  });
});

describe('what the stream tells', () => {
  it('about a wait becomes a moment to count down to', () => {
    const event = { type: 'waiting', delayMs: 3_000, reason: 'gone' } as const;
    const waiting = model({ type: 'stream', event, rules: [], known: 1, now: 500 });
    expect(waiting.connection).toEqual({ state: 'waiting', until: 3_500, reason: 'gone' });
    expect(reduce(waiting, connected).connection).toEqual({ state: 'live' });
  });

  it('about an error stays until the next match', () => {
    const event = { type: 'error', message: 'This tap has no rules.' } as const;
    const said = model({ type: 'stream', event, rules: [], known: 0, now: 0 });
    expect(said.notice).toBe('This tap has no rules.');
    expect(reduce(said, arrived()).notice).toBeUndefined();
  });

  it('about lost events is said', () => {
    const start = { at: { partition: 0, offset: 900 }, reason: 'clamped', gone: 120 };
    const gap = model({
      type: 'stream',
      event: { type: 'connected', start, openedAt: undefined },
      rules: [],
      known: 1,
      now: 0,
    });
    expect(gap.notice).toBe('the buffer begins at 0-900: 120 events are gone');
  });
});
