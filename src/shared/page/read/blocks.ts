import { fold } from './fold.ts';
import type { SegmentKind, Zone } from '../page.ts';
import type { Region } from '../structure/regions.ts';
import type { Scope } from '../structure/scope.ts';
import { LINE_BREAK } from './segments.ts';

/** Text between two block boundaries. */
export interface Block {
  /** As it stands in the tree while the block is open, then folded, with the line breaks left in it. */
  text: string;
  readonly kind: SegmentKind;
  readonly chrome: boolean;
  readonly h1: boolean;
  readonly region: Region;
  /** How much text it is, and how much of it is links: characters, those that are words weighed as such. */
  size: number;
  linked: number;
  /** Said by `zones.ts` once the page is known. */
  zone: Zone;
  /** The row that this cell went into. */
  row?: Block;
}

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

  /** The block that the text went into. */
  text(value: string, scope: Scope): Block {
    let block = this.#current;
    if (block?.chrome !== scope.chrome) block = this.#begin(scope);
    block.text += value;
    if (scope.linked) block.linked += value.trim().length;
    return block;
  }

  boundary(): void {
    const block = this.#current;
    this.#current = undefined;
    if (!block || !finish(block)) return;
    const row = this.#rows.at(-1);
    if (row && !row.isLayout) row.cells.push({ block, column: row.column });
    else this.#done.push(block);
  }

  /** A row inside a row: the outer one lays out the page. Its blocks go on at once, never up level by level. */
  openRow(region: Region): void {
    const outer = this.#rows.at(-1);
    if (outer && !outer.isLayout) {
      outer.isLayout = true;
      this.#emit(outer);
    }
    this.#rows.push({ region, column: 0, cells: [], isLayout: false });
  }

  openCell(): void {
    const row = this.#rows.at(-1);
    if (!row) return;
    row.column += 1;
    row.picture = undefined;
  }

  get isInCell(): boolean {
    return this.#rows.length > 0;
  }

  /** What a picture shows is the text of a cell that has none: a table of ticks. */
  picture(label: string, scope: Scope): void {
    const row = this.#rows.at(-1);
    if (row && label !== '' && label.length <= PICTURE_LENGTH) row.picture ??= { label, scope };
  }

  closeCell(): void {
    const row = this.#rows.at(-1);
    if (!row?.picture || row.isLayout || row.cells.some(({ column }) => column === row.column)) return;
    this.text(row.picture.label, row.picture.scope);
    this.boundary();
  }

  /** Puts a space between the text of the open block and what comes, where both are words. */
  part(next: string): void {
    if (this.#current && WORD_ENDS.test(this.#current.text) && WORD_BEGINS.test(next)) this.#current.text += ' ';
  }

  closeRow(): void {
    const row = this.#rows.pop();
    if (!row || row.isLayout) return;
    if (isPlain(row)) this.#done.push(joined(row));
    else this.#emit(row);
  }

  #emit({ cells }: Row): void {
    for (const { block } of cells) this.#done.push(block);
  }

  #begin({ kind, chrome, h1, region }: Scope): Block {
    this.boundary();
    this.#current = { text: '', kind, chrome, h1, region, size: 0, linked: 0, zone: 'body' };
    return this.#current;
  }
}

/** Folds the text of a block that ends; false where nothing of it can be seen. */
function finish(block: Block): boolean {
  // Two of three are the white space between tags.
  if (!VISIBLE.test(block.text)) return false;
  block.text = block.text.includes(LINE_BREAK)
    ? block.text.split(LINE_BREAK).map(fold).filter(Boolean).join(LINE_BREAK)
    : fold(block.text);
  const weight = WORDY.test(block.text) ? WORD_LENGTH : 1;
  block.size = block.text.length * weight;
  block.linked = Math.min(block.linked * weight, block.size);
  return block.text !== '';
}

const VISIBLE = /\S/;
/** Scripts whose characters are syllables or words. */
const WORDY = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const WORD_LENGTH = 2.5;

const PICTURE_LENGTH = 100;
const WORD_ENDS = /(?:[\p{L}\p{N}]{2}|\p{N}\s?\p{Sc}|~)$/u;
const WORD_BEGINS = /^(?:[\p{L}\p{N}]{2}|\p{Sc}\p{N}|~)/u;

interface Row {
  readonly region: Region;
  column: number;
  picture?: { readonly label: string; readonly scope: Scope } | undefined;
  isLayout: boolean;
  readonly cells: { readonly block: Block; readonly column: number }[];
}

/** Characters beyond which cells are columns of a layout, not values of a table. */
const ROW_LENGTH = 2_000;

function isPlain({ cells }: Row): boolean {
  const first = cells[0];
  if (!first || cells.length < 2) return false;
  const oneEach = cells.every(({ column }, index) => column !== cells[index - 1]?.column);
  const same = cells.every(({ block }) => block.kind === 'sentence' && block.chrome === first.block.chrome);
  return oneEach && same && cells.reduce((sum, { block }) => sum + block.text.length, 0) <= ROW_LENGTH;
}

/** Empty cells between two others count, so that a mark that moves to another column is seen. */
function joined({ cells, region }: Row): Block {
  const first = cells[0]?.column ?? 0;
  const texts: string[] = [];
  const row: Block = {
    text: '',
    kind: 'row',
    chrome: cells[0]?.block.chrome ?? false,
    h1: false,
    region,
    size: 0,
    linked: 0,
    zone: 'body',
  };
  for (const { block, column } of cells) {
    texts[column - first] = block.text.replaceAll(LINE_BREAK, ' ');
    row.size += block.size;
    row.linked += block.linked;
    block.row = row;
  }
  // The row stands in its table, and maybe in a head or body of it.
  let outer: Region | undefined = region;
  while (outer && !outer.rows && TABLES.has(outer.tag)) {
    outer.rows = true;
    outer = outer.parent;
  }
  row.text = Array.from(texts, (text) => text ?? '').join(' | ');
  return row;
}

const TABLES: ReadonlySet<string> = new Set(['tr', 'tbody', 'thead', 'tfoot', 'table']);
