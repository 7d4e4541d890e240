import { Box, type Key, render, useInput, useWindowSize } from 'ink';
import { useSyncExternalStore, type ReactElement } from 'react';
import type { Following } from '../client/follow.ts';
import type { RuleBook } from '../client/rule-book.ts';
import type { Context } from '../context.ts';
import { ScreenLines } from './ScreenLine.tsx';
import { initialModel, type TailKey } from './tail-model.ts';
import { TailStore } from './tail-store.ts';
import { view } from './tail-view.ts';

/**
 * The live screen of a tap. What it shows and how it behaves are two pure functions (tail-model.ts, tail-view.ts) that
 * need no terminal; Ink lays the lines out, reads the keys, and gives the terminal back however we end. Only the lines
 * that are seen exist as components: Ink lays out everything it is given, on every change.
 */
export interface TailScreenOptions {
  readonly context: Pick<Context, 'io' | 'now'>;
  readonly following: Following;
  readonly rules: RuleBook;
  readonly tap: string;
  /** The daemon. */
  readonly label: string;
  /** The details of the newest match from the start. */
  readonly open: boolean;
  readonly colour: boolean;
}

/** Shows the stream until it ends, or someone leaves. Answers with the number of matches. @throws what the stream does */
export async function showTail(options: TailScreenOptions): Promise<number> {
  const { context, following, rules, tap, label, open, colour } = options;
  const store = new TailStore(initialModel({ tap, label, open, rules: rules.size, now: context.now() }), context.now);
  // The rate decays and the countdown counts without any event.
  const ticking = setInterval(() => store.dispatch({ type: 'tick', now: context.now() }), 1_000);
  const app = render(<TailScreen store={store} colour={colour} onQuit={() => following.close()} />, {
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
    for await (const event of following) {
      const found = event.type === 'update' ? await rules.find(event.match.query_ids) : [];
      store.dispatch({ type: 'stream', event, rules: found, known: rules.size, now: context.now() });
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
  readonly colour: boolean;
  readonly onQuit: () => void;
}

export function TailScreen({ store, colour, onQuit }: TailScreenProps): ReactElement {
  const model = useSyncExternalStore(store.subscribe, store.snapshot);
  const { columns, rows } = useWindowSize();
  useInput((input, key) => {
    if (key.ctrl && input === 'c') return onQuit();
    for (const pressed of keysOf(input, key)) {
      if (pressed === 'quit') onQuit();
      else store.dispatch({ type: 'key', key: pressed });
    }
    return undefined;
  });
  return (
    <Box flexDirection="column">
      <ScreenLines lines={view(model, columns, rows)} colour={colour} />
    </Box>
  );
}

const keys: Readonly<Record<string, TailKey | 'quit'>> = {
  k: 'up',
  j: 'down',
  g: 'first',
  G: 'last',
  ' ': 'pause',
  '\r': 'details',
  q: 'quit',
};

/** Keys typed faster than they are read arrive as one text. */
function keysOf(input: string, key: Key): readonly (TailKey | 'quit')[] {
  if (key.upArrow) return ['up'];
  if (key.downArrow) return ['down'];
  if (key.home) return ['first'];
  if (key.end) return ['last'];
  if (key.return) return ['details'];
  if (key.escape) return ['back'];
  if (key.ctrl || key.meta) return [];
  return Array.from(input).flatMap((character) => keys[character] ?? []);
}
