import { fold } from './fold.ts';
import type { Scope } from './scope.ts';
import { LINE_BREAK, type Block } from './segments.ts';

/**
 * Collects text into blocks during the walk, and cells into rows. A row is a row when its cells are plain: old pages
 * lay themselves out with tables, and such a cell holds headings, lists and other tables, or a chapter of text.
 * What those hold stays as it is, one block after another.
 */
export class Blocks {
  readonly #done: Block[] = [];
  readonly #rows: Row[] = [];
  #current: Block | undefined;

  get done(): readonly Block[] {
    return this.#done;
  }

  text(value: string, scope: Scope): void {
    const current = this.#current;
    if (current && current.chrome === scope.chrome) current.text += value;
    else this.#begin(value, scope);
  }

  boundary(): void {
    const block = this.#current;
    this.#current = undefined;
    if (!block || !VISIBLE.test(block.text)) return;
    const row = this.#rows.at(-1);
    if (row && !row.isLayout) row.blocks.push({ ...block, cell: row.cell });
    else this.#done.push(block);
  }

  /** A row inside a row: the outer one lays out the page. Its blocks go on at once, never up level by level. */
  openRow(): void {
    const outer = this.#rows.at(-1);
    if (outer && !outer.isLayout) {
      outer.isLayout = true;
      this.#emit(outer);
    }
    this.#rows.push({ cell: 0, blocks: [], isLayout: false });
  }

  openCell(): void {
    const row = this.#rows.at(-1);
    if (row) row.cell += 1;
  }

  closeRow(): void {
    const row = this.#rows.pop();
    if (!row || row.isLayout) return;
    if (isPlain(row)) this.#done.push(joined(row));
    else this.#emit(row);
  }

  #emit({ blocks }: Row): void {
    for (const { text, kind, chrome, h1 } of blocks) this.#done.push({ text, kind, chrome, h1 });
  }

  #begin(text: string, { kind, chrome, h1 }: Scope): void {
    this.boundary();
    this.#current = { text, kind, chrome, h1 };
  }
}

const VISIBLE = /[^\s\p{Cc}]/u;

interface Row {
  cell: number;
  isLayout: boolean;
  readonly blocks: (Block & { readonly cell: number })[];
}

/** Characters beyond which cells are columns of a layout, not values of a table. */
const ROW_LENGTH = 2_000;

function isPlain({ blocks }: Row): boolean {
  const first = blocks[0];
  if (!first || blocks.length < 2) return false;
  const oneEach = blocks.every((block, index) => block.cell !== blocks[index - 1]?.cell);
  const same = blocks.every((block) => block.kind === 'sentence' && block.chrome === first.chrome);
  return oneEach && same && blocks.reduce((sum, block) => sum + block.text.length, 0) <= ROW_LENGTH;
}

/** Empty cells between two others count, so that a mark that moves to another column is seen. */
function joined({ blocks }: Row): Block {
  const firstCell = blocks[0]?.cell ?? 0;
  const cells: string[] = [];
  for (const { cell, text } of blocks) cells[cell - firstCell] = fold(text.replaceAll(LINE_BREAK, ' '));
  return {
    text: Array.from(cells, (cell) => cell ?? '').join(' | '),
    kind: 'row',
    chrome: blocks[0]?.chrome ?? false,
    h1: false,
  };
}
