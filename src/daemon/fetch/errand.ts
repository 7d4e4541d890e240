import { createHash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { readBody, readStart } from './body.ts';
import { ACCEPT_ENCODING } from './content-encoding.ts';
import type { FetchedBody, RobotsAnswer } from './fetched.ts';
import { about, emptyPage, endsWithConnection, expectPage, headerOf } from './response.ts';
import { ROBOTS_TXT_BYTES } from '../../shared/limits.ts';

/** What is fetched, and what is made of the answer: the way there is the same for all. */
export interface Errand<Answer> {
  /** As it is called in a sentence. */
  readonly name: string;
  readonly accept: string;
  /** Reads an answer that is no redirect. Throws FetchProblem when it is of no use. */
  readonly read: (url: URL, response: Dispatcher.ResponseData, connection: Connection) => Promise<Answer>;
}

export interface Connection {
  /** The error, once the server has reset it. */
  reset: Error | undefined;
}

export function headersOf({ accept }: Errand<unknown>, userAgent: string): Readonly<Record<string, string>> {
  return { 'user-agent': userAgent, accept, 'accept-encoding': ACCEPT_ENCODING };
}

export const PAGE: Errand<FetchedBody> = {
  name: 'the page',
  accept: 'text/html, application/xhtml+xml, text/plain;q=0.9, application/xml;q=0.8, */*;q=0.1',
  read: async (url, { statusCode: status, headers, body }, connection) => {
    expectPage(status, headers);
    const bytes = await readBody(body, encodingOf(headers));
    if (connection.reset && endsWithConnection(headers)) throw connection.reset;
    if (bytes.length === 0) throw emptyPage(status);
    const hash = createHash('sha256').update(bytes).digest('hex');
    return { outcome: 'fetched', url: url.href, status, ...about(headers), bytes, hash };
  },
};

/** The type is not looked at: many servers have none for it, and a page in its place has no rules in it. */
export const ROBOTS_TXT: Errand<RobotsAnswer> = {
  name: 'robots.txt',
  accept: 'text/plain, */*;q=0.1',
  read: async (_, { statusCode: status, headers, body }, connection) => {
    const retryAfter = headerOf(headers, 'retry-after');
    const isWhole = status >= 200 && status < 300 && status !== 206;
    const most = isWhole ? ROBOTS_TXT_BYTES + 1 : 0;
    const bytes = most === 0 ? new Uint8Array() : await readStart(body, encodingOf(headers), most);
    if (bytes.length < most && connection.reset && endsWithConnection(headers)) throw connection.reset;
    return { outcome: 'answered', status, bytes, retryAfter };
  },
};

function encodingOf(headers: Dispatcher.ResponseData['headers']): Parameters<typeof readBody>[1] {
  return {
    contentEncoding: headerOf(headers, 'content-encoding'),
    contentLength: headerOf(headers, 'content-length'),
  };
}
