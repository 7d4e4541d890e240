import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RealDaemon } from '../../acceptance/real-daemon.ts';
import { ask, read } from '../crash/ask.ts';
import type { Account } from './books.ts';
import { Mailbox } from './mailbox.ts';
import { type Logged, REFUSED, type TapName, TAPS, URGENT } from './news.ts';
import { Program } from './program.ts';
import { type Arrival, Conduct, type Episode, type Misdeed } from './receiver.ts';
import { SIGNING_SECRET, type WebReceiver, WebReceivers } from './web-receivers.ts';
import { outside } from '../../../src/daemon/outside.ts';
import { openSqlite } from '../../../src/daemon/storage/sqlite/sqlite-storage.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';
import type { ParkedMessage, SinkCreation, SinkReport } from '../../../src/shared/api/notify.ts';
import type { Tap } from '../../../src/shared/api/tap.ts';

/** A sink, and how its receiver misbehaves. */
interface Plan {
  readonly name: string;
  readonly kind: 'webhook' | 'ntfy' | 'exec' | 'email';
  readonly taps: readonly TapName[];
  readonly more: Partial<SinkCreation>;
  readonly misdeeds: readonly Misdeed[];
  readonly refuses?: string;
}

const NOTHING_ELSE = { watches: 'none', problems: null } as const;

/** Of the sink `few`, in a minute. */
export const AT_MOST = 5;

export const SINKS: readonly Plan[] = [
  { name: 'all', kind: 'webhook', taps: TAPS, more: { problems: { after: 1 } }, misdeeds: ['garbage'] },
  { name: 'failing', kind: 'webhook', taps: ['alpha'], more: {}, misdeeds: ['error', 'gone'] },
  { name: 'busy', kind: 'webhook', taps: ['bravo'], more: {}, misdeeds: ['busy'] },
  { name: 'silent', kind: 'webhook', taps: ['charlie'], more: {}, misdeeds: ['hang', 'reset'] },
  { name: 'lying', kind: 'webhook', taps: ['delta'], more: {}, misdeeds: ['redirect', 'cut short', 'garbage'] },
  { name: 'picky', kind: 'webhook', taps: ['delta'], more: {}, misdeeds: ['reset'], refuses: REFUSED },
  {
    name: 'few',
    kind: 'webhook',
    taps: ['bravo', 'charlie'],
    more: { at_most: `${AT_MOST}/m` },
    misdeeds: ['error', 'hang'],
  },
  { name: 'phone', kind: 'ntfy', taps: TAPS, more: { query: `added:${URGENT}` }, misdeeds: ['error', 'busy', 'reset'] },
  {
    name: 'program',
    kind: 'exec',
    taps: ['alpha'],
    more: { query: `added:${URGENT}` },
    misdeeds: ['busy', 'be killed'],
  },
  { name: 'mail', kind: 'email', taps: ['bravo', 'delta'], more: { digest: '5m', zone: 'UTC' }, misdeeds: ['error'] },
];

/** The one that is paused in the end, for so long that the log forgets what it was to carry. */
export const FORGOTTEN = 'failing';

/** The daemon, its sinks, and what they send to. */
export class House {
  readonly daemon: RealDaemon;
  readonly web: WebReceivers;
  readonly mailbox: Mailbox;
  readonly program: Program;
  readonly tapIds = new Map<TapName, string>();
  readonly #directory: string;
  readonly #conducts: ReadonlyMap<string, Conduct>;
  readonly #received: ReadonlyMap<string, WebReceiver>;
  #life = 0;
  #laterMs = 0;

  static async start(): Promise<House> {
    const conducts = new Map(SINKS.map(({ name, misdeeds }) => [name, new Conduct(misdeeds)]));
    const conductOf = (name: string): Conduct => conducts.get(name) ?? new Conduct([]);
    const receivers = SINKS.flatMap(({ name, kind, refuses }) =>
      kind === 'webhook' || kind === 'ntfy'
        ? [{ name, kind, conduct: conductOf(name), arrivals: [], ...(refuses !== undefined && { refuses }) }]
        : [],
    );
    const web = await WebReceivers.start(receivers);
    const mailbox = await Mailbox.start(conductOf('mail'));
    const house = new House({ web, mailbox, conducts, receivers });
    await house.#furnish();
    return house;
  }

