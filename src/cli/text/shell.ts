/** A word as a POSIX shell has to be told it; in a command that we suggest, and that one copies. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
