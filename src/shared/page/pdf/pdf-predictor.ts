import { Malformed } from '../read/malformed.ts';
import type { PdfSink } from './pdf-meter.ts';

/** What stands for the pixels of a row: see ISO 32000, 7.4.4.4. */
export interface PdfPredictor {
  readonly kind: number;
  readonly colors: number;
  readonly bits: number;
  readonly columns: number;
}

/**
 * Rows of pixels, each a difference to its neighbours; a row that is cut short has its full length all the same.
 * @param isInner another layer takes what comes out, which has to be right then and not only as long as it should be
 * @throws {Malformed} a sentence for the operator
 */
export function predicted(
  input: Uint8Array,
  { kind, colors, bits, columns }: PdfPredictor,
  isInner: boolean,
  sink: PdfSink,
): Uint8Array {
  if (kind <= 1) return input;
  const isTiff = kind === 2;
  if (isTiff && bits !== 8 && isInner) throw new Malformed('The PDF packs something else as the pixels of an image.');
  const row = Math.floor((columns * colors * bits + 7) / 8);
  const rows = row > 0 ? Math.ceil(input.length / (isTiff ? row : row + 1)) : 0;
  sink.clear();
  sink.fill(0, rows * row);
  const output = sink.content;
  const pixel = Math.floor((colors * bits + 7) / 8);
  if (isTiff) addLeft(input, output, row, pixel);
  else for (let line = 0; line < rows; line += 1) addNeighbours(input, output, line, { row, pixel });
  return output;
}

function addLeft(input: Uint8Array, output: Uint8Array, row: number, pixel: number): void {
  for (let at = 0; at < Math.min(input.length, output.length); at += 1) {
    const left = at % row < pixel ? 0 : (output[at - pixel] ?? 0);
    output[at] = (input[at] ?? 0) + left;
  }
}

/** The row begins with the way in which it was made. */
function addNeighbours(
  input: Uint8Array,
  output: Uint8Array,
  line: number,
  { row, pixel }: { readonly row: number; readonly pixel: number },
): void {
  const from = line * (row + 1) + 1;
  const filter = input[from - 1] ?? 0;
  const before = (at: number, isThere: boolean): number => (isThere ? (output[at] ?? 0) : 0);
  for (let column = 0; column < Math.min(row, input.length - from); column += 1) {
    const at = line * row + column;
    const left = before(at - pixel, column >= pixel);
    const above = before(at - row, line > 0);
    const corner = before(at - row - pixel, line > 0 && column >= pixel);
    output[at] = (input[from + column] ?? 0) + guess(filter, left, above, corner);
  }
}

function guess(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  return filter === 4 ? paeth(left, above, corner) : 0;
}

function paeth(left: number, above: number, corner: number): number {
  const [toLeft, toAbove] = [Math.abs(above - corner), Math.abs(left - corner)];
  const toCorner = Math.abs(left + above - 2 * corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
