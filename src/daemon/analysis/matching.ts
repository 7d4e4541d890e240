import type { Labels } from '../../shared/label/label.ts';
import type { ChangedPage } from '../../shared/match/document.ts';
import { type TapMatch, RuleIndex } from '../../shared/match/rule-index.ts';
import type { Change } from '../../shared/page/change.ts';
import { linkChunks } from '../../shared/page/diff/link-lines.ts';
import { contentOf } from '../../shared/page/structure/content.ts';
import type { Page, SegmentKind } from '../../shared/page/page.ts';
import { type PageFinding, type PageInput, faultText } from './findings.ts';
import { LazilyLabelled } from './lazily-labelled.ts';
import { packedChange } from './packing.ts';
import type { NewEvent } from '../storage/event-log.ts';
import type { MatchDocument } from '../../shared/api/match.ts';
import { LEGACY_MARKDOWN_LENGTH } from '../../shared/limits.ts';
import type { Query } from '../../shared/query/ast.ts';
import { validate } from '../../shared/query/validate.ts';

type Matched = Pick<PageFinding, 'events' | 'recent' | 'notes'>;

export interface MatchTools {
  readonly rules: Pick<RuleIndex, 'match' | 'size'>;
  /** What tells what a page is: language, kind, subject. */
  readonly labeller: () => Promise<(page: Page) => Labels>;
}

/** What the taps receive of a change: an event for each that has a rule which matches; and what the rules saw. */
export async function matchTaps(
  given: PageInput,
  page: Page,
  change: Change,
  { rules, labeller }: MatchTools,
): Promise<Matched> {
  if (isForNobody(given, page)) return {};
  const { dr, at } = given;
  const kept = (labels?: Labels): Pick<Matched, 'recent'> => {
    if (given.keepsChange !== true) return {};
    return { recent: packedChange(page, at, { change, ...(dr !== undefined && { dr }), ...(labels && { labels }) }) };
  };
  if (rules.size === 0) return kept();
  const changed = new LazilyLabelled({ page, change, dr }, await labeller());
  const { matches, withheld, failures } = rules.match(changed, at);
  changed.check();
  return {
    events: matches.map((match) => event(match, changed, given.hasLegacyPayload)),
    notes: {
      ...(withheld.length > 0 && { missedBy: withheld }),
      ruleFailures: new Map([...failures].map(([rule, failure]) => [rule, faultText(failure)])),
    },
    ...kept(changed.found),
  };
}

/**
 * What was there before anyone asked is no news. And who does not want a page to be found does not want it found by a
 * crawl: it is kept as the baseline, and nobody is told. Whoever names the page knows it already.
 */
function isForNobody({ isBaseline, isFirstVisit, isNamed }: PageInput, { facts }: Page): boolean {
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

/** The payload's `document`: what is null or empty is left out, never sent. `legacy` adds the whole page for older clients. */
export function event(match: TapMatch, { page, change, labels, dr }: ChangedPage, legacy = false): NewEvent {
  const chunks = match.chunks.length > 0 ? match.chunks : linkChunks(change);
  const { language, pageTypes, categories } = labels;
  const markdown = legacy ? markdownOf(page) : '';
  const document: MatchDocument = {
    url: page.url,
    ...(page.title !== undefined && { title: page.title }),
    ...(page.publishTime !== undefined && { publish_time: page.publishTime.local }),
    ...(chunks.length > 0 && { diff: { chunks } }),
    ...(categories.length > 0 && { page_category: categories.map(({ value }) => value) }),
    ...(pageTypes.length > 0 && { page_types: pageTypes.map(({ value }) => value) }),
    ...(language && { language: language.value }),
    ...(dr !== undefined && { domain_rating: dr }),
    ...(markdown !== '' && { markdown }),
  };
  return { tapId: match.tapId, queryIds: JSON.stringify(match.ruleIds), document: JSON.stringify(document) };
}

/** The page's content, a block a segment; cut between blocks where it is too long for an event. */
function markdownOf(page: Page): string {
  let markdown = '';
  for (const { kind, text } of contentOf(page)) {
    const block = `${markdown === '' ? '' : '\n\n'}${MARKS[kind] ?? ''}${text}`;
    if (markdown.length + block.length > LEGACY_MARKDOWN_LENGTH) break;
    markdown += block;
  }
  return markdown;
}

const MARKS: Readonly<Partial<Record<SegmentKind, string>>> = { heading: '## ', item: '- ' };

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
    const changed = new LazilyLabelled({ page, change, dr }, label);
    this.#rules.register({ id: RULE, tapId: RULE, query, quality: false, nsfw: true });
    const { matches, failures } = this.#rules.match(changed, at);
    this.#rules.unregister(RULE);
    changed.check();
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
