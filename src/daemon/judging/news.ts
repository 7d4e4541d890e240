import type { Labels } from '../../shared/label/label.ts';
import type { ChangedPage } from '../../shared/match/document.ts';
import type { RuleIndex } from '../../shared/match/rule-index.ts';
import type { Change } from '../../shared/page/change.ts';
import { contentOf } from '../../shared/page/structure/content.ts';
import { domainsOf } from '../../shared/page/domain.ts';
import type { Page } from '../../shared/page/page.ts';
import type { Case, PageFinding } from './case.ts';
import { event } from './match-event.ts';
import { OwedLabels } from './owed-labels.ts';
import { packedChange } from './recent-change.ts';
import { said } from './refusals.ts';

type News = Pick<PageFinding, 'events' | 'recent' | 'notes'>;

export interface NewsTools {
  readonly rules: Pick<RuleIndex, 'match' | 'size'>;
  /** What tells what a page is: language, kind, subject. */
  readonly labeller: () => Promise<(page: Page) => Labels>;
}

/** What the taps are told of a change: an event for each that has a rule which matches; and what the rules saw. */
export async function news(given: Case, page: Page, change: Change, { rules, labeller }: NewsTools): Promise<News> {
  if (isForNobody(given, page)) return {};
  const { dr, at } = given;
  const kept = (labels?: Labels): Pick<News, 'recent'> => {
    if (given.keepsChange !== true) return {};
    return { recent: packedChange(page, at, { change, ...(dr !== undefined && { dr }), ...(labels && { labels }) }) };
  };
  if (rules.size === 0) return kept();
  const owed = new OwedLabels(page, await labeller());
  const changed: ChangedPage = {
    page,
    change,
    domains: domainsOf(page.url),
    get labels() {
      return owed.labels;
    },
    ...(dr !== undefined && { dr }),
  };
  const { matches, withheld, failures } = rules.match(changed, at);
  owed.check();
  return {
    events: matches.map((match) => event(match, changed, given.hasLegacyPayload)),
    notes: {
      ...(withheld.length > 0 && { missedBy: withheld }),
      ruleFailures: new Map([...failures].map(([rule, failure]) => [rule, said(failure)])),
    },
    ...kept(owed.found),
  };
}

/**
 * What was there before anyone asked is no news. And who does not want a page to be found does not want it found by a
 * crawl: it is kept as the baseline, and nobody is told. Whoever names the page knows it already.
 */
function isForNobody({ isBaseline, isFirstVisit, isNamed }: Case, { facts }: Page): boolean {
  return (isBaseline && isFirstVisit) || (facts.robots.includes('noindex') && !isNamed);
}

/** Whether a change is one of what the page is about, and not of what stands beside it. */
export function isMain(before: Page | undefined, after: Page, { chunks, titleChanged }: Change): boolean {
  if (before === undefined || titleChanged) return true;
  const main = { del: mainTexts(before), ins: mainTexts(after) };
  return chunks.some(({ typ, text }) => text.split('\n').some((segment) => main[typ].has(segment)));
}

/** All content where no part of it stands out. */
function mainTexts(page: Page): ReadonlySet<string> {
  const main = page.segments.filter(({ zone }) => zone === 'main');
  return new Set((main.length > 0 ? main : contentOf(page)).map(({ text }) => text));
}
