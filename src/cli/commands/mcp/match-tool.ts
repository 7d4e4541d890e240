import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { RuleIndex } from '../../../shared/match/rule-index.ts';
import type { Query } from '../../../shared/query/ast.ts';
import { URL_LENGTH } from '../../../shared/limits.ts';
import { validate } from '../../../shared/query/validate.ts';
import { UsageError } from '../../runtime/failure.ts';
import { checkAddress } from '../../pages/page-source.ts';
import { explanationLines, explanationObject, judge } from '../offline/match-run.ts';
import type { Subject } from '../offline/match-page.ts';
import { valuesOfDocument } from '../offline/match-subject.ts';
import { invalidQuery } from '../query-report.ts';
import { findRule, type Placed, rulesOf } from '../rule/placed-rules.ts';
import { Diagnostics } from './answer-schemas.ts';
import { QueryText, savedFilters } from './query-tools.ts';
import { type Answer, type Call, tool, type Tool } from './tool.ts';

/** Characters of a page that is handed in: as many as the messages of the protocol have room for. */
export const PAGE_LENGTH = 1_000_000;

const PageText = (description: string) => Type.Optional(Type.String({ maxLength: PAGE_LENGTH, description }));

const input = {
  query: Type.Optional(QueryText),
  rule: Type.Optional(
    Type.String({ description: 'a stored rule instead of a query: its id, its tag, or the beginning of its id' }),
  ),
  page: PageText('the page itself: HTML, plain text, XML, a feed or JSON; its kind is detected'),
  before: PageText('the page before: only what has changed since is matched'),
  url: Type.Optional(
    Type.String({
      maxLength: URL_LENGTH,
      description: 'the address of `page`; without `page` it is fetched, if it is public',
    }),
  ),
  document: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'instead of a page: fields as queries name them, each a text or a list of texts; dr is a number',
    }),
  ),
  quality: Type.Optional(
    Type.Boolean({ default: false, description: 'also apply the quality filter; a stored rule has its own' }),
  ),
  nsfw: Type.Optional(Type.Boolean({ default: true, description: 'include adult pages; a stored rule has its own' })),
};

interface Asked {
  readonly query?: string | undefined;
  readonly rule?: string | undefined;
  readonly page?: string | undefined;
  readonly before?: string | undefined;
  readonly url?: string | undefined;
  readonly document?: Readonly<Record<string, unknown>> | undefined;
  readonly quality?: boolean | undefined;
  readonly nsfw?: boolean | undefined;
}

const RuleVerdict = Type.Object({
  id: Type.String(),
  tap: Type.Optional(Type.String()),
  tag: Type.Optional(Type.String()),
  query: Type.String(),
  match: Type.Boolean(),
  reason: Type.Optional(Type.String({ description: 'why it does not match' })),
});

const matchPage = tool({
  name: 'match_page',
  title: 'Match a page',
  description:
    'Whether a query, a stored rule, or (with neither) each stored rule matches a page or a document, and why: clause by clause, with the places that were hit. The page is read as in a visit of the crawl.',
  effect: 'reads',
  input,
  output: {
    match: Type.Boolean({ description: 'of all rules: whether any matches' }),
    diagnostics: Type.Optional(Diagnostics),
    explanation: Type.Optional(Type.Object({ clause: Type.String(), matches: Type.Boolean() })),
    rules_matched: Type.Optional(Type.Integer()),
    rules: Type.Optional(Type.Array(RuleVerdict, { description: 'of all rules: those that match first' })),
    account: Type.Optional(Type.Object({ read: Type.Integer({ description: 'characters' }) })),
  },
  call: async (call, asked) => {
    if (asked.query !== undefined && asked.rule !== undefined) {
      throw new UsageError('`query` and `rule` both say what to match; give one, or neither for all stored rules');
    }
    const subject = await subjectOf(call, asked);
    if (asked.query !== undefined) return matchQuery(call, asked.query, subject, asked);
    const { connection, client } = await call.session.connect();
    const placed = await rulesOf(connection, client, undefined);
    if (asked.rule === undefined) return matchRules(call, placed, subject);
    const { rule } = findRule(placed, asked.rule);
    return matchQuery(call, rule.value, subject, rule);
  },
});

