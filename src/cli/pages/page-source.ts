import type { Body } from '../../shared/page/page.ts';
import type { Context } from '../context.ts';
import type { Chunks } from '../input.ts';
import { isUrl } from './address.ts';
import { readPageBytes, readPageFile, typeOfName } from './page-file.ts';
import { PageProblem } from './problem.ts';

/**
 * The body of what a person names: a URL is fetched, `-` is stdin, all else is a file.
 * @param address the address that a file or stdin had, '' where nobody knows
 * @param opened the file or stdin, where it is open already: a pipe cannot be opened twice
 * @throws {PageProblem}
 */
export async function readSource(
  context: PageContext,
  source: string,
  address: string,
  opened?: Chunks,
): Promise<Body> {
  if (isUrl(source)) return fetched(context, source);
  const input = opened ?? (source === '-' ? context.readBytes('the page') : undefined);
  const bytes = await (input ? readPageBytes(input) : readPageFile(source));
  return { url: address, contentType: source === '-' ? '' : typeOfName(source), bytes };
}

export type PageContext = Pick<Context, 'fetchPage' | 'readBytes' | 'closed'>;

async function fetched({ fetchPage, closed }: PageContext, url: string): Promise<Body> {
  const found = await fetchPage(url, closed ?? new AbortController().signal);
  if (found.outcome === 'failed') throw new PageProblem(found.reason, found.detail);
  const { contentType, bytes, headers } = found;
  return { url: found.url, contentType, bytes, ...(headers && { headers }) };
}
