import { UsageError } from '../failure.ts';

export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/** Refuses a `--as` that is no address, or that no file has. */
export function checkAddress(address: string | undefined, sources: readonly string[]): void {
  if (address === undefined) return;
  if (!isUrl(address) || !URL.canParse(address)) {
    throw new UsageError(`--as: \`${address}\` is no address of a page; it looks like https://example.org/news/`);
  }
  if (sources.every(isUrl)) throw new UsageError('--as gives the address of a file, and a URL has its own');
}
