import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shownHunks } from '../../../src/shared/documents/shown-change.ts';
import {
  initialWatches,
  markedPlace,
  markedWatch,
  reduceWatches,
  visibleWatches,
  type WatchesAction,
  type WatchesKey,
  type WatchesModel,
} from '../../../src/cli/screens/watches-model.ts';
import { watchesView } from '../../../src/cli/screens/watches-view.ts';
import stringWidth from 'string-width';
import { CHANGE } from '../../shared/documents/change-sample.ts';
import { textOf } from './sample.ts';
import { CHECKS, NOW, WATCHES, watchOf } from './watches-sample.ts';

const START = initialWatches({ label: 'local', watches: WATCHES, now: NOW });
const DETAIL = { id: watchOf('fresh').id, n: 12, hunks: shownHunks(CHANGE), checks: CHECKS };

function after(...actions: (WatchesAction | WatchesKey)[]): WatchesModel {
  return actions.reduce<WatchesModel>(
    (model, action) => reduceWatches(model, typeof action === 'string' ? { type: 'key', key: action } : action),
    START,
  );
}

const names = (model: WatchesModel): string[] => visibleWatches(model).map(({ id }) => id.split('-')[0] ?? '');
const marked = (model: WatchesModel): string | undefined => markedWatch(model)?.id.split('-')[0];

describe('the watches on the screen', () => {
  test('stand by their last change; those without one as the daemon has them', () => {
    expect(names(START)).toEqual(['fresh', 'old', 'never', 'broken']);
    expect(marked(START)).toBe('fresh');
  });

  test('the mark stays on its watch when another one changes', () => {
    const changed = WATCHES.map((watch) =>
      watch.url.includes('never') ? watchOf('never', { last_change: { n: 1, at: '2026-02-27T17:01:00Z' } }) : watch,
    );
    const model = after('down', { type: 'watches', watches: changed, now: NOW });
    expect(names(model)).toEqual(['never', 'fresh', 'old', 'broken']);
    expect(marked(model)).toBe('old');
  });

  test('a watch that is removed leaves the mark to the first', () => {
    const model = after('last', { type: 'watches', watches: WATCHES.slice(0, 2), now: NOW });
    expect(marked(model)).toBe('old');
  });

  test('f leaves those that fail, and esc takes it back', () => {
    expect(names(after('failing'))).toEqual(['broken']);
    expect(names(after('failing', 'back'))).toHaveLength(4);
  });

  test('a title stands instead of the address in the list and before it beside, and a filter finds it and tags', () => {
    const watches = [watchOf('fresh', { title: 'Prices of tea', tags: ['shop'] }), watchOf('old')];
    const titled = { type: 'watches', watches, now: NOW } as const;
    const [, , row = '', ...rest] = textOf(watchesView(after(titled), 80, 30));
    expect([row.includes('Prices of tea'), row.includes('fresh.example')]).toEqual([true, false]);
    const at = rest.findIndex((line) => line.includes('Prices of tea'));
    expect(rest[at + 1]).toContain('https://fresh.example/');
    for (const filter of ['TEA', 'shop']) {
      expect(names(after(titled, { type: 'filter', filter, typing: true }))).toEqual(['fresh']);
    }
  });

  test('a filter leaves those with the text in their URL, in any case', () => {
    expect(names(after({ type: 'filter', filter: 'OLD.', typing: true }))).toEqual(['old']);
  });

  test('a change that comes after the mark has moved on is not shown', () => {
    expect(after('down', { type: 'detail', detail: DETAIL }).detail).toBeUndefined();
    expect(after({ type: 'detail', detail: DETAIL }).detail).toEqual(DETAIL);
    expect(after({ type: 'detail', detail: DETAIL }, 'down').detail).toBeUndefined();
  });

  test('scrolls the open change, and no further than it goes', () => {
    const open = after({ type: 'detail', detail: DETAIL }, 'open');
    expect(reduceWatches(open, { type: 'key', key: 'down' })).toMatchObject({ scroll: 1, marked: DETAIL.id });
    expect(reduceWatches(open, { type: 'key', key: 'last' }).scroll).toBe(5);
    expect(reduceWatches(open, { type: 'key', key: 'up' }).scroll).toBe(0);
  });

  const key = fc.constantFrom<WatchesKey>(
    ...(['up', 'down', 'first', 'last', 'pageUp', 'pageDown', 'open', 'back', 'failing', 'help'] as const),
  );
  const action = fc.oneof<fc.Arbitrary<WatchesAction>[]>(
    key.map((pressed) => ({ type: 'key', key: pressed })),
    fc.subarray([...WATCHES]).map((watches) => ({ type: 'watches', watches, now: NOW })),
    fc.constantFrom('', 'e', 'zzz', '漢').map((filter) => ({ type: 'filter', filter, typing: filter === 'e' })),
    fc.constant<WatchesAction>({ type: 'detail', detail: DETAIL }),
    fc.constant<WatchesAction>({ type: 'trouble', text: 'away\u001b[2J', now: NOW }),
  );

  test('whatever happens, have a mark if there is one, and fit the terminal', () => {
    fc.assert(
      fc.property(
        fc.array(action, { maxLength: 12 }),
        fc.integer({ min: 20, max: 140 }),
        fc.integer({ min: 2, max: 50 }),
        (actions, columns, rows) => {
          const model = after(...actions);
          expect(markedPlace(model) >= 0).toBe(visibleWatches(model).length > 0);
          const lines = textOf(watchesView(model, columns, rows));
          expect(lines.length).toBeLessThanOrEqual(Math.max(4, rows - 1));
          for (const line of lines) {
            expect(stringWidth(line)).toBeLessThanOrEqual(columns);
            expect(line).not.toContain('\u001b');
          }
        },
      ),
    );
  });
});

