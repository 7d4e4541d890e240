import { setTimeout as pause } from 'node:timers/promises';
import { type Key, useInput, useWindowSize } from 'ink';
import { type ReactElement, useSyncExternalStore } from 'react';
import type { Context } from '../runtime/context.ts';
import { ScreenLines, shownUntilLeft } from './screen.tsx';
import type { WatchesController, WatchesOrder } from './watches-controller.ts';
import type { WatchesKey } from './watches-model.ts';
import { watchesView } from './watches-view.ts';

/** The watches and what has changed on them, until someone leaves. */
export interface WatchesScreenOptions {
  readonly context: Pick<Context, 'io' | 'now' | 'closed'>;
  readonly controller: WatchesController;
  readonly colour: boolean;
}

const LOOK_EVERY_MS = 2_000;
/** Of ten thousand watches a look is long: it may take this share of the time. */
const SHARE = 20;

export async function showWatches({ context, controller, colour }: WatchesScreenOptions): Promise<void> {
  await shownUntilLeft(
    context,
    (quit) => <WatchesScreen controller={controller} colour={colour} onQuit={quit} />,
    async (left) => {
      await controller.load();
      while (!left.aborted) {
        const began = context.now();
        await controller.refresh();
        const rest = Math.max(LOOK_EVERY_MS, SHARE * (context.now() - began));
        await pause(rest, undefined, { signal: left }).catch(() => undefined);
      }
    },
  );
}

export interface WatchesScreenProps {
  readonly controller: WatchesController;
  readonly colour: boolean;
  readonly onQuit: () => void;
}

export function WatchesScreen({ controller, colour, onQuit }: WatchesScreenProps): ReactElement {
  const model = useSyncExternalStore(controller.subscribe, controller.snapshot);
  const { columns, rows } = useWindowSize();
  useInput((input, key) => {
    if (key.ctrl && input === 'c') return onQuit();
    // As it is now: keys typed in one go change it one after another.
    if (controller.snapshot().typing) return typed(controller, input, key);
    const special = keyOf(key);
    if (special) return controller.press(special);
    if (key.ctrl || key.meta) return undefined;
    for (const character of input) {
      if (controller.snapshot().typing) typed(controller, character, key);
      else hear(controller, character, onQuit);
    }
    return undefined;
  });
  return <ScreenLines lines={watchesView(model, columns, rows)} colour={colour} />;
}

const keys: Readonly<Record<string, WatchesKey>> = {
  k: 'up',
  j: 'down',
  g: 'first',
  G: 'last',
  ' ': 'pageDown',
  f: 'failing',
  '?': 'help',
  '\r': 'open',
};
const orders: Readonly<Record<string, WatchesOrder>> = { c: 'check', p: 'pause', o: 'browse', s: 'see' };

function hear(controller: WatchesController, character: string, onQuit: () => void): void {
  const [key, order] = [keys[character], orders[character]];
  if (character === 'q') onQuit();
  else if (character === '/') controller.filter(controller.snapshot().filter, true);
  else if (key) controller.press(key);
  else if (order) void controller.order(order);
}

function keyOf(key: Key): WatchesKey | undefined {
  const pressed: readonly (readonly [boolean, WatchesKey])[] = [
    [key.upArrow, 'up'],
    [key.downArrow, 'down'],
    [key.home, 'first'],
    [key.end, 'last'],
    [key.pageUp, 'pageUp'],
    [key.pageDown, 'pageDown'],
    [key.return, 'open'],
    [key.escape, 'back'],
  ];
  return pressed.find(([isPressed]) => isPressed)?.[1];
}

/** UTF-16 units of what is looked for. */
const FILTER = 200;

function typed(controller: WatchesController, input: string, key: Key): void {
  const { filter } = controller.snapshot();
  if (key.escape) controller.filter('', false);
  else if (key.return) controller.filter(filter, false);
  else if (key.backspace || key.delete) controller.filter(Array.from(filter).slice(0, -1).join(''), true);
  else if (!key.ctrl && !key.meta) controller.filter((filter + input).slice(0, FILTER), true);
}
