import { NO_LABELS } from '../../../src/shared/label/label.ts';
import type { ChangedPage } from '../../../src/shared/match/document.ts';
import type { Chunk } from '../../../src/shared/page/change.ts';
import { NO_FACTS } from '../../../src/shared/page/page.ts';
import type { Query } from '../../../src/shared/query/ast.ts';
import { validate } from '../../../src/shared/query/validate.ts';

export const NOW = Date.UTC(2026, 1, 13, 8);

interface Parts {
  readonly chunks?: readonly Chunk[];
  readonly title?: string;
  readonly url?: string;
  readonly domains?: readonly string[];
  /** Seconds before NOW; null for a page without a date. */
  readonly age?: number | null;
  readonly category?: string;
  /** All of its content, one segment each. */
  readonly content?: readonly string[];
}

export function ins(text: string): Chunk {
  return { typ: 'ins', text };
}

export function del(text: string): Chunk {
  return { typ: 'del', text };
}

/** A page of an hour ago on example.com. */
export function changedPage({
  chunks = [],
  title,
  url,
  domains,
  age = 3_600,
  category,
  content = [],
}: Parts): ChangedPage {
  const instant = NOW - (age ?? 0) * 1_000;
  return {
    page: {
      url: url ?? 'https://example.com/news',
      ...(title !== undefined && { title }),
      ...(age !== null && { publishTime: { local: new Date(instant).toISOString().slice(0, 19), instant } }),
      segments: content.map((text) => ({ text, kind: 'sentence', zone: 'main' })),
      anchors: [],
      facts: NO_FACTS,
      links: [],
    },
    change: { chunks, addedAnchors: [], removedAnchors: [], titleChanged: false },
    domains: domains ?? ['example.com'],
    labels: category === undefined ? NO_LABELS : { ...NO_LABELS, categories: [{ value: category, reason: 'given' }] },
  };
}

export function queryOf(text: string): Query {
  const { query, diagnostics } = validate(text);
  if (!query) throw new Error(`${text}: ${diagnostics.map((found) => found.message).join(' ')}`);
  return query;
}
