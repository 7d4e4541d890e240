import type { RuleTrial, RuleTrialAnswer, RuleTrialOrder, TrialMatch } from '../../shared/api/rule.ts';
import type { RuleReport } from '../../shared/api/rule-report.ts';
import type { Asking } from './ratings.ts';
import { flag, isDiagnostic, listOf, number, optional, orNull, shaped, text } from './shape.ts';
import { isObject } from '../../shared/page/json-value.ts';

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
}

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
  newest: listOf(
    shaped<TrialMatch>({
      matched_at: text,
      document: (value) => isObject(value) && typeof value['url'] === 'string',
    }),
  ),
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
