import { createHash } from 'node:crypto';
import type { PageInput } from '../../../src/daemon/analysis/findings.ts';
import type { RegisteredRule } from '../../../src/shared/match/rule-index.ts';
import { validate } from '../../../src/shared/query/validate.ts';

export const url = 'https://news.example.com/2026/harbour';

/** A page that is seen for the first time, with whatever is to be different about it. */
export function pageInput(text: string | Uint8Array<ArrayBuffer>, different: Partial<PageInput> = {}): PageInput {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  const from = different.url ?? url;
  return {
    url: from,
    host: new URL(from).host,
    kind: 'article',
    isBaseline: false,
    holders: [
      { id: 'source', url: 'https://news.example.com/', scope: 'host', maxDepth: null, maxPages: 1_000, depth: 1 },
    ],
    isNamed: false,
    isFirstVisit: different.last === undefined,
    doubtedAt: undefined,
    visits: 1,
    trust: undefined,
    fetched: { url: from, status: 200, contentType: 'text/html', bytes, hash },
    at: Date.UTC(2026, 1, 13, 12),
    last: undefined,
    areLeadsKnown: false,
    boilerplate: undefined,
    dr: undefined,
    ...different,
  };
}

export function ruleOf(id: string, query: string, tapId = 'tap'): RegisteredRule {
  const parsed = validate(query).query;
  if (!parsed) throw new Error(`the test's own query is refused: ${query}`);
  return { id, tapId, query: parsed, quality: false, nsfw: true };
}

export const page = (...sentences: string[]): string =>
  `<title>Today</title><main>${sentences.map((text) => `<p>${text}</p>`).join('')}</main>`;
