import { labels } from '../../shared/label/labels.ts';
import { printableJson } from '../printable.ts';
import { readPageFile, typeOfName } from './page-file.ts';
import { pageObject } from './page-object.ts';
import { PageProblem } from './problem.ts';
import type { Answer, Task } from './protocol.ts';
import { asKnown, readPage } from './read-page.ts';

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
