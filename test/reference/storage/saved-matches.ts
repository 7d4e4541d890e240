import type { SavedMatch, SavedMatches, SavedQuestion } from '../../../src/daemon/storage/saved-matches.ts';

interface Kept {
  match: SavedMatch;
  text: string;
}

export class MemorySavedMatches implements SavedMatches {
  #kept: Kept[] = [];

  async saveMatch(
    match: SavedMatch,
    text: string,
    limit: number,
  ): Promise<{ match: SavedMatch; isNew: boolean } | undefined> {
    const own = this.#kept.filter((kept) => kept.match.organizationId === match.organizationId);
    const known = own.find((kept) => kept.match.url === match.url);
    if (known) return { match: known.match, isNew: false };
    if (own.length >= limit) return undefined;
    this.#kept.unshift({ match: { ...match }, text });
    return { match, isNew: true };
  }

  async savedMatch(organizationId: string, id: string): Promise<SavedMatch | undefined> {
    return this.#find(organizationId, id)?.match;
  }

  async savedMatches({ organizationId, words, atMost, after }: SavedQuestion): Promise<SavedMatch[] | undefined> {
    const own = this.#kept.filter((kept) => kept.match.organizationId === organizationId);
    const start = after === undefined ? 0 : own.findIndex((kept) => kept.match.id === after) + 1;
    if (after !== undefined && start === 0) return undefined;
    const found = own.slice(start).filter((kept) => words.every((word) => kept.text.includes(word)));
    return found.slice(0, atMost).map((kept) => kept.match);
  }

  async noteSavedMatch(organizationId: string, id: string, note: string, text: string): Promise<boolean> {
    const kept = this.#find(organizationId, id);
    if (kept) Object.assign(kept, { match: { ...kept.match, note }, text });
    return kept !== undefined;
  }

  async removeSavedMatch(organizationId: string, id: string): Promise<boolean> {
    const kept = this.#find(organizationId, id);
    this.#kept = this.#kept.filter((one) => one !== kept);
    return kept !== undefined;
  }

  #find(organizationId: string, id: string): Kept | undefined {
    return this.#kept.find(({ match }) => match.organizationId === organizationId && match.id === id);
  }
}
