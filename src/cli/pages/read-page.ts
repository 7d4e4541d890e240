import { credible } from '../../shared/page/credible.ts';
import type { Body, Page } from '../../shared/page/page.ts';
import { read } from '../../shared/page/read.ts';
import { PageProblem } from './problem.ts';

/**
 * The page as a visit at that time reads it.
 * @param at milliseconds since 1970
 * @throws {PageProblem}
 */
export async function readPage(body: Body, at: number): Promise<Page> {
  const extraction = await read(body);
  if (!extraction.ok) throw new PageProblem(extraction.reason, extraction.detail);
  return credible(extraction.page, at);
}
