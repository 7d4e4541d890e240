import type { Rule } from '../../shared/api/rule.ts';

/** Milliseconds between two readings of the rules: a rule made a moment ago is looked up, an id deleted meanwhile is
 * not asked for again with every match. */
const REREAD_MS = 10_000;

/** The rules of the tap that is followed, so that a match's ids can be shown as their tags. */
export class RuleBook {
  readonly #read: () => Promise<readonly Rule[]>;
  readonly #now: () => number;
  #rules: ReadonlyMap<string, Rule>;
  #readAt: number;

  constructor(rules: readonly Rule[], read: () => Promise<readonly Rule[]>, now: () => number) {
    this.#rules = byId(rules);
    this.#read = read;
    this.#now = now;
    this.#readAt = now();
  }

  get size(): number {
    return this.#rules.size;
  }

  /** The rules of these ids; one that has gone since is left out. */
  async find(ids: readonly string[]): Promise<Rule[]> {
    const unknown = ids.some((id) => !this.#rules.has(id));
    if (unknown && this.#now() - this.#readAt >= REREAD_MS) await this.#reread();
    return ids.flatMap((id) => this.#rules.get(id) ?? []);
  }

  async #reread(): Promise<void> {
    this.#readAt = this.#now();
    try {
      this.#rules = byId(await this.#read());
    } catch {
      // The match is worth more than its tag; if the daemon is really gone, the stream says so.
    }
  }
}

function byId(rules: readonly Rule[]): ReadonlyMap<string, Rule> {
  return new Map(rules.map((rule) => [rule.id, rule]));
}

/** The distinct tags of some rules. */
export function tagsOf(rules: readonly Rule[]): string[] {
  return [...new Set(rules.flatMap((rule) => (rule.tag === undefined || rule.tag === '' ? [] : [rule.tag])))];
}

/** What stands for the rules on a line: the tags; the query where a rule has none. */
export function labelOf(rules: readonly Rule[]): string {
  return [...new Set(rules.map((rule) => rule.tag ?? rule.value))].join(',');
}
