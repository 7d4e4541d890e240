import type { Block, DiffHunk, LinkChange, PlacedHunk } from '../change.ts';
import type { Edit } from './edits.ts';
import { linkLines } from './link-lines.ts';

/** Lines of context on each side. */
const CONTEXT = 3;

/** What moved, or does not count, is context where it now stands. */
export function placedHunksOf(edits: readonly Edit[], after: readonly string[]): PlacedHunk[] {
  const hunks: PlacedHunk[] = [];
  let open: Blocks | undefined;
  let shownTo = 0;
  let longer = 0;
  const close = (blocks: Blocks): void => {
    hunks.push(blocks.closed(after, shownTo, longer));
    longer += blocks.longer;
  };
  for (const edit of edits.filter(counts)) {
    if (open && edit.after.from - shownTo > 2 * CONTEXT) {
      close(open);
      open = undefined;
    }
    const from = open ? shownTo : Math.max(shownTo, edit.after.from - CONTEXT);
    open ??= new Blocks(from);
    open.add('ctx', after.slice(from, edit.after.from));
    open.addEdit(edit, after);
    shownTo = edit.after.to;
  }
  if (open) close(open);
  return hunks;
}

/** Behind the last line of either text, none of which it has. */
export function linkHunk(links: readonly LinkChange[], before: number, after: number): PlacedHunk {
  return { before: before + 1, after: after + 1, blocks: [], links };
}

/** Hunks without their places; links are lines there. */
export function bare(hunks: readonly PlacedHunk[]): DiffHunk[] {
  return hunks.map(shownBlocks);
}

export function shownBlocks({ blocks, links }: PlacedHunk): DiffHunk {
  if (!links) return blocks;
  return [...blocks, { del: linkLines(links, 'before') }, { ins: linkLines(links, 'after') }];
}

function counts({ deleted, inserted }: Edit): boolean {
  return deleted.some(isText) || inserted.some(isText);
}

function isText(text: string | undefined): text is string {
  return text !== undefined;
}

/** Blocks in the making: lines of one kind that follow each other are one. */
class Blocks {
  readonly #all: { readonly kind: Kind; readonly lines: string[] }[] = [];
  readonly #from: number;
  /** Lines that the new text has here more than the old one. */
  longer = 0;

  /** `from`: the line of the new text, from 0. */
  constructor(from: number) {
    this.#from = from;
  }

  add(kind: Kind, lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.longer += LONGER[kind] * lines.length;
    const last = this.#all.at(-1);
    if (last?.kind === kind) for (const line of lines) last.lines.push(line);
    else this.#all.push({ kind, lines: [...lines] });
  }

  addEdit({ deleted, inserted, after: { from } }: Edit, after: readonly string[]): void {
    this.add('del', deleted.filter(isText));
    for (const [index, text] of inserted.entries()) {
      this.add(text === undefined ? 'ctx' : 'ins', [text ?? after[from + index] ?? '']);
    }
  }

  /** With the context that follows at `end`; `longer` tells of the hunks before. */
  closed(after: readonly string[], end: number, longer: number): PlacedHunk {
    this.add('ctx', after.slice(end, end + CONTEXT));
    const blocks = this.#all.map(({ kind, lines }) => BLOCKS[kind](lines));
    return { before: this.#from - longer + 1, after: this.#from + 1, blocks };
  }
}

type Kind = 'ctx' | 'del' | 'ins';
const LONGER: Readonly<Record<Kind, number>> = { ctx: 0, del: -1, ins: 1 };

const BLOCKS: Readonly<Record<Kind, (lines: readonly string[]) => Block>> = {
  ctx: (ctx) => ({ ctx }),
  del: (del) => ({ del }),
  ins: (ins) => ({ ins }),
};
