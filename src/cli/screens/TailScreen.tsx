import { type Key, useInput, useWindowSize } from 'ink';
import { type ReactElement, useSyncExternalStore } from 'react';
import type { Lane, LaneEvent } from '../client/lane.ts';
import type { Context } from '../runtime/context.ts';
import { ScreenLines, shown } from './screen.tsx';
import { ActionKeys, type TailAction, type TailActions } from './tail-actions.ts';
import { initialModel } from './tail-model.ts';
import { type TailKey, TailStore } from './tail-store.ts';
import { view } from './tail-view.ts';

/**
 * The live screen of some taps. What it shows and how it behaves are two pure functions (tail-reducer.ts, tail-view.ts) that
 * need no terminal; Ink lays the lines out, reads the keys, and gives the terminal back however we end. Only the lines
 * that are seen exist as components: Ink lays out everything it is given, on every change.
 */
export interface TailScreenOptions {
  readonly context: Pick<Context, 'io' | 'now'>;
  readonly lanes: readonly Lane[];
  /** What they tell, all together. */
  readonly events: AsyncIterable<LaneEvent>;
  /** The daemon. */
  readonly label: string;
  /** The details of the newest match from the start. */
  readonly open: boolean;
  readonly colour: boolean;
  /** What keys do outside of the screen; undefined: nothing. */
  readonly actions: TailActions | undefined;
}

/** Shows the streams until they end, or someone leaves. Answers with the number of matches. @throws what the streams do */
export async function showTail(options: TailScreenOptions): Promise<number> {
  const { context, lanes, events, label, open, colour, actions } = options;
  const known = (): number => lanes.reduce((sum, { rules }) => sum + rules.size, 0);
  const taps = lanes.map(({ tap }) => tap);
  const facts = { taps, label, open, rules: known(), now: context.now(), canAct: actions !== undefined };
  const store = new TailStore(initialModel(facts), context.now);
  const keys = new ActionKeys(store, lanes, actions);
  const quit = (): void => {
    for (const { following } of lanes) following.close();
  };
  // The rate decays and the countdown counts without any event.
  const ticking = setInterval(() => store.dispatch({ type: 'tick', now: context.now() }), 1_000);
  const app = shown(context.io, <TailScreen store={store} keys={keys} colour={colour} onQuit={quit} />);
  try {
    for await (const { lane, event } of events) {
      const rules = event.type === 'update' ? await lane.rules.find(event.match.query_ids) : [];
      store.dispatch({ type: 'stream', tap: lane.tap, event, rules, known: known(), now: context.now() });
    }
  } finally {
    clearInterval(ticking);
    app.unmount();
    await app.waitUntilExit();
    store.close();
  }
  return store.model.total;
}

export interface TailScreenProps {
  readonly store: TailStore;
  readonly keys: ActionKeys;
  readonly colour: boolean;
  readonly onQuit: () => void;
}

export function TailScreen({ store, keys, colour, onQuit }: TailScreenProps): ReactElement {
  const model = useSyncExternalStore(store.subscribe, store.snapshot);
  const { columns, rows } = useWindowSize();
  useInput((input, key) => {
    if (key.ctrl && input === 'c') return onQuit();
    const special = keyOf(key);
    if (special) return store.model.typing ? edit(store, special) : press(store, keys, special, onQuit);
    if (key.ctrl || key.meta) return undefined;
    // Keys typed faster than they are read arrive as one text, in which each may change what the next one means.
    for (const character of input) {
      const word = KEYS[character];
      if (store.model.typing) type(store, character);
      else if (word) press(store, keys, word, onQuit);
    }
    return undefined;
  });
  return <ScreenLines lines={view(model, columns, rows)} colour={colour} />;
}

type Word = TailKey | TailAction | 'quit' | 'yes' | 'no';

function press(store: TailStore, keys: ActionKeys, word: Word, onQuit: () => void): void {
  if (store.model.question !== undefined) {
    // A key that says neither is no answer; leaving the screen is a no.
    if (word === 'yes') keys.answer(true);
    else if (word === 'no' || word === 'back') keys.answer(false);
    else if (word === 'quit') onQuit();
    return;
  }
  if (word === 'quit') onQuit();
  else if (isAction(word)) keys.press(word);
  else if (word !== 'yes' && word !== 'no' && word !== 'erase') store.dispatch({ type: 'key', key: word });
}

function isAction(word: Word): word is TailAction {
  return word === 'open' || word === 'save' || word === 'mute' || word === 'undo';
}

/** The filter as it is typed. */
function type(store: TailStore, character: string): void {
  if (character === '\r') store.dispatch({ type: 'key', key: 'filter' });
  else store.dispatch({ type: 'typed', text: character });
}

/** What keys without a character do to the filter that is typed. */
function edit(store: TailStore, word: TailKey): void {
  if (word === 'back' || word === 'erase') store.dispatch({ type: 'key', key: word });
  else if (word === 'details') store.dispatch({ type: 'key', key: 'filter' });
}

const KEYS: Readonly<Record<string, Word>> = {
  k: 'up',
  j: 'down',
  g: 'first',
  G: 'last',
  ' ': 'pause',
  '\r': 'details',
  '\t': 'tap',
  '/': 'filter',
  '?': 'help',
  o: 'open',
  s: 'save',
  x: 'mute',
  u: 'undo',
  y: 'yes',
  n: 'no',
  q: 'quit',
};

/** Of a key without a character. */
function keyOf(key: Key): TailKey | undefined {
  const pressed: readonly (readonly [boolean, TailKey])[] = [
    [key.upArrow, 'up'],
    [key.downArrow, 'down'],
    [key.home, 'first'],
    [key.end, 'last'],
    [key.return, 'details'],
    [key.tab, 'tap'],
    [key.escape, 'back'],
    [key.backspace || key.delete, 'erase'],
  ];
  return pressed.find(([isPressed]) => isPressed)?.[1];
}