describe('the screen', () => {
  const shown = (model: WatchesModel, columns: number, rows = 24): string[] =>
    textOf(watchesView(model, columns, rows)).map((line) => line.trimEnd());
  const detailed = after({ type: 'detail', detail: DETAIL });

  test('has the change beside the list where there is room', () => {
    const lines = shown(detailed, 120);
    expect(lines[0]).toBe(' hydrant watch · local · 4 watches · 1 unseen · 1 failing');
    expect(lines[2]).toMatch(/^▸●  fresh\.example\/ +3 h ago +│ https:\/\/fresh\.example\/$/);
    expect(lines[3]).toMatch(/^ +old\.example\/ +7 d 3 h ago +│ /);
    expect(lines[5]).toMatch(/^ +✕ broken\.example\/ +no change +│/);
    expect(lines.join('\n')).toContain('│ check 12, 3 h ago: changed: 2 lines added, 1 removed\n');
    expect(lines.join('\n')).toContain('│ ✕▪·\n');
    expect(lines.join('\n')).toContain('│ + Team: 25 euros a month\n');
  });

  test('has it below on a narrow terminal, and alone where it is open', () => {
    const below = shown(detailed, 80);
    expect(below.findIndex((line) => line === '- Team: 20 euros a month')).toBeGreaterThan(8);
    const open = shown(reduceWatches(detailed, { type: 'key', key: 'open' }), 80);
    expect(open[2]).toBe('https://fresh.example/');
    expect(open.join('\n')).not.toContain('old.example');
  });

  test('says why a watch fails, and for how long', () => {
    expect(shown(after('last'), 120).join('\n')).toContain('│ failing: no such host, for 1 d\n');
  });

  test('says what to do where nothing is watched', () => {
    const empty = initialWatches({ label: 'local', watches: [], now: NOW });
    expect(shown(empty, 100)[2]).toContain('hydrant watch add <url>');
  });

  test('explains its keys', () => {
    expect(shown(after('help'), 80).join('\n')).toContain('check the page now');
  });
});
