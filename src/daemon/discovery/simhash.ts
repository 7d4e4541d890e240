/** Stands until the hash is written. */
export function simhash(text: string): string | undefined {
  return text === '' ? undefined : undefined;
}