/** Of a page the way of a visit; of a document its fields. */
async function subjectOf({ session }: Call, { page, before, url, document }: Asked): Promise<Subject> {
  const now = session.context.now();
  if (document !== undefined) {
    if (page !== undefined || before !== undefined || url !== undefined) {
      throw new UsageError('`document` has its own fields; `page`, `before` and `url` are for pages');
    }
    return { values: valuesOfDocument(document, now), isUnchanged: false };
  }
  if (page === undefined && url === undefined) throw new UsageError('give `page`, `url` or `document`');
  const source = page === undefined ? (url ?? '') : '-';
  checkAddress(url, ['-']);
  const { pageSubject } = await import('../offline/match-page.ts');
  const context = { ...session.context, readBytes: () => Readable.from([Buffer.from(before ?? '')]) };
  const flags = { was: before === undefined ? undefined : '-', as: page === undefined ? undefined : url };
  const opened = page === undefined ? {} : { opened: Readable.from([Buffer.from(page)]) };
  return pageSubject({ ...session, context }, { source, now, flags, ...opened });
}

async function matchQuery(
  call: Call,
  query: string,
  subject: Subject,
  { quality = false, nsfw = true }: Pick<Asked, 'quality' | 'nsfw'>,
): Promise<Answer> {
  const filters = await savedFilters(call, [query]);
  const validation = validate(query, { filters: (name) => filters.get(name), filterNames: [...filters.keys()] });
  const { diagnostics, expanded } = validation;
  if (!validation.query) throw invalidQuery(diagnostics, expanded);
  const explained = judge(validation.query, subject, { quality, nsfw });
  return {
    value: {
      match: explained.matches,
      diagnostics,
      explanation: explanationObject(explained, validation),
      ...subject.reading,
    },
    lines: explanationLines(explained, validation, subject.values, (_style, text) => text),
  };
}

/** Rules that do not match whose reason is told: each is a reading of the page by itself. */
const REASONS = 20;

/** By the index that the daemon matches with. */
async function matchRules(call: Call, placed: readonly Placed[], subject: Subject): Promise<Answer> {
  const filters = await savedFilters(
    call,
    placed.map(({ rule }) => rule.value),
  );
  const index = new RuleIndex();
  const queries = new Map<string, Query>();
  for (const { rule, tap } of placed) {
    const { query } = validate(rule.value, { filters: (name) => filters.get(name), filterNames: [...filters.keys()] });
    if (!query) continue;
    queries.set(rule.id, query);
    index.register({ id: rule.id, tapId: tap?.id ?? '', query, quality: rule.quality, nsfw: rule.nsfw });
  }
  const matched = new Set(subject.isUnchanged ? [] : index.matchValues(subject.values));
  const sorted = placed.toSorted((one, other) => Number(matched.has(other.rule.id)) - Number(matched.has(one.rule.id)));
  const verdicts = sorted.map((one, at) => {
    const isExplained = !matched.has(one.rule.id) && at < matched.size + REASONS;
    const reason = isExplained ? whyNot(queries.get(one.rule.id), subject, one.rule) : undefined;
    return verdictOn(one, matched.has(one.rule.id), reason);
  });
  return {
    value: { match: matched.size > 0, rules_matched: matched.size, rules: verdicts, ...subject.reading },
  };
}

function verdictOn({ rule, tap }: Placed, match: boolean, reason: string | undefined): object {
  const { id, value, tag } = rule;
  return {
    id,
    ...(tap && { tap: tap.name }),
    ...(tag !== undefined && { tag }),
    query: value,
    match,
    ...(reason !== undefined && { reason }),
  };
}

function whyNot(query: Query | undefined, subject: Subject, { quality, nsfw }: Placed['rule']): string {
  if (!query) return 'its query is not valid, or refers to a saved filter that is not known here';
  const { query: explained, refusals } = judge(query, subject, { quality, nsfw });
  const clause = explained.clauses.find(({ matches, occur }) => matches === (occur === 'must_not'));
  return [explained.reason ?? clause?.reason, ...refusals].filter((one) => one !== undefined).join('; ');
}

export const matchTools: readonly Tool[] = [matchPage];
