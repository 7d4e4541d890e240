import type { Edit } from './edits.ts';

/**
 * A part of a page around what changed in it, as people read a diff: blocks of lines that stayed (`ctx`), went (`del`)
 * or came (`ins`), in the order of the page (spec, Crawl entry). A line is a segment.
 */
export type DiffHunk = readonly Block[];

export type Block =
  | { readonly ctx: readonly string[] }
  | { readonly del: readonly string[] }
  | { readonly ins: readonly string[] };

/** Lines of context on each side (decisions, URL watch). */
const CONTEXT = 3;

/** What moved, or does not count, is context where it now stands. */
export function hunksOf(edits: readonly Edit[], after: readonly string[]): DiffHunk[] {
  const hunks: DiffHunk[] = [];
  let open: Blocks | undefined;
  let shownTo = 0;
  for (const edit of edits.filter(counts)) {
    if (open && edit.after.from - shownTo > 2 * CONTEXT) {
      hunks.push(open.closed(after, shownTo));
      open = undefined;
    }
    const from = open ? shownTo : Math.max(shownTo, edit.after.from - CONTEXT);
    open ??= new Blocks();
    open.add('ctx', after.slice(from, edit.after.from));
    open.addEdit(edit, after);
    shownTo = edit.after.to;
  }
  return open ? [...hunks, open.closed(after, shownTo)] : hunks;
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

  add(kind: Kind, lines: readonly string[]): void {
    if (lines.length === 0) return;
    const last = this.#all.at(-1);
    if (last?.kind === kind) last.lines.push(...lines);
    else this.#all.push({ kind, lines: [...lines] });
  }

  addEdit({ deleted, inserted, after: { from } }: Edit, after: readonly string[]): void {
    this.add('del', deleted.filter(isText));
    for (const [index, text] of inserted.entries()) {
      this.add(text === undefined ? 'ctx' : 'ins', [text ?? after[from + index] ?? '']);
    }
  }

  /** With the context that follows at `end`. */
  closed(after: readonly string[], end: number): DiffHunk {
    this.add('ctx', after.slice(end, end + CONTEXT));
    return this.#all.map(({ kind, lines }) => BLOCKS[kind](lines));
  }
}

type Kind = 'ctx' | 'del' | 'ins';

const BLOCKS: Readonly<Record<Kind, (lines: readonly string[]) => Block>> = {
  ctx: (ctx) => ({ ctx }),
  del: (del) => ({ del }),
  ins: (ins) => ({ ins }),
};
