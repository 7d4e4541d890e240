import type {
  Filter,
  FilterChange,
  FilterCreation,
  FilterSaved,
  FilterUse,
  Rule,
  RuleTrial,
  RuleTrialAnswer,
  RuleTrialOrder,
  TrialMatch,
  TrialWithheld,
} from '../../shared/api/rule.ts';
import type { RuleReport } from '../../shared/api/rule-report.ts';
import { type Asking, flag, isDiagnostic, isRule, listOf, number, optional, orNull, shaped, text } from './shape.ts';
import { isObject } from '../../shared/page/json-value.ts';
import { Refused } from './transport.ts';
import type { SavedMatch, SavedMatchCreation, SavedMatchRule } from '../../shared/api/match.ts';

const isRuleReport = shaped<RuleReport>({
  rule_id: text,
  tap_id: text,
  paused: flag,
  matches: number,
  last_match_at: orNull(text),
  withheld: shaped<RuleReport['withheld']>({
    no_date: number,
    too_old: number,
    future_date: number,
    url: number,
    adult: number,
  }),
  refused: optional(text),
  rule_paused: optional(flag),
});

/** What became of each rule: `/admin/rules`. @throws as `Client` */
export class RuleReportEndpoint {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async list(): Promise<RuleReport[]> {
    return this.#asking.ask(listOf(isRuleReport), 'GET', '/admin/rules');
  }

  async pause(id: string, paused: boolean): Promise<Rule> {
    return this.#asking.ask(isRule, 'PATCH', `/admin/rules/${id}`, { paused });
  }
}

const trialMatch = {
  seq: optional(number),
  matched_at: text,
  document: (value: unknown) => isObject(value) && typeof value['url'] === 'string',
};
const isTrial = shaped<RuleTrial>({
  since: text,
  kept: flag,
  changes: number,
  failed: number,
  oldest_at: orNull(text),
  complete: flag,
  matches: number,
  pages: number,
  domains: number,
  withheld: isObject,
  next: optional(number),
  newest: listOf(shaped<TrialMatch>(trialMatch)),
  newest_withheld: optional(listOf(shaped<TrialWithheld>({ ...trialMatch, reason: text }))),
});
const isAnswer = shaped<RuleTrialAnswer>({ data: isTrial, diagnostics: optional(listOf(isDiagnostic)) });

/** What a rule would have matched: `/admin/rules/try`. @throws as `Client` */
export class RuleTrialEndpoint {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async try(order: RuleTrialOrder): Promise<RuleTrialAnswer> {
    return this.#asking.askWhole(isAnswer, 'POST', '/admin/rules/try', order);
  }
}

const isFilter = shaped<Filter>({ id: text, name: text, value: text, created_at: text });
const isUse = shaped<FilterUse>({ rule_id: text, tap_id: text, tag: optional(text), value: text });
const isSaved = shaped<FilterSaved>({ data: isFilter, diagnostics: optional(listOf(isDiagnostic)) });

/** The endpoints below `/admin/filters`, one method each; a filter is named by its id, name or the beginning of its id. @throws as `Client` */
export class FilterEndpoints {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async list(): Promise<Filter[]> {
    return this.#asking.ask(listOf(isFilter), 'GET', '/admin/filters');
  }

  async show(wanted: string): Promise<Filter> {
    return this.#asking.ask(isFilter, 'GET', filterPath(wanted));
  }

  async uses(wanted: string): Promise<FilterUse[]> {
    return this.#asking.ask(listOf(isUse), 'GET', `${filterPath(wanted)}/uses`);
  }

  async add(filter: FilterCreation): Promise<FilterSaved> {
    return this.#asking.askWhole(isSaved, 'POST', '/admin/filters', filter);
  }

  async change(wanted: string, change: FilterChange): Promise<FilterSaved> {
    return this.#asking.askWhole(isSaved, 'PATCH', filterPath(wanted), change);
  }

  async remove(wanted: string): Promise<void> {
    await this.#asking.tell('DELETE', filterPath(wanted));
  }
}

function filterPath(wanted: string): string {
  return `/admin/filters/${encodeURIComponent(wanted)}`;
}

const isSavedMatch = shaped<SavedMatch>({
  id: text,
  url: text,
  title: orNull(text),
  tap: shaped<SavedMatch['tap']>({ id: text, name: text }),
  rules: listOf(shaped<Required<SavedMatchRule>>({ id: text, value: optional(text), tag: optional(text) })),
  matched_at: text,
  saved_at: text,
  saved_by: text,
  note: orNull(text),
  document: isObject,
});

/** The endpoints below `/admin/matches`, one method each. @throws as `Client` */
export class SavedMatchEndpoints {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** Answers the one that is there where the address was saved already. */
  async save(creation: SavedMatchCreation): Promise<SavedMatch> {
    return this.#asking.ask(isSavedMatch, 'POST', '/admin/matches', creation);
  }

  async show(id: string): Promise<SavedMatch> {
    return this.#asking.ask(isSavedMatch, 'GET', savedMatchPath(id));
  }

  async note(id: string, note: string): Promise<SavedMatch> {
    return this.#asking.ask(isSavedMatch, 'PATCH', savedMatchPath(id), { note });
  }

  async remove(id: string): Promise<void> {
    await this.#asking.tell('DELETE', savedMatchPath(id));
  }

  /** All that have the words of `q`, the newest first, a request at a time as they are read. */
  async *all(q = ''): AsyncGenerator<SavedMatch> {
    const seen: string[] = [];
    for (;;) {
      const part = await this.#behind(q, seen);
      if (part.length === 0) return;
      for (const match of part) {
        yield match;
        seen.push(match.id);
      }
    }
  }

  /** Those behind the last of `seen` that is still there: any of them may be removed meanwhile, and it drops those. */
  async #behind(q: string, seen: string[]): Promise<SavedMatch[]> {
    for (;;) {
      const after = seen.at(-1);
      const asked = new URLSearchParams({ ...(q !== '' && { q }), ...(after !== undefined && { after }) });
      const search = asked.size > 0 ? `?${asked.toString()}` : '';
      try {
        return await this.#asking.ask(listOf(isSavedMatch), 'GET', `/admin/matches${search}`);
      } catch (error) {
        if (!(error instanceof Refused) || error.status !== 404 || after === undefined) throw error;
        seen.pop();
      }
    }
  }
}

function savedMatchPath(id: string): string {
  return `/admin/matches/${encodeURIComponent(id)}`;
}
