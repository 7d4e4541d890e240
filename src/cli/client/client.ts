import { setTimeout as pause } from 'node:timers/promises';
import type { Diagnostic } from '../../shared/api/diagnostic.ts';
import type { Key, KeyCreated } from '../../shared/api/organization.ts';
import { ORGANIZATION_HEADER } from '../../shared/daemon-notice.ts';
import type { Rule, RuleChange, RuleCreation } from '../../shared/api/rule.ts';
import type { Status } from '../../shared/api/status.ts';
import type { Tap, TapChange, TapCreated } from '../../shared/api/tap.ts';
import type { Connection } from '../runtime/context.ts';
import { OperatorOnly, UsageError } from '../runtime/failure.ts';
import { AccountEndpoints } from './accounts.ts';
import { CrawlEndpoints, RatingEndpoints } from './crawl.ts';
import { FeedEndpoints } from './feeds.ts';
import { FilterEndpoints, RuleReportEndpoint, RuleTrialEndpoint, SavedMatchEndpoints } from './rules.ts';
import { IngestEndpoints } from './ingest.ts';
import {
  type Asking,
  type Guard,
  isDiagnostic,
  isKey,
  isKeyCreated,
  isRule,
  isStatus,
  isTap,
  isTapCreated,
  listOf,
} from './shape.ts';
import { type Answer, NotHydrant, readAnswer, Refused, send } from './transport.ts';
import { isObject } from '../../shared/page/json-value.ts';
import { SinkEndpoints } from './sinks.ts';
import { UiEndpoints } from './ui.ts';
import { OwnWatchEndpoints, WatchEndpoints } from './watches.ts';

/** A rule that was accepted, and what the daemon thinks of its query all the same. */
export interface AcceptedRule {
  readonly rule: Rule;
  readonly warnings: readonly Diagnostic[];
}

/** Tries of one request that is answered 429 or 503, and the longest wait between two, in seconds. */
const TRIES = 3;
const LONGEST_WAIT_SECONDS = 30;

/**
 * The daemon's API, one method an endpoint. What the tap's token may do takes the token; what the operator alone may
 * do goes over the Unix socket and says so when there is none.
 * @throws {Unreachable} no answer · {Refused} a status that is not 2xx · {NotHydrant} another server's answer
 */
export class Client {
  readonly #connection: Connection;
  readonly #signal: AbortSignal | undefined;
  readonly accounts: AccountEndpoints;
  readonly crawl: CrawlEndpoints;
  readonly feeds: FeedEndpoints;
  readonly filters: FilterEndpoints;
  readonly ingest: IngestEndpoints;
  readonly ratings: RatingEndpoints;
  readonly reports: RuleReportEndpoint;
  readonly saved: SavedMatchEndpoints;
  readonly sinks: SinkEndpoints;
  readonly trials: RuleTrialEndpoint;
  readonly ui: UiEndpoints;
  readonly watches: WatchEndpoints;
  readonly ownWatches: OwnWatchEndpoints;

