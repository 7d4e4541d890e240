import { Text } from 'ink';
import type { ReactElement } from 'react';
import type { Line, Span } from './styled-line.ts';

/** The lines of a screen, one below the other. */
export function ScreenLines({
  lines,
  colour,
}: {
  readonly lines: readonly Line[];
  readonly colour: boolean;
}): ReactElement {
  return (
    <>
      {placed(lines).map(({ place, item }) => (
        <ScreenLine key={place} line={item} colour={colour} />
      ))}
    </>
  );
}

function ScreenLine({ line, colour }: { readonly line: Line; readonly colour: boolean }): ReactElement {
  if (line.length === 0) return <Text> </Text>;
  return (
    <Text wrap="truncate">
      {placed(line).map(({ place, item }) => (
        <Text key={place} {...(colour && styleOf(item))}>
          {item.text}
        </Text>
      ))}
    </Text>
  );
}

/** A line, and a span in it, is its place on the screen. */
function placed<Item>(items: readonly Item[]): { place: string; item: Item }[] {
  return items.map((item, index) => ({ place: String(index), item }));
}

function styleOf({ style }: Span): { bold?: true; dimColor?: true; underline?: true; color?: string } {
  if (style === undefined) return {};
  if (style === 'hit') return { bold: true, underline: true, color: 'yellow' };
  if (style === 'bold') return { bold: true };
  return style === 'dim' ? { dimColor: true } : { color: style };
}
