import { labels } from '../../shared/label/labels.ts';
import { printableJson } from '../text/printable.ts';
import { PageProblem, readPageFile, typeOfName } from './page-source.ts';
import { pageObject } from './page-object.ts';
import { asKnown, readPage } from './read-page.ts';
import type { Zone } from '../../shared/page/page.ts';

/** What a page that was kept in a file says. Never rejects: one page that breaks our code hides no other. */
export async function answer({ file, url, at, zone }: Task): Promise<Answer> {
  try {
    const bytes = await readPageFile(file);
    const page = await readPage({ url: url ?? '', contentType: typeOfName(file), bytes }, at);
    return { line: printableJson({ file, ...pageObject(asKnown(page), await labels(page), zone) }), failed: false };
  } catch (error) {
    const reason = error instanceof PageProblem ? error.reason : 'internal';
    return refusal({ file, url }, reason, error instanceof Error ? error.message : String(error));
  }
}

export function refusal(which: object, reason: string, detail: string): Answer {
  return { line: printableJson({ ...which, error: { reason, detail } }), failed: true };
}

/** One line of `hydrant extract --jsonl`, as the threads are asked for it. */
export interface Task {
  readonly file: string;
  /** The address that the file had. */
  readonly url: string | null;
  /** When it was visited, milliseconds since 1970. */
  readonly at: number;
  readonly zone?: Zone;
}

export interface Answer {
  /** The page as JSON on one line, printable; or why there is none, in the same form. */
  readonly line: string;
  readonly failed: boolean;
}
