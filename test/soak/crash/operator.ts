import type { Rule } from '../../../src/shared/api/rule.ts';
import type { SavedMatch } from '../../../src/shared/api/match.ts';
import type { Source } from '../../../src/shared/api/crawl.ts';
import type { Tap } from '../../../src/shared/api/tap.ts';
import type { CreditEntry } from '../../../src/shared/api/organization.ts';
import type { WatchReport } from '../../../src/shared/api/watch.ts';
import { type Answer, type Answering, ask, read } from './ask.ts';
import { Book } from './book.ts';
import type { Findings } from './findings.ts';

/** The tap whose one rule matches every page, and stays. */
export const STEADY = 'steady';

/** What somebody with the operator's rights changes all day long, and what they were told of it. */
export class Operator {
  readonly rules: Book;
  readonly taps: Book;
  readonly sources: Book;
  readonly watches: Book;
  readonly saved: Book;
  readonly grants: Book;
  readonly #daemon: Answering;
  readonly #findings: Findings;
  readonly #random: () => number;
  readonly #tokens = new Map<string, string>();
  #serial = 0;

  constructor(daemon: Answering, findings: Findings, random: () => number) {
    this.#daemon = daemon;
    this.#findings = findings;
    this.#random = random;
    const book = (name: string): Book => new Book(name, findings);
    this.rules = book('rule');
    this.taps = book('tap');
    this.sources = book('source');
    this.watches = book('watch');
    this.saved = book('saved match');
    this.grants = book('grant');
  }

  get books(): readonly Book[] {
    return [this.rules, this.taps, this.sources, this.watches, this.saved, this.grants];
  }

  get acknowledged(): number {
    return this.books.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }

  token(tap: string): string {
    return this.#tokens.get(tap) ?? '';
  }

  /** One more of its kind, by a name that nobody had before. */
  next(prefix: string): string {
    this.#serial += 1;
    return `${prefix}${this.#serial}`;
  }

  any<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.#random() * items.length)];
  }

  makeTap(name: string): Promise<number | undefined> {
    return this.taps.write(name, 'active', async () => {
      const answer = await ask(this.#daemon, 'POST', '/v1/taps', { body: { name } });
      if (answer?.status === 201) this.#tokens.set(name, (JSON.parse(answer.body) as { readonly token: string }).token);
      return withId(answer);
    });
  }

  async changeTap(name: string, status: 'active' | 'paused' | undefined): Promise<void> {
    const path = `/v1/taps/${this.taps.id(name)}`;
    await this.taps.write(name, status, () =>
      status === undefined ? ask(this.#daemon, 'DELETE', path) : ask(this.#daemon, 'PUT', path, { body: { status } }),
    );
  }

  /** `value`: undefined takes it away. The tag is what it is known by. */
  async writeRule(tag: string, tap: string, query: string | undefined): Promise<number | undefined> {
    const token = this.token(tap);
    const id = this.rules.id(tag);
    const body = { value: query, tag, quality: false };
    const value = query === undefined ? undefined : `${tap} ${query}`;
    return this.rules.write(tag, value, async () => {
      if (query === undefined) return ask(this.#daemon, 'DELETE', `/v1/rules/${id}`, { token });
      if (id !== '') return ask(this.#daemon, 'PUT', `/v1/rules/${id}`, { token, body });
      return withId(await ask(this.#daemon, 'POST', '/v1/rules', { token, body }));
    });
  }

  async writeSource(url: string, isThere: boolean): Promise<void> {
    const path = `/admin/sources/${this.sources.id(url)}`;
    const body = { url, scope: 'page', every_seconds: 1 };
    await this.sources.write(url, isThere ? 'page' : undefined, async () => {
      if (!isThere) return ask(this.#daemon, 'DELETE', path);
      return withId(await ask(this.#daemon, 'POST', '/admin/sources', { body }));
    });
  }

  async writeWatch(url: string, status: 'active' | 'paused'): Promise<void> {
    const id = this.watches.id(url);
    await this.watches.write(url, status, async () => {
      if (id !== '') return ask(this.#daemon, 'PATCH', `/admin/watches/${id}`, { body: { status } });
      const body = { url, frequency_minutes: 5, status };
      return withId(await ask(this.#daemon, 'POST', '/admin/watches', { body }));
    });
  }

  /** One of a kind for an address. `event`: undefined takes it away again. */
  async saveMatch(url: string, event: string | undefined): Promise<void> {
    const path = `/admin/matches/${this.saved.id(url)}`;
    await this.saved.write(url, event === undefined ? undefined : 'saved', async () => {
      if (event === undefined) return ask(this.#daemon, 'DELETE', path);
      return withId(await ask(this.#daemon, 'POST', '/admin/matches', { body: { tap: STEADY, event } }));
    });
  }

  grant(thousandths: number): Promise<number | undefined> {
    const amount = thousandths / 1_000;
    return this.grants.write(String(amount), 'grant', () =>
      ask(this.#daemon, 'POST', '/admin/credit/grants', { body: { amount } }),
    );
  }

  /** At the beginning of a life, while nobody writes: is all there that was acknowledged? */
  async look(): Promise<void> {
    const taps = await read<Tap[]>(this.#daemon, '/v1/taps');
    for (const { name, token } of taps) this.#tokens.set(name, token);
    this.taps.look(new Map(taps.map(({ id, name, status }) => [name, { id, value: status }])));
    await this.#lookAtRules(taps);
    const sources = await read<Source[]>(this.#daemon, '/admin/sources');
    this.sources.look(new Map(sources.map(({ id, url, scope }) => [url, { id, value: scope }])));
    const watches = await read<WatchReport[]>(this.#daemon, '/admin/watches');
    this.watches.look(new Map(watches.map(({ id, url, status }) => [url, { id, value: status }])));
    const matches = await read<SavedMatch[]>(this.#daemon, '/admin/matches?limit=100');
    this.saved.look(new Map(matches.map(({ id, url }) => [url, { id, value: 'saved' }])));
    const history = await read<CreditEntry[]>(this.#daemon, '/admin/credit/history');
    const grants = history.filter(({ kind }) => kind === 'grant');
    this.grants.look(new Map(grants.map(({ amount }) => [String(amount), { id: '', value: 'grant' }])));
    if (new Set(grants.map(({ amount }) => amount)).size < grants.length) this.#findings.double('a grant of credit');
  }

  async #lookAtRules(taps: readonly Tap[]): Promise<void> {
    const listed = new Map<string, { id: string; value: string }>();
    let active = 0;
    for (const { name, token, status, rules_count: count } of taps) {
      if (count === 0) continue;
      const rules = await read<Rule[]>(this.#daemon, '/v1/rules', token);
      if (status === 'active') active += rules.length;
      for (const { id, tag = '', value } of rules) listed.set(tag, { id, value: `${name} ${value}` });
    }
    this.rules.look(listed);
    const { match } = await read<{ match: { rules: number } }>(this.#daemon, '/admin/status');
    if (match.rules !== active) {
      this.#findings.contradict(`${match.rules} rules are registered, and ${active} are in the catalog`);
    }
  }
}

function withId(answer: Answer | undefined): { status: number; id?: string } | undefined {
  if (answer === undefined || answer.status >= 300) return answer;
  return { status: answer.status, id: (JSON.parse(answer.body) as { data: { id: string } }).data.id };
}
