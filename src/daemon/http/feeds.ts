import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FeedDocument, FeedDocuments } from '../feeds/feed-documents.ts';
import type { FeedFormat } from '../feeds/feed-state.ts';
import type { Feeds } from '../feeds/feeds.ts';
import { Problem } from '../problem.ts';
import type { FeedRecord } from '../storage/catalog.ts';
import { FEED_FRESH_SECONDS } from '../../shared/limits.ts';

interface FeedDeps {
  readonly feeds: Pick<Feeds, 'bySecret'>;
  readonly feedDocuments: Pick<FeedDocuments, 'isThere' | 'read'>;
}

/** What a path asks for. */
interface Asked {
  readonly feed: FeedRecord;
  readonly format: FeedFormat;
}

const TYPES = { atom: 'application/atom+xml; charset=utf-8', json: 'application/feed+json' } as const;

/** Beside the API: it has no key, and is in no document of it. */
export const FEED_ROUTE = '/feeds/:file';

/**
 * `GET /feeds/<secret>.atom` and `.json`: a feed, for readers that have an address and no key. What is no feed is a 404 of one
 * form, whatever is wrong with the path. HEAD says whether there is one, and charges no match.
 */
export function feedRoutes(app: FastifyInstance, { feeds, feedDocuments }: FeedDeps): void {
  app.get(FEED_ROUTE, { exposeHeadRoute: false }, async (request, reply) => {
    const { feed, format } = found(askedIn(request, feeds));
    const document = await feedDocuments.read(feed, format);
    // It may have been revoked while it was made.
    found(askedIn(request, feeds));
    if (document === undefined) throw noSuchFeed();
    withHeaders(reply, format).header('etag', document.etag);
    if (document.modifiedAt !== undefined) reply.header('last-modified', httpDate(document.modifiedAt));
    return isKnown(request, document) ? reply.code(304).send() : reply.send(document.bytes);
  });

  app.head(FEED_ROUTE, async (request, reply) => {
    const { feed, format } = found(askedIn(request, feeds));
    if (!(await feedDocuments.isThere(feed))) throw noSuchFeed();
    return withHeaders(reply, format).send();
  });
}

/** Undefined: there is no such feed. */
export function askedIn({ params }: FastifyRequest, feeds: FeedDeps['feeds']): Asked | undefined {
  const { file } = params as { readonly file: string };
  const [, secret = '', format] = /^(svcf_[A-Za-z0-9]{40})\.(atom|json)$/.exec(file) ?? [];
  const feed = feeds.bySecret(secret);
  return feed && (format === 'atom' || format === 'json') ? { feed, format } : undefined;
}

function found(asked: Asked | undefined): Asked {
  if (asked === undefined) throw noSuchFeed();
  return asked;
}

function noSuchFeed(): Problem<'not_found'> {
  return new Problem('not_found', { resource: 'feed' });
}

/**
 * For its reader alone, and for nobody to find. The address is a secret: no page that an entry leads to is told it. A browser shows
 * what is in it as text and runs nothing.
 */
function withHeaders(reply: FastifyReply, format: FeedFormat): FastifyReply {
  return reply.type(TYPES[format]).headers({
    'cache-control': `private, max-age=${FEED_FRESH_SECONDS}`,
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  });
}

/**
 * Whether the reader has it already (RFC 9110, 13.2.2): its tag decides, and the time only where no tag is given. A time has to be
 * the very one that was sent, since a clock that was set back would make every later one seem new.
 */
function isKnown({ headers }: FastifyRequest, { etag, modifiedAt }: FeedDocument): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return tags.trim() === '*' || [...tags.matchAll(/"[^"]*"/g)].some(([tag]) => tag === etag);
  const since = headers['if-modified-since'];
  return since !== undefined && modifiedAt !== undefined && Date.parse(since) === modifiedAt;
}

/** IMF-fixdate (RFC 9110, 5.6.7), which is what ECMAScript calls a UTC string. */
function httpDate(ms: number): string {
  return new Date(ms).toUTCString();
}
