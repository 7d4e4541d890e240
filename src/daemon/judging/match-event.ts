import type { NewEvent } from '../storage/event-log.ts';
import type { MatchDocument } from '../../shared/api/match.ts';
import type { ChangedPage } from '../../shared/match/document.ts';
import type { TapMatch } from '../../shared/match/rule-index.ts';

/** The payload's `document`: what is null or empty is left out, never sent. */
export function event(match: TapMatch, { page, labels, dr }: ChangedPage): NewEvent {
  const { language, pageTypes, categories } = labels;
  const document: MatchDocument = {
    url: page.url,
    ...(page.title !== undefined && { title: page.title }),
    ...(page.publishTime !== undefined && { publish_time: page.publishTime.local }),
    ...(match.chunks.length > 0 && { diff: { chunks: match.chunks } }),
    ...(categories.length > 0 && { page_category: categories.map(({ value }) => value) }),
    ...(pageTypes.length > 0 && { page_types: pageTypes.map(({ value }) => value) }),
    ...(language && { language: language.value }),
    ...(dr !== undefined && { domain_rating: dr }),
  };
  return { tapId: match.tapId, queryIds: JSON.stringify(match.ruleIds), document: JSON.stringify(document) };
}
