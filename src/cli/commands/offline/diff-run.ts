import { type Block, type Change, type Comparison, type Ignored, NO_CHANGE } from '../../../shared/page/change.ts';
import { accountOf, uncounted, type UncountedDifference } from '../../../shared/page/account.ts';
import { compare } from '../../../shared/page/compare.ts';
import { linkChunks, linkLines } from '../../../shared/page/diff/link-lines.ts';
import type { Page } from '../../../shared/page/page.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { pacedWrite, type Paint } from '../../runtime/output.ts';
import { accountFields } from '../../pages/account-lines.ts';
import { readVersions } from '../../pages/read-page.ts';
import { printable, printableJson } from '../../../shared/text/printable.ts';
import { warnOfDoubts } from './extract-run.ts';
import type { Session } from '../session.ts';
import { wrap } from '../../text/table.ts';

/** As diff.ts declares them. */
interface DiffFlags {
  /** The address that the files had. */
  readonly as?: string | undefined;
  readonly chunks?: true | undefined;
  readonly explain?: true | undefined;
}

/** `hydrant diff`: two versions, and what a visit would find changed. */
export async function runDiff(session: Session, old: string, recent: string, flags: DiffFlags): Promise<number> {
  const { context, out } = session;
  const versions = await readVersions(context, [old, recent], { as: flags.as, now: context.now() });
  const { before = versions.after, after } = versions;
  const found = compare(before, after);
  const differs = found.change ? [] : uncounted(before, after, found, versions.isSame);
  const text = format(session, { before, after, found, differs, names: [old, recent] }, flags);
  if (text !== '') await pacedWrite(context.io.stdout, `${text}\n`, context.closed);
  warnOfDoubts(session, after, before);
  if (!found.change && out.forPeople) out.notice(nothing(differs, flags));
  return found.change ? exitCode.no : exitCode.ok;
}

export interface Versions {
  readonly before: Page;
  readonly after: Page;
  readonly found: Comparison;
  /** Where they differ, if no change counts. */
  readonly differs?: readonly UncountedDifference[];
  /** As they were given. */
  readonly names: readonly [string, string];
}

function format({ context, out, flags: { json, quiet } }: Session, versions: Versions, flags: DiffFlags): string {
  if (json === true) return printableJson(flags.chunks === true ? chunksObject(versions) : diffObject(versions));
  if (quiet === true) return '';
  const { stdout } = context.io;
  const form = { paint: out.paint, width: stdout.isTTY === true ? (stdout.columns ?? 80) : undefined };
  const lines = flags.chunks === true ? chunkLines(versions, form) : diffLines(versions, form, flags.explain === true);
  return lines.join('\n');
}

function nothing([differs, ...others]: readonly UncountedDifference[], { explain }: DiffFlags): string {
  if (!differs) return 'nothing changed: the documents are equal';
  const more = others.length > 0 || differs.where === 'volatile' ? '; --explain shows all' : '';
  return `no relevant change: ${differs.detail}${explain === true ? '' : more}`;
}

function chunksObject({ found: { change = NO_CHANGE } }: Versions): object {
  return { chunks: [...change.chunks, ...linkChunks(change)] };
}

function diffObject({ before, after, found, differs = [] }: Versions): object {
  const { change, ignored } = found;
  const { chunks, addedAnchors, removedAnchors, links, titleChanged } = change ?? NO_CHANGE;
  const titles = {
    ...(before.title !== undefined && { before: before.title }),
    ...(after.title !== undefined && { after: after.title }),
  };
  return {
    changed: change !== undefined,
    ...(titleChanged && { title: titles }),
    hunks: change ? found.hunks() : [],
    chunks,
    added_anchor: addedAnchors,
    removed_anchor: removedAnchors,
    ...(links && { links }),
    ignored,
    differs,
    account: accountOf(after, before),
  };
}

export interface DiffForm {
  readonly paint: Paint;
  /** Columns of a terminal; undefined leaves each piece of text on one line, for `grep`. */
  readonly width: number | undefined;
}

/** A change for people, like diff(1): a line begins with `-`, `+`, or a space where it stayed. */
export function diffLines(
  { before, after, found, differs = [], names }: Versions,
  form: DiffForm,
  explains: boolean,
): string[] {
  const { change, ignored } = found;
  const lines: string[] = [];
  if (change) {
    lines.push(form.paint('bold', `--- ${printable(names[0])}`), form.paint('bold', `+++ ${printable(names[1])}`));
    if (change.titleChanged) lines.push(...section('title', titleLines(before.title, after.title, form), form));
    for (const { blocks } of found.placedHunks())
      lines.push(
        ...section(
          'text',
          blocks.flatMap((block) => blockLines(block, form)),
          form,
        ),
      );
    lines.push(...section('links', linksOf(change, form), form));
  }
  return explains
    ? [
        ...lines,
        ...section(
          'ignored',
          ignored.flatMap((one) => ignoredLines(one, form)),
          form,
        ),
        ...section(
          'not counted',
          differs.flatMap((difference) => uncountedLines(difference, form)),
          form,
        ),
        ...section(
          'reading',
          accountFields(accountOf(after, before)).flatMap(([name, value]) => noteLines(name, value, form)),
          form,
        ),
      ]
    : lines;
}

/** The chunks as they are delivered, parted by a blank line. */
export function chunkLines({ found: { change } }: Versions, form: DiffForm): string[] {
  const lines: string[] = [];
  for (const { typ, text } of change ? [...change.chunks, ...linkChunks(change)] : []) {
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

/** Links that came and went; those that lead elsewhere under the same text with their targets, which the text hides. */
function linksOf({ addedAnchors, removedAnchors, links = [] }: Change, form: DiffForm): string[] {
  const texts = links.map(({ text }) => text);
  return [
    ...without(removedAnchors, texts).flatMap((text) => deleted(text, form)),
    ...without(addedAnchors, texts).flatMap((text) => inserted(text, form)),
    ...links.flatMap((link) => [
      ...linkLines([link], 'before').flatMap((text) => deleted(text, form)),
      ...linkLines([link], 'after').flatMap((text) => inserted(text, form)),
    ]),
  ];
}

/** The texts without as many of each as `others` has. */
function without(texts: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return texts.filter((text) => {
    const at = left.indexOf(text);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

function ignoredLines({ before, after, reason }: Ignored, form: DiffForm): string[] {
  return [`  ${form.paint('yellow', printable(reason))}`, ...deleted(before, form), ...inserted(after, form)];
}

function uncountedLines({ where, detail, texts = [] }: UncountedDifference, form: DiffForm): string[] {
  return [
    ...noteLines(where, detail, form),
    ...texts.flatMap(({ before, after }) => [
      ...(before === '' ? [] : deleted(before, form)),
      ...(after === '' ? [] : inserted(after, form)),
    ]),
  ];
}

function noteLines(name: string, value: string, form: DiffForm): string[] {
  return signed(' ', `${name}: ${value}`, form);
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
