/**
 * Matches that somebody wants to keep: the log forgets them after a day. One for each address within an organization;
 * the words it is found by are those of its address, title, note and text.
 */
export interface SavedMatch {
  readonly id: string;
  readonly organizationId: string;
  readonly url: string;
  readonly tapId: string;
  readonly tapName: string;
  /** The rules that matched, as they were then: JSON, ready to be sent. */
  readonly rules: string;
  readonly matchedAt: number;
  readonly savedAt: number;
  /** The name of who saved it. */
  readonly savedBy: string;
  readonly note: string;
  /** The document as it was delivered: JSON, ready to be sent. */
  readonly document: string;
}

export interface SavedQuestion {
  readonly organizationId: string;
  /** Words in lower case, each of which must be somewhere in it; none: all. */
  readonly words: readonly string[];
  readonly atMost: number;
  /** Goes on behind this one, which a former answer ended with. */
  readonly after?: string;
}

export interface SavedMatches {
  /**
   * Keeps a match with the text it is found by. Where its address is saved already, nothing changes, and that one is
   * answered. Undefined when the organization has `limit` of them.
   */
  saveMatch(match: SavedMatch, text: string, limit: number): Promise<{ match: SavedMatch; isNew: boolean } | undefined>;
  savedMatch(organizationId: string, id: string): Promise<SavedMatch | undefined>;
  /** The newest first; undefined where the one to go on behind is gone. */
  savedMatches(question: SavedQuestion): Promise<SavedMatch[] | undefined>;
  /** With the text it is found by from now on. Whether there is such a match. */
  noteSavedMatch(organizationId: string, id: string, note: string, text: string): Promise<boolean>;
  /** Whether there was such a match. */
  removeSavedMatch(organizationId: string, id: string): Promise<boolean>;
}
