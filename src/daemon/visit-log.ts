import type { Log } from './log.ts';
import { type Outside, timestamp } from './outside.ts';
import type { VisitReport } from './pipeline.ts';

/** What went wrong lately, for `hydrant status`: the newest ten, newest first. */
export class RecentProblems {
  readonly #outside: Outside;
  readonly #problems: { at: string; message: string }[] = [];

  constructor(outside: Outside) {
    this.#outside = outside;
  }

  get newest(): readonly { readonly at: string; readonly message: string }[] {
    return this.#problems;
  }

  note(message: string): void {
    this.#problems.unshift({ at: timestamp(this.#outside.now()), message });
    this.#problems.length = Math.min(this.#problems.length, 10);
  }
}

/** One line a visit: changes at info, failures at warn, the rest at debug. A rule that threw is our bug: error. */
export function noteVisit(log: Log, problems: RecentProblems, url: string, report: VisitReport | undefined): void {
  if (report === undefined) return;
  const { outcome, reason, detail, events, ruleFailures, fault, ignored } = report;
  if (fault !== undefined) log.error({ err: fault, url }, 'the page could not be read');
  for (const [rule, error] of ruleFailures) log.error({ err: error, rule, url }, 'a rule could not be evaluated');
  if (outcome === 'failed') {
    problems.note(`${url}: ${detail ?? reason ?? 'failed'}`);
    log.warn({ url, reason }, `visit failed: ${detail ?? reason ?? 'no reason known'}`);
  } else if (outcome === 'changed') {
    log.info({ url, events }, 'page changed');
  } else {
    log.debug({ url, ...(ignored && { ignored }) }, 'page unchanged');
  }
}