  constructor(connection: Connection, signal?: AbortSignal) {
    this.#connection = connection;
    this.#signal = signal;
    type Send = (method: string, path: string, body?: object) => Promise<unknown>;
    const by = (send: Send): Asking => ({
      ask: async (guard, ...request) => this.#one(guard, await send(...request)),
      askWhole: async (guard, ...request) => this.#whole(guard, await send(...request)),
      tell: async (...request) => void (await send(...request)),
    });
    const asking = (noun: string): Asking => by((...request) => this.#operate(noun, ...request));
    this.accounts = new AccountEndpoints(asking);
    this.crawl = new CrawlEndpoints(asking('crawl'));
    this.feeds = new FeedEndpoints(asking('feed'));
    this.filters = new FilterEndpoints(asking('filter'));
    this.ingest = new IngestEndpoints(asking('ingest'));
    this.ratings = new RatingEndpoints(asking('rating'));
    this.reports = new RuleReportEndpoint(asking('rule'));
    this.saved = new SavedMatchEndpoints(asking('saved'));
    this.sinks = new SinkEndpoints(asking('notify'));
    this.trials = new RuleTrialEndpoint(asking('rule try'));
    this.ui = new UiEndpoints(asking('ui'));
    this.watches = new WatchEndpoints(asking('watch'));
    this.ownWatches = new OwnWatchEndpoints(by((...request) => this.#manage(...request)));
  }

  async taps(): Promise<Tap[]> {
    return this.#list(isTap, await this.#manage('GET', '/v1/taps'));
  }

  async createTap(name: string): Promise<TapCreated> {
    return this.#whole(isTapCreated, await this.#manage('POST', '/v1/taps', { name }));
  }

  async changeTap(id: string, change: TapChange): Promise<Tap> {
    return this.#one(isTap, await this.#manage('PUT', `/v1/taps/${encodeURIComponent(id)}`, change));
  }

  async revokeTap(id: string): Promise<void> {
    await this.#manage('DELETE', `/v1/taps/${encodeURIComponent(id)}`);
  }

  async rules(token: string): Promise<Rule[]> {
    return this.#list(isRule, await this.#send('GET', '/v1/rules', token));
  }

  async createRule(token: string, rule: RuleCreation): Promise<AcceptedRule> {
    return this.#accepted(await this.#send('POST', '/v1/rules', token, rule));
  }

  async changeRule(token: string, id: string, change: RuleChange): Promise<AcceptedRule> {
    return this.#accepted(await this.#send('PUT', `/v1/rules/${encodeURIComponent(id)}`, token, change));
  }

  async removeRule(token: string, id: string): Promise<void> {
    await this.#send('DELETE', `/v1/rules/${encodeURIComponent(id)}`, token);
  }

  async status(): Promise<Status> {
    return this.#one(isStatus, await this.#operate('status', 'GET', '/admin/status'));
  }

  async keys(): Promise<Key[]> {
    return this.#list(isKey, await this.#operate('key', 'GET', '/admin/keys'));
  }

  /** `member`: whom it acts as; absent: the organization's first admin. */
  async createKey(name: string, member?: string): Promise<KeyCreated> {
    const creation = { name, ...(member !== undefined && { member }) };
    return this.#whole(isKeyCreated, await this.#operate('key', 'POST', '/admin/keys', creation));
  }

  async revokeKey(id: string): Promise<void> {
    await this.#operate('key', 'DELETE', `/admin/keys/${encodeURIComponent(id)}`);
  }

  /** What a management key may do, and the operator. */
  async #manage(method: string, path: string, body?: object): Promise<unknown> {
    const { credential } = this.#connection;
    if (credential.kind === 'tap') {
      throw new UsageError('a tap token is enough for `hydrant rule` and `hydrant tail` only', {
        hint: 'set HYDRANT_KEY to a management key, or give --key-file <file>',
      });
    }
    return this.#send(method, path, credential.kind === 'manager' ? credential.key : undefined, body);
  }

  /** What the operator alone may do: nothing administrative listens on the network. */
  async #operate(noun: string, method: string, path: string, body?: object): Promise<unknown> {
    if (this.#connection.credential.kind !== 'operator') {
      // Of watches a key reaches some commands: those that only name, add and change them.
      const what = noun === 'watch' ? 'this part of `hydrant watch`' : `\`hydrant ${noun}\``;
      throw new OperatorOnly(what);
    }
    return this.#send(method, path, undefined, body);
  }

  async #send(method: string, path: string, bearer: string | undefined, body?: object): Promise<unknown> {
    const content = body && written(body);
    for (let left = TRIES - 1; ; left -= 1) {
      const answer = await send(this.#connection.target, {
        method,
        path,
        headers: headersOf(this.#connection, bearer, content),
        ...(content && { body: content.text }),
        ...(this.#signal && { signal: this.#signal }),
      });
      const read = await readAnswer(answer, this.#connection.target);
      if (answer.status >= 200 && answer.status < 300) return read;
      const seconds = left > 0 ? retryAfter(answer) : undefined;
      if (seconds === undefined) throw new Refused(answer, read);
      await pause(seconds * 1_000, undefined, this.#signal ? { signal: this.#signal } : {});
    }
  }

  #list<Item>(guard: Guard<Item>, body: unknown): Item[] {
    return this.#one(listOf(guard), body);
  }

  #one<Item>(guard: Guard<Item>, body: unknown): Item {
    return this.#whole(guard, isObject(body) ? body['data'] : undefined);
  }

  #whole<Item>(guard: Guard<Item>, value: unknown): Item {
    if (guard(value)) return value;
    throw new NotHydrant(this.#connection.target, 'an answer with an unexpected structure');
  }

  #accepted(body: unknown): AcceptedRule {
    // Daemons before `warnings` had `diagnostics` alone.
    const warnings = isObject(body) ? (body['warnings'] ?? body['diagnostics']) : undefined;
    return { rule: this.#one(isRule, body), warnings: listOf(isDiagnostic)(warnings) ? warnings : [] };
  }
}

function headersOf(
  { credential }: Connection,
  bearer: string | undefined,
  content: Written | undefined,
): Record<string, string> {
  const organization = credential.kind === 'operator' ? credential.organization : undefined;
  return {
    accept: 'application/json',
    ...(organization !== undefined && { [ORGANIZATION_HEADER]: encodeURIComponent(organization) }),
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    ...(content && { 'content-type': content.type }),
  };
}

interface Written {
  readonly type: string;
  readonly text: string | Uint8Array;
}

/** A record of an archive goes as it is; everything else is JSON. */
function written(body: object): Written {
  if (body instanceof Uint8Array) return { type: 'application/warc', text: body };
  return { type: 'application/json', text: JSON.stringify(body) };
}

/** Seconds to wait before the next try; undefined where trying again is of no use, or takes too long. */
function retryAfter(answer: Answer): number | undefined {
  if (answer.status !== 429 && answer.status !== 503) return undefined;
  const seconds = Number(answer.headers['retry-after'] ?? 1);
  return seconds >= 0 && seconds <= LONGEST_WAIT_SECONDS ? seconds : undefined;
}

/** Requests under way at once: the daemon commits together what comes together, and one at a time waits for the disk each time. */
const AT_ONCE = 16;

/** Asks for each, some at once; the answers stand in the order of the items. Nothing is asked after a failure. */
export async function inSteps<Item, Answer>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Answer>,
  tell?: (done: number) => void,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    answers.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(ask))));
    tell?.(answers.length);
  }
  return answers;
}
