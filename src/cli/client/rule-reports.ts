import type { RuleReport } from '../../shared/api/rule-report.ts';
import type { Asking } from './ratings.ts';
import { flag, listOf, number, optional, orNull, shaped, text } from './shape.ts';

const isRuleReport = shaped<RuleReport>({
  rule_id: text,
  tap_id: text,
  paused: flag,
  refused: optional(text),
  matches: number,
  last_match_at: orNull(text),
  withheld: shaped<RuleReport['withheld']>({
    no_date: number,
    too_old: number,
    future_date: number,
    url: number,
    adult: number,
  }),
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
