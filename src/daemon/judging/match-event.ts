import type { NewEvent } from '../storage/event-log.ts';
import type { MatchDocument } from '../../shared/api/match.ts';
import type { ChangedPage } from '../../shared/match/document.ts';
import { LEGACY_MARKDOWN_LENGTH } from '../../shared/limits.ts';
import type { TapMatch } from '../../shared/match/rule-index.ts';
import { contentOf } from '../../shared/page/structure/content.ts';
import type { Page, SegmentKind } from '../../shared/page/page.ts';

/** The payload's `document`: what is null or empty is left out, never sent. `legacy` adds the whole page for older clients. */
export function event(match: TapMatch, { page, labels, dr }: ChangedPage, legacy = false): NewEvent {
  const { language, pageTypes, categories } = labels;
  const markdown = legacy ? markdownOf(page) : '';
  const document: MatchDocument = {
    url: page.url,
    ...(page.title !== undefined && { title: page.title }),
    ...(page.publishTime !== undefined && { publish_time: page.publishTime.local }),
    ...(match.chunks.length > 0 && { diff: { chunks: match.chunks } }),
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
