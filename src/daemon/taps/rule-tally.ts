/**
 * What becomes of each rule, for the question that is asked most: why does my rule match nothing? The crawl tells what
 * was delivered, and which pages fitted a query and were kept back; it is summed up here by rule and hour, and written
 * once a minute, and before anyone reads it. Not within the commit of a visit: a crash costs a minute of figures that
 * nobody is billed by, and a write a page would cost more than the figures are worth.
 */
import { type Outside, timestamp } from '../outside.ts';
import type { CatalogData } from '../storage/catalog.ts';
import { HOUR_MS, hourOf, type RuleCount, type RuleCounters, type RuleFigures } from '../storage/rule-counters.ts';
import type { RuleReport, Withheld } from '../../shared/api/rule-report.ts';
import { RULE_FIGURES_HOURS } from '../../shared/limits.ts';

interface Sum {
  readonly ruleId: string;
  readonly hour: number;
  matches: number;
  lastMatchAt?: number;
  readonly withheld: Partial<Record<Withheld, number>>;
}

/** Whose rules these are, and which there still are. */
interface RuleBook {
  readonly data: Pick<CatalogData, 'taps' | 'rules'>;
}

/** Who knows which rules cannot be asked of pages. */
interface Refusals {
  refusalOf(rule: { readonly id: string; readonly tapId: string }): string | undefined;
}

export class RuleTally {
  readonly #counters: RuleCounters;
  readonly #catalog: RuleBook;
  readonly #outside: Pick<Outside, 'now'>;
  readonly #registration: Refusals | undefined;
  /** By rule and hour; bounded by the rules, since it is written each minute. */
  #sums = new Map<string, Sum>();
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: {
    counters: RuleCounters;
    catalog: RuleBook;
    outside: Pick<Outside, 'now'>;
    registration?: Refusals;
  }) {
    this.#counters = deps.counters;
    this.#catalog = deps.catalog;
    this.#outside = deps.outside;
    this.#registration = deps.registration;
  }

  /** Events that were written; `queryIds` is a JSON list of rule ids. */
  delivered(events: readonly { readonly at: number; readonly queryIds: string }[]): void {
    for (const { at, queryIds } of events) {
      for (const id of JSON.parse(queryIds) as string[]) {
        const sum = this.#sumOf(id);
        sum.matches += 1;
        sum.lastMatchAt = Math.max(at, sum.lastMatchAt ?? at);
      }
    }
  }

  /** Pages that fitted a rule's query and were kept from it. */
  withheld(pages: readonly { readonly ruleId: string; readonly reason: Withheld }[]): void {
    for (const { ruleId, reason } of pages) {
      const { withheld } = this.#sumOf(ruleId);
      withheld[reason] = (withheld[reason] ?? 0) + 1;
    }
  }

  /** Resolved when all that was told is durable. What could not be written waits for the next time. */
  flush(): Promise<void> {
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write());
    return this.#writing;
  }

  /** The rules of an organization, in the order they were made, with what became of each in the last day. */
  async reports(organizationId: string): Promise<RuleReport[]> {
    await this.flush();
    const { taps, rules } = this.#catalog.data;
    const own = new Map(taps.filter((tap) => tap.organizationId === organizationId).map((tap) => [tap.id, tap]));
    const wanted = rules.filter((rule) => own.has(rule.tapId));
    const since = hourOf(this.#outside.now() - RULE_FIGURES_HOURS * HOUR_MS) + 1;
    const figures = await this.#counters.ruleFigures(
      wanted.map((rule) => rule.id),
      since,
    );
    return wanted.map((rule, index) =>
      report(rule, {
        paused: rule.paused === true || own.get(rule.tapId)?.status === 'paused',
        rulePaused: rule.paused === true,
        refused: this.#registration?.refusalOf(rule),
        figures: figures[index],
      }),
    );
  }

  /** Forgets what is older than it is asked for, and the rules that are gone. */
  async trim(): Promise<void> {
    const living = this.#catalog.data.rules.map((rule) => rule.id);
    await this.#counters.trimRuleCounts(hourOf(this.#outside.now()) - RULE_FIGURES_HOURS, living);
  }

  async #write(): Promise<void> {
    if (this.#sums.size === 0) return;
    const living = new Set(this.#catalog.data.rules.map((rule) => rule.id));
    const sums = this.#sums;
    this.#sums = new Map();
    const counts: readonly RuleCount[] = [...sums.values()].filter(({ ruleId }) => living.has(ruleId));
    try {
      await this.#counters.addRuleCounts(counts);
    } catch (error) {
      for (const count of counts) this.#putBack(count);
      throw error;
    }
  }

  #putBack({ ruleId, hour, matches, lastMatchAt, withheld }: RuleCount): void {
    const sum = this.#sumOf(ruleId, hour);
    sum.matches += matches;
    if (lastMatchAt !== undefined) sum.lastMatchAt = Math.max(lastMatchAt, sum.lastMatchAt ?? lastMatchAt);
    for (const [reason, count] of Object.entries(withheld) as [Withheld, number][]) {
      sum.withheld[reason] = (sum.withheld[reason] ?? 0) + count;
    }
  }

  #sumOf(ruleId: string, hour = hourOf(this.#outside.now())): Sum {
    const key = `${hour} ${ruleId}`;
    const known = this.#sums.get(key);
    if (known) return known;
    const sum: Sum = { ruleId, hour, matches: 0, withheld: {} };
    this.#sums.set(key, sum);
    return sum;
  }
}

function report(
  { id, tapId }: { readonly id: string; readonly tapId: string },
  {
    paused,
    rulePaused,
    refused,
    figures,
  }: {
    readonly paused: boolean;
    readonly rulePaused: boolean;
    readonly refused: string | undefined;
    readonly figures: RuleFigures | undefined;
  },
): RuleReport {
  const at = figures?.lastMatchAt ?? null;
  const withheld = figures?.withheld ?? { no_date: 0, too_old: 0, future_date: 0, url: 0, adult: 0 };
  return {
    rule_id: id,
    tap_id: tapId,
    paused,
    ...(rulePaused && { rule_paused: true }),
    ...(refused !== undefined && { refused }),
    matches: figures?.matches ?? 0,
    last_match_at: at === null ? null : timestamp(at),
    withheld,
  };
}
