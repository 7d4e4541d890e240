import { Box, type Key, render, useInput, useWindowSize } from 'ink';
import { useSyncExternalStore, type ReactElement } from 'react';
import type { Lane, LaneEvent } from '../client/lane.ts';
import type { Context } from '../context.ts';
import { ScreenLines } from './ScreenLine.tsx';
import { type TailAct, TailActs } from './tail-acts.ts';
import type { TailDeeds } from './tail-deeds.ts';
import { initialModel, type TailKey } from './tail-model.ts';
import { TailStore } from './tail-store.ts';
import { view } from './tail-view.ts';

/**
 * The live screen of some taps. What it shows and how it behaves are two pure functions (tail-model.ts, tail-view.ts) that
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
  readonly deeds: TailDeeds | undefined;
}

/** Shows the streams until they end, or someone leaves. Answers with the number of matches. @throws what the streams do */
export async function showTail(options: TailScreenOptions): Promise<number> {
  const { context, lanes, events, label, open, colour, deeds } = options;
  const known = (): number => lanes.reduce((sum, { rules }) => sum + rules.size, 0);
  const taps = lanes.map(({ tap }) => tap);
  const facts = { taps, label, open, rules: known(), now: context.now(), deeds: deeds !== undefined };
  const store = new TailStore(initialModel(facts), context.now);
  const acts = new TailActs(store, lanes, deeds);
  const quit = (): void => {
    for (const { following } of lanes) following.close();
  };
  // The rate decays and the countdown counts without any event.
  const ticking = setInterval(() => store.dispatch({ type: 'tick', now: context.now() }), 1_000);
  const app = render(<TailScreen store={store} acts={acts} colour={colour} onQuit={quit} />, {
    stdin: context.io.stdin,
    stdout: context.io.stdout,
    stderr: context.io.stderr,
    exitOnCtrlC: false,
    patchConsole: false,
    alternateScreen: true,
    // Ink takes any `CI` variable, even an empty one, for "no terminal"; who calls us has looked.
    interactive: true,
    maxFps: 15,
  });
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
  readonly acts: TailActs;
  readonly colour: boolean;
  readonly onQuit: () => void;
}

export function TailScreen({ store, acts, colour, onQuit }: TailScreenProps): ReactElement {
  const model = useSyncExternalStore(store.subscribe, store.snapshot);
  const { columns, rows } = useWindowSize();
  useInput((input, key) => {
    if (key.ctrl && input === 'c') onQuit();
    else if (store.model.typing) type(store, input, key);
    else for (const word of keysOf(input, key)) press(store, acts, word, onQuit);
  });
  return (
    <Box flexDirection="column">
      <ScreenLines lines={view(model, columns, rows)} colour={colour} />
    </Box>
  );
}

type Word = TailKey | TailAct | 'quit' | 'yes' | 'no';

function press(store: TailStore, acts: TailActs, word: Word, onQuit: () => void): void {
  if (store.model.question !== undefined) {
    // A key that says neither is no answer; leaving the screen is a no.
    if (word === 'yes') acts.answer(true);
    else if (word === 'no' || word === 'back') acts.answer(false);
    else if (word === 'quit') onQuit();
    return;
  }
  if (word === 'quit') onQuit();
  else if (isAct(word)) acts.press(word);
  else if (word !== 'yes' && word !== 'no') store.dispatch({ type: 'key', key: word });
}

function isAct(word: Word): word is TailAct {
  return word === 'open' || word === 'save' || word === 'mute' || word === 'undo';
}

/** The filter as it is typed. */
function type(store: TailStore, input: string, key: Key): void {
  if (key.escape) store.dispatch({ type: 'key', key: 'back' });
  else if (key.return) store.dispatch({ type: 'key', key: 'filter' });
  else if (key.backspace || key.delete) store.dispatch({ type: 'key', key: 'erase' });
  else if (!key.ctrl && !key.meta && !key.tab) {
    const [text = '', ...rest] = input.split('\r');
    if (text !== '') store.dispatch({ type: 'typed', text });
    // Typed faster than it is read: the text and its end in one.
    if (rest.length > 0) store.dispatch({ type: 'key', key: 'filter' });
  }
}

const keys: Readonly<Record<string, Word>> = {
  k: 'up',
  j: 'down',
  g: 'first',
  G: 'last',
  ' ': 'pause',
  '\r': 'details',
  '\t': 'tap',
  '/': 'filter',
  o: 'open',
  s: 'save',
  x: 'mute',
  u: 'undo',
  y: 'yes',
  n: 'no',
  q: 'quit',
};

/** Keys typed faster than they are read arrive as one text. */
function keysOf(input: string, key: Key): readonly Word[] {
  if (key.upArrow) return ['up'];
  if (key.downArrow) return ['down'];
  if (key.home) return ['first'];
  if (key.end) return ['last'];
  if (key.return) return ['details'];
  if (key.tab) return ['tap'];
  if (key.escape) return ['back'];
  if (key.ctrl || key.meta) return [];
  return Array.from(input).flatMap((character) => keys[character] ?? []);
}