  private constructor({ web, mailbox, conducts, receivers }: Parts) {
    this.#directory = mkdtempSync(join(tmpdir(), 'hydrant-soak-'));
    this.daemon = new RealDaemon([...FLAGS]);
    this.web = web;
    this.mailbox = mailbox;
    this.program = new Program(this.#directory);
    this.#conducts = conducts;
    this.#received = new Map(receivers.map((receiver) => [receiver.name, receiver]));
  }

  /** What the daemon's clock shows. */
  get now(): number {
    return Date.now() + this.#laterMs;
  }

  /** Time that passes before the next life: each has its number, by which receivers book. */
  pass(ms: number): void {
    this.#laterMs += ms;
    this.#life += 1;
    this.web.life = this.#life;
    this.mailbox.life = this.#life;
    this.web.dropAll();
    const clock = pathToFileURL(join(import.meta.dirname, 'later-clock.ts')).href;
    this.daemon.environment = { LATER_CLOCK_MS: String(this.#laterMs), NODE_OPTIONS: `--import=${clock}` };
  }

  /** The same, up to a few seconds before a minute of its clock ends, which is when the daemon looks at problems and cuts its log. */
  passToMinuteAfter(ms: number): void {
    this.pass(ms + MINUTE_MS - ((this.now + ms) % MINUTE_MS) + MINUTE_MS - BEFORE_MINUTE_MS);
  }

  /** How the receivers behave in the coming life: one that is not named is well. */
  behave(episodes: ReadonlyMap<string, Episode>): void {
    for (const [name, conduct] of this.#conducts) conduct.begin(episodes.get(name));
    this.program.begin(this.#life, episodes.get('program')?.misdeed);
  }

  /** Writes to the database while no daemon has it. */
  async withStorage<Result>(work: (storage: Storage) => Promise<Result>): Promise<Result> {
    const storage = await openSqlite({ dataDir: this.daemon.dataDir, outside });
    try {
      return await work(storage);
    } finally {
      await storage.close();
    }
  }

  /** Undefined while the daemon is gone. */
  async sinks(): Promise<readonly SinkReport[] | undefined> {
    const answer = await ask(this.daemon, 'GET', '/admin/sinks');
    return answer?.status === 200 ? (JSON.parse(answer.body) as { data: SinkReport[] }).data : undefined;
  }

  async tell(name: string, what: 'pause' | 'resume'): Promise<void> {
    await ask(this.daemon, 'POST', `/admin/sinks/${name}/${what}`);
  }

  /** While the daemon runs. */
  async accounts(logs: ReadonlyMap<TapName, readonly Logged[]>): Promise<Account[]> {
    const reports = (await this.sinks()) ?? [];
    const accounts: Account[] = [];
    for (const { name, taps, more } of SINKS) {
      const report = reports.find((one) => one.name === name);
      if (!report) throw new Error(`there is no sink ${name}`);
      const parked = await read<ParkedMessage[]>(this.daemon, `/admin/sinks/${name}/parked?limit=500`);
      const isAsked = ({ isUrgent }: Logged): boolean => more.query === undefined || isUrgent;
      const owed = new Map(taps.map((tap) => [tap, (logs.get(tap) ?? []).filter(isAsked)] as const));
      const isNamed = name !== 'mail' && name !== 'few' && name !== FORGOTTEN;
      accounts.push({ name, arrivals: this.arrivalsOf(name), report, parked, owed, isNamed });
    }
    return accounts;
  }

  /** What came to the receiver of a sink, in its order. */
  arrivalsOf(name: string): readonly Arrival[] {
    if (name === 'mail') return this.mailbox.arrivals;
    if (name === 'program') return this.program.arrivals;
    return this.#received.get(name)?.arrivals ?? [];
  }

  async close(): Promise<void> {
    this.web.close();
    this.mailbox.close();
    await this.daemon.dispose();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** The first life: taps, a rule for each, and the sinks. */
  async #furnish(): Promise<void> {
    this.pass(0);
    await this.daemon.start();
    for (const name of TAPS) {
      await this.daemon.hydrant(['tap', 'create', name]);
      await this.daemon.hydrant(['rule', 'add', name, `title:${name}`, '--no-quality']);
    }
    for (const { id, name } of await read<Tap[]>(this.daemon, '/v1/taps')) this.tapIds.set(name as TapName, id);
    for (const plan of SINKS) await this.#add(plan);
    await this.daemon.killAtRandom();
  }

  async #add({ name, kind, taps, more }: Plan): Promise<void> {
    const given = { name, kind, taps: taps.length === TAPS.length ? ('all' as const) : [...taps] };
    const body = { ...given, ...this.#target(name, kind), ...NOTHING_ELSE, ...more };
    const answer = await ask(this.daemon, 'POST', '/admin/sinks', { body });
    if (answer?.status !== 201) throw new Error(`the sink ${name} was not made: ${answer?.body ?? 'no answer'}`);
  }

  #target(name: string, kind: Plan['kind']): Pick<SinkCreation, 'options' | 'secrets'> {
    switch (kind) {
      case 'webhook':
        return { options: { url: `${this.web.origin}/${name}` }, secrets: { secret: SIGNING_SECRET } };
      case 'ntfy':
        return { options: { url: this.web.origin, topic: name } };
      case 'exec':
        return { options: { command: JSON.stringify([this.program.path]) } };
      case 'email':
        return { options: { host: '127.0.0.1', port: String(this.mailbox.port), security: 'none', ...ADDRESSES } };
    }
  }
}

const MINUTE_MS = 60_000;
const BEFORE_MINUTE_MS = 4_000;
const ADDRESSES = { from: 'hydrant@site.test', to: 'reader@site.test' };
const FLAGS = ['--allow-private', '127.0.0.0/8', '--crawl-host-delay', '0', '--log-level', 'error'] as const;

interface Parts {
  readonly web: WebReceivers;
  readonly mailbox: Mailbox;
  readonly conducts: ReadonlyMap<string, Conduct>;
  readonly receivers: readonly WebReceiver[];
}
