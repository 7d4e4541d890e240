import type { Page } from '../../shared/page/page.ts';
import type { Chunks } from '../input.ts';
import { isUrl } from './address.ts';
import { type PageContext, readSource } from './page-source.ts';
import { pageFailure, PageProblem } from './problem.ts';
import { readPage } from './read-page.ts';

export interface VersionOptions {
  /** The address that a file had. */
  readonly as?: string | undefined;
  /** When the later version was visited, milliseconds since 1970. */
  readonly now: number;
  /** The later version, where it is open already. */
  readonly opened?: Chunks | undefined;
}

/**
 * Two versions of one page, the earlier one optional. A file has the address of the version that was fetched, unless
 * one is given.
 * @throws {Failure} that names the version that cannot be read
 */
export async function readVersions(
  context: PageContext,
  [before, after]: readonly [string | undefined, string],
  { as, now, opened }: VersionOptions,
): Promise<{ readonly before?: Page; readonly after: Page }> {
  const known = [after, before].find((source) => source !== undefined && isUrl(source));
  const address = as ?? known ?? '';
  const read = async (source: string, from?: Chunks): Promise<Page> => {
    try {
      return await readPage(await readSource(context, source, address, from), now);
    } catch (error) {
      throw error instanceof PageProblem ? pageFailure(source, error) : error;
    }
  };
  if (before === undefined) return { after: await read(after, opened) };
  return { before: await read(before), after: await read(after, opened) };
}
