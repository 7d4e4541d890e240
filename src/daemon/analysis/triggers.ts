import type { Labels } from '../../shared/label/label.ts';
import { RuleIndex } from '../../shared/match/rule-index.ts';
import type { Change } from '../../shared/page/change.ts';
import { domainsOf } from '../../shared/page/domain.ts';
import type { Page } from '../../shared/page/page.ts';
import type { Query } from '../../shared/query/ast.ts';
import { validate } from '../../shared/query/validate.ts';
import { LazyLabels } from './lazy-labels.ts';

/** Whether a change fits the query of a watch's `trigger`, told as the stream tells it of a rule. */
export class Triggers {
  readonly #rules = new RuleIndex();
  /** By text; those asked for longest ago go first. Undefined: refused. */
  readonly #parsed = new Map<string, Query | undefined>();

  /**
   * One that the language refuses, after an update of hydrant, fits every change: better one told too many than one that
   * is never told. Throws what a query or a label throws.
   */
  matches(text: string, page: Page, change: Change, { at, dr, label }: TriggerSight): boolean {
    const query = this.#queryOf(text);
    if (!query) return true;
    const lazy = new LazyLabels(page, label);
    const changed = {
      page,
      change,
      domains: domainsOf(page.url),
      ...(dr !== undefined && { dr }),
      get labels() {
        return lazy.labels;
      },
    };
    this.#rules.register({ id: RULE, tapId: RULE, query, quality: false, nsfw: true });
    const { matches, failures } = this.#rules.match(changed, at);
    this.#rules.unregister(RULE);
    lazy.check();
    if (failures.has(RULE)) throw failures.get(RULE);
    return matches.length > 0;
  }

  #queryOf(text: string): Query | undefined {
    const query = this.#parsed.has(text) ? this.#parsed.get(text) : validate(text).query;
    this.#parsed.delete(text);
    this.#parsed.set(text, query);
    const [oldest] = this.#parsed.keys();
    if (this.#parsed.size > PARSED && oldest !== undefined) this.#parsed.delete(oldest);
    return query;
  }
}

interface TriggerSight {
  /** When the page was read, milliseconds since 1970. */
  readonly at: number;
  readonly dr?: number | undefined;
  readonly label: (page: Page) => Labels;
}

const RULE = 'trigger';
/** Queries that are kept parsed, some 10 kB each. */
const PARSED = 200;
