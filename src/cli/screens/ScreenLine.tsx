import { Box, Text } from 'ink';
import { memo, type ReactElement } from 'react';
import { type Line, written } from './styled-line.ts';

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
