import { Box, type Instance, render, Text } from 'ink';
import { memo, type ReactElement } from 'react';
import { type Line, written } from './styled-line.ts';
import type { Context } from '../runtime/context.ts';

/** The lines of a screen, one below the other. */
export function ScreenLines({
  lines,
  colour,
}: {
  readonly lines: readonly Line[];
  readonly colour: boolean;
}): ReactElement {
  // A line is its place on the screen.
  const placed = lines.map((item, index) => ({ place: String(index), text: written(item, colour) }));
  return (
    <Box flexDirection="column">
      {placed.map(({ place, text }) => (
        <ScreenLine key={place} text={text} />
      ))}
    </Box>
  );
}

/** One text with its styles in it: a component for each span would cost more than all else of a frame. */
const ScreenLine = memo(({ text }: { readonly text: string }): ReactElement => (
  <Text wrap="truncate">{text === '' ? ' ' : text}</Text>
));

/** Puts the cursor into the upper left corner (CUP). */
const HOME = '\u001b[H';

/** Shows a screen on all of the terminal; who unmounts it, or ends the process, gives the terminal back as it was. */
export function shown({ stdin, stdout, stderr }: Context['io'], screen: ReactElement): Instance {
  const app = render(null, {
    stdin,
    stdout,
    stderr,
    exitOnCtrlC: false,
    patchConsole: false,
    alternateScreen: true,
    // Ink takes any `CI` variable, even an empty one, for "no terminal"; who calls us has looked.
    interactive: true,
    // Only what has changed of a frame is written: a slow line, or a slow terminal, has less to read.
    incrementalRendering: true,
  });
  // The alternate screen begins with the cursor where the prompt was, mostly at the bottom, and Ink draws from there.
  stdout.write(HOME);
  app.rerender(screen);
  return app;
}

/**
 * The same until someone leaves, or the window closes; `work` is what goes on meanwhile, and ends when it is told so.
 * @throws what `work` does, after the terminal is given back
 */
export async function shownUntilLeft(
  { io, closed }: Pick<Context, 'io' | 'closed'>,
  screen: (quit: () => void) => ReactElement,
  work: (left: AbortSignal) => Promise<void>,
): Promise<void> {
  const leaving = new AbortController();
  const quit = (): void => leaving.abort();
  closed?.addEventListener('abort', quit, { once: true });
  const app = shown(io, screen(quit));
  try {
    await work(leaving.signal);
  } finally {
    closed?.removeEventListener('abort', quit);
    app.unmount();
    await app.waitUntilExit();
  }
}
