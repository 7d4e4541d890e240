/** What `hydrant __complete` lists. */
const KINDS = ['tap', 'rule', 'source', 'filter', 'watch', 'context', 'organization', 'member', 'key'] as const;
export type CompletedKind = (typeof KINDS)[number];

export function isCompletedKind(word: string): word is CompletedKind {
  return KINDS.some((kind) => kind === word);
}
