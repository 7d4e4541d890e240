import type { Block, Change, Ignored } from '../../../shared/page/change.ts';
import type { Paint } from '../../output.ts';
import { printable } from '../../printable.ts';
import { wrap } from '../../wrap.ts';
import type { Versions } from './diff-run.ts';

export interface DiffForm {
  readonly paint: Paint;
  /** Columns of a terminal; undefined leaves each piece of text on one line, for `grep`. */
  readonly width: number | undefined;
}

/** A change for people, like diff(1): a line begins with `-`, `+`, or a space where it stayed. */
export function diffLines({ before, after, found, names }: Versions, form: DiffForm, explains: boolean): string[] {
  const { change, ignored } = found;
  const lines: string[] = [];
  if (change) {
    lines.push(form.paint('bold', `--- ${printable(names[0])}`), form.paint('bold', `+++ ${printable(names[1])}`));
    if (change.titleChanged) lines.push(...section('title', titleLines(before.title, after.title, form), form));
    for (const hunk of found.hunks())
      lines.push(
        ...section(
          'text',
          hunk.flatMap((block) => blockLines(block, form)),
          form,
        ),
      );
    lines.push(...section('links', linkLines(change, form), form));
  }
  return explains
    ? [
        ...lines,
        ...section(
          'ignored',
          ignored.flatMap((one) => ignoredLines(one, form)),
          form,
        ),
      ]
    : lines;
}

/** The chunks as they are delivered, parted by a blank line. */
export function chunkLines({ found: { change } }: Versions, form: DiffForm): string[] {
  const lines: string[] = [];
  for (const { typ, text } of change?.chunks ?? []) {
    if (lines.length > 0) lines.push('');
    for (const line of text.split('\n')) lines.push(...(typ === 'ins' ? inserted(line, form) : deleted(line, form)));
  }
  return lines;
}

function section(name: string, lines: readonly string[], { paint }: DiffForm): string[] {
  return lines.length === 0 ? [] : [paint('dim', `@@ ${name} @@`), ...lines];
}

function titleLines(before: string | undefined, after: string | undefined, form: DiffForm): string[] {
  return [
    ...(before === undefined ? [] : deleted(before, form)),
    ...(after === undefined ? [] : inserted(after, form)),
  ];
}

function blockLines(block: Block, form: DiffForm): string[] {
  if ('ctx' in block) return block.ctx.flatMap((text) => signed(' ', text, form));
  if ('del' in block) return block.del.flatMap((text) => deleted(text, form));
  return block.ins.flatMap((text) => inserted(text, form));
}

function linkLines({ addedAnchors, removedAnchors }: Change, form: DiffForm): string[] {
  return [
    ...removedAnchors.flatMap((text) => deleted(text, form)),
    ...addedAnchors.flatMap((text) => inserted(text, form)),
  ];
}

function ignoredLines({ before, after, reason }: Ignored, form: DiffForm): string[] {
  return [`  ${form.paint('yellow', printable(reason))}`, ...deleted(before, form), ...inserted(after, form)];
}

function deleted(text: string, form: DiffForm): string[] {
  return signed('-', text, form).map((line) => form.paint('red', line));
}

function inserted(text: string, form: DiffForm): string[] {
  return signed('+', text, form).map((line) => form.paint('green', line));
}

function signed(sign: ' ' | '-' | '+', text: string, { width }: DiffForm): string[] {
  const shown = printable(text);
  const [first = '', ...others] = width === undefined ? [shown] : wrap(shown, width, 2);
  return [`${sign} ${first}`, ...others];
}
