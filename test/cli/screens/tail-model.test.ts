import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  connectionOf,
  initialModel,
  markedIndex,
  perMinute,
  RING,
  type TailModel,
  visibleRows,
} from '../../../src/cli/screens/tail-model.ts';
import { reduce, type TailAction, type TailKey } from '../../../src/cli/screens/tail-store.ts';
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
      fc.constantFrom<TailKey>('up', 'down', 'first', 'last', 'pause', 'details', 'back', 'help').map(key),
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
    const waiting = model({ type: 'stream', tap: 'news', event, rules: [], known: 1, now: 500 });
    expect(connectionOf(waiting)).toEqual({ state: 'waiting', until: 3_500, reason: 'gone' });
    expect(connectionOf(reduce(waiting, connected))).toEqual({ state: 'live' });
  });

  it('about an error stays until the next match', () => {
    const event = { type: 'error', message: 'This tap has no rules.' } as const;
    const said = model({ type: 'stream', tap: 'news', event, rules: [], known: 0, now: 0 });
    expect(said.notice).toBe('This tap has no rules.');
    expect(reduce(said, arrived()).notice).toBeUndefined();
  });

  it('about lost events is said', () => {
    const start = { at: { partition: 0, offset: 900 }, reason: 'clamped', head: undefined, gone: 120 };
    const gap = model({
      type: 'stream',
      tap: 'news',
      event: { type: 'connected', start, openedAt: undefined },
      rules: [],
      known: 1,
      now: 0,
    });
    expect(gap.notice).toBe('the log now begins at 0-900: 120 events are no longer kept');
  });
});

describe('several taps', () => {
  const first = initialModel({ taps: ['news', 'jobs'], label: 'local', rules: 2, open: false, now: 0, canAct: false });
  const both = [arrived({ offset: 0 }, 0, 'news'), arrived({ offset: 0 }, 0, 'jobs')].reduce(reduce, first);
  const shown = (model: TailModel) => visibleRows(model).map((row) => row.tap);

  it('are shown together, then one after the other', () => {
    const news = reduce(both, key('tap'));
    const jobs = reduce(news, key('tap'));
    expect([both, news, jobs, reduce(jobs, key('tap'))].map(shown)).toEqual([
      ['news', 'jobs'],
      ['news'],
      ['jobs'],
      ['news', 'jobs'],
    ]);
  });

  it('are live when all of them are', () => {
    const event = { type: 'connected', start: undefined, openedAt: undefined } as const;
    const opened = { type: 'stream', tap: 'news', event, rules: [], known: 2, now: 0 } as const;
    const one = reduce(first, opened);
    expect(connectionOf(one)).toEqual({ state: 'connecting' });
    expect(connectionOf(reduce(one, { ...opened, tap: 'jobs' }))).toEqual({ state: 'live' });
  });
});

describe('the filter', () => {
  const typed = (text: string): TailAction[] => [key('filter'), { type: 'typed', text }, key('filter')];
  const rows = [
    arrived({ offset: 0, title: 'Ferry' }),
    arrived({ offset: 1, url: 'https://ferry.example/' }),
    arrived({ offset: 2, chunks: [{ typ: 'del', text: 'The old FERRY' }] }),
    arrived({ offset: 3, title: 'Tram' }),
  ];

  it('keeps what has the text anywhere in it, in either case', () => {
    const filtered = model(...rows, ...typed('Ferry'));
    expect(visibleRows(filtered).map((row) => row.update.id)).toEqual(['0-0', '0-1', '0-2']);
  });

  it('is erased by letters, and cleared at once', () => {
    const open = model(...rows, key('filter'), { type: 'typed', text: 'fe' }, key('erase'));
    expect([open.filter, open.typing]).toEqual(['f', true]);
    const cleared = reduce(open, key('back'));
    expect([cleared.filter, cleared.typing, visibleRows(cleared).length]).toEqual(['', false, 4]);
  });
});

it('what the log had before the stream opened is neither lag nor rate', () => {
  const id = (offset: number) => ({ partition: 0, offset });
  const start = { at: id(0), reason: 'since', head: id(3), gone: undefined };
  const replaying: TailAction = {
    type: 'stream',
    tap: 'news',
    rules: [],
    known: 1,
    now: 0,
    event: { type: 'connected', start, openedAt: undefined },
  };
  const replayed = model(replaying, ...matches(3));
  expect([replayed.total, replayed.lagMs, perMinute(replayed)]).toEqual([3, undefined, 0]);
  const live = reduce(replayed, arrived({ offset: 3 }));
  expect([live.total, typeof live.lagMs, perMinute(live)]).toEqual([4, 'number', 1]);
});

it('the lag is the age of the newest match when it came', () => {
  const now = new Date(2026, 1, 13, 14, 2, 13).getTime();
  expect(model(arrived({}, now)).lagMs).toBe(2_000);
});

it('matches that come together are the same as one after the other', () => {
  const times = fc
    .array(fc.nat(20_000), { maxLength: 30 })
    .map((steps) => steps.map((step, index) => index + step * 4));
  fc.assert(
    fc.property(times, (nows) => {
      const actions = nows.toSorted((a, b) => a - b).map((now, offset) => arrived({ offset }, now));
      const arrivals = actions.flatMap((action) =>
        action.type === 'stream' && action.event.type === 'update' ? [{ ...action, event: action.event }] : [],
      );
      const together = model({ type: 'matches', arrivals });
      expect(together).toEqual(model(...actions));
    }),
  );
});
