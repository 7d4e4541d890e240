import type { Withheld } from '../../shared/api/rule-report.ts';
import type { Labels } from '../../shared/label/label.ts';
import type { RuleIndex } from '../../shared/match/rule-index.ts';
import type { Page } from '../../shared/page/page.ts';
import type { RecentChange } from '../storage/recent-changes.ts';
import { event } from './matching.ts';
import { unpackedChange } from './packing.ts';

/** What trying a rule on one change came to. */
export interface Tried {
  /** When it was told, milliseconds since 1970. */
  readonly at: number;
  readonly url: string;
  /** Why the page would have been kept from the rule; absent: it matches. */
  readonly withheld?: Withheld;
  /** JSON, as the event would have had it; of a match, where one is wanted. */
  readonly document?: string;
}

export interface TriedPart {
  /** Changes that fit the query, in the order they were given. */
  readonly fitting: readonly Tried[];
  /** Changes that could not be read, or broke the rule. */
  readonly failed: number;
}

/** Asks the one rule of `rules` of each change, as a visit would have. `documents`: matches that are wanted whole. */
export function tryOn(
  changes: readonly RecentChange[],
  rules: Pick<RuleIndex, 'match'>,
  label: (page: Page) => Labels,
  documents: number,
): TriedPart {
  const fitting: Tried[] = [];
  let failed = 0;
  let left = documents;
  for (const change of changes) {
    const tried = tryOne(change, rules, label, left > 0);
    if (tried === 'failed') failed += 1;
    else if (tried) fitting.push(tried);
    if (tried !== 'failed' && tried?.document !== undefined) left -= 1;
  }
  return { fitting, failed };
}

function tryOne(
  kept: RecentChange,
  rules: Pick<RuleIndex, 'match'>,
  label: (page: Page) => Labels,
  isWhole: boolean,
): Tried | 'failed' | undefined {
  try {
    const found = unpackedChange(kept, label);
    if (!found) return 'failed';
    const { changed } = found;
    const { matches, withheld, failures } = rules.match(changed, found.at);
    if (failures.size > 0) return 'failed';
    const about = { at: kept.at, url: changed.page.url };
    const [match] = matches;
    if (match) return { ...about, ...(isWhole && { document: event(match, changed).document }) };
    return withheld[0] && { ...about, withheld: withheld[0].reason };
  } catch {
    // One change that cannot be read says nothing of the others.
    return 'failed';
  }
}
