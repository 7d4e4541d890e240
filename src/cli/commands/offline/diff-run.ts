import { NO_CHANGE, type Comparison } from '../../../shared/page/change.ts';
import { compare } from '../../../shared/page/compare.ts';
import type { Page } from '../../../shared/page/page.ts';
import { exitCode } from '../../exit-code.ts';
import { pacedWrite } from '../../paced-write.ts';
import { readVersions } from '../../pages/versions.ts';
import { printableJson } from '../../printable.ts';
import { chunkLines, diffLines } from './diff-report.ts';
import { warnOfDoubts } from './page-doubts.ts';
import type { Session } from '../session.ts';

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
  const text = format(session, { before, after, found, names: [old, recent] }, flags);
  if (text !== '') await pacedWrite(context.io.stdout, `${text}\n`, context.closed);
  warnOfDoubts(session, after, before);
  if (!found.change && out.forPeople) out.notice(nothing(found.ignored.length, flags));
  return found.change ? exitCode.no : exitCode.ok;
}

export interface Versions {
  readonly before: Page;
  readonly after: Page;
  readonly found: Comparison;
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

function nothing(ignored: number, { explain }: DiffFlags): string {
  const hidden = ignored > 0 && explain !== true ? `; ${ignored} ignored, which --explain shows` : '';
  return `nothing changed that counts${hidden}`;
}

function chunksObject({ found: { change = NO_CHANGE } }: Versions): object {
  return { chunks: change.chunks };
}

function diffObject({ before, after, found }: Versions): object {
  const { change, ignored } = found;
  const { chunks, addedAnchors, removedAnchors, titleChanged } = change ?? NO_CHANGE;
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
    ignored,
  };
}
