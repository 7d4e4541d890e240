/** `watch` → `watches`, `tap` → `taps`: the nouns that commands count. */
export function plural(noun: string): string {
  return /(?:ch|sh|s|x)$/.test(noun) ? `${noun}es` : `${noun}s`;
}
