import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../../fixtures/series.ts';
import { ask } from '../crash/ask.ts';
import { CHANGING, chore, furnish, PAUSING } from '../crash/chores.ts';
import { Crawled } from '../crash/crawled.ts';
import { checkCredit, prepay } from '../crash/credit-books.ts';
import { Findings } from '../crash/findings.ts';
import { Operator, STEADY } from '../crash/operator.ts';
import { Reader } from '../crash/reader.ts';
import { Told } from '../crash/told.ts';
import { Watching } from '../crash/watching.ts';
import { ClusterNodes, type ClusterNode, DEADLINE_MS } from './cluster-nodes.ts';
import { ReplicatedDatabase } from './replicated-database.ts';
import { RequestBooks } from './request-books.ts';

const NODES = 3;
const HOSTS = 12;
/** People who change something at the same moment. */
const OPERATORS = 3;
/** A client that hears nothing of a node that is stopped goes to another one. */
const SILENCE_MS = 2_000;
/** What was shown last has been told after so long. */
const QUIET_MS = 3_000;
/** A check that is asked for of a node that is stopped is asked of another one next time. */
const WATCH_PATIENCE_MS = 5_000;

/** Three daemons on one database, and all who have to do with them: what they were told is what it is held against. */
export class ClusterWorld {
  readonly findings: Findings;
  readonly random: () => number;
  readonly database: ReplicatedDatabase;
  readonly nodes: ClusterNodes;
  readonly books: RequestBooks;
  readonly operator: Operator;
  readonly crawled: Crawled;
  readonly watching: Watching;
  readonly told: readonly Told[];
  readonly readers: readonly Reader[];
  readonly #directory: string;
  readonly #served = new Map<Reader, ClusterNode>();
  #work: { readonly done: Promise<unknown>; readonly end: () => void } | undefined;

  static async start(seed: number): Promise<ClusterWorld> {
    const [findings, random] = [new Findings(), seeded(seed)];
    const books = new RequestBooks(findings, random, DEADLINE_MS);
    const attend: RequestBooks['attend'] = (request, response) => books.attend(request, response);
    const crawled = await Crawled.start({ hosts: HOSTS, attend });
    const watching = await Watching.start(findings, attend);
    const database = await ReplicatedDatabase.start();
    return new ClusterWorld({ findings, random, books, crawled, watching, database });
  }

  private constructor(parts: Parts) {
    const { findings, random, books, crawled, watching, database } = parts;
    this.findings = findings;
    this.random = random;
    this.books = books;
    this.crawled = crawled;
    this.watching = watching;
    this.database = database;
    this.#directory = mkdtempSync(join(tmpdir(), 'hydrant-cluster-'));
    this.nodes = new ClusterNodes(NODES, { directory: this.#directory, url: database.url, findings, random });
    this.operator = new Operator(this.nodes, findings, random);
    const steady = new Told(STEADY, findings, (event) => crawled.hear(event));
    const [changing, pausing] = [new Told(CHANGING, findings), new Told(PAUSING, findings)];
    this.told = [steady, changing, pausing];
    this.readers = [
      new Reader({ name: 'SSE', told: steady, findings }),
      new Reader({ name: 'another SSE', told: steady, findings }),
      new Reader({ name: 'slow SSE', told: steady, findings, isSlow: true }),
      new Reader({ name: 'lines', told: steady, findings, form: 'lines' }),
      new Reader({ name: 'SSE of changing', told: changing, findings }),
      new Reader({ name: 'slow lines of pausing', told: pausing, findings, form: 'lines', isSlow: true }),
    ];
  }

  get daemon(): ClusterNodes {
    return this.nodes;
  }

  get events(): number {
    return this.told.reduce((sum, { events }) => sum + events.size, 0);
  }

  /** Before anything goes wrong: taps, rules, credit, sources and watches. */
  async furnish(): Promise<void> {
    await this.nodes.start();
    await furnish({ operator: this.operator, names: this.#names });
    await prepay(this.nodes);
    // At once: each waits for the other nodes.
    await Promise.all([
      ...this.crawled.plain.map(({ url }) => this.operator.writeSource(url, true)),
      ...this.crawled.hubs.map(({ url }) => this.#addHub(url)),
      ...this.watching.site.pages.map(({ url }) => this.operator.writeWatch(url, 'active')),
    ]);
    await this.look();
  }

  /** While nobody writes, and all nodes run. */
  async look(): Promise<void> {
    await this.operator.look();
    await this.watching.look(this.nodes);
    await checkCredit(this.nodes, this);
  }

  /** All of them at work, until `rest`. */
  work(): void {
    this.crawled.goOn();
    const { promise, resolve } = Promise.withResolvers<true>();
    const repeat = async (step: () => Promise<unknown>, pauseMs: number): Promise<void> => {
      do await step();
      while (!(await Promise.race([promise, sleep(pauseMs, false)])));
    };
    const operators = Array.from({ length: OPERATORS }, () => repeat(() => chore(this.#around), 100));
    const watching = repeat(() => this.watching.step(this.#hasty), 300);
    const done = Promise.all([repeat(() => this.follow(), 100), watching, ...operators]);
    this.#work = { done, end: () => resolve(true) };
  }

  /** Nobody waits for an answer any more, and nobody is told anything: the books stand still. */
  async rest(): Promise<void> {
    this.crawled.rest();
    this.#work?.end();
    await this.#work?.done;
    this.#work = undefined;
    for (let before = -1; before < this.events;) {
      before = this.events;
      await this.follow();
      await sleep(QUIET_MS);
    }
  }

  /** Whoever has lost its stream opens it again, on any node; whoever hears nothing of a stopped node leaves it. */
  async follow(readers: readonly Reader[] = this.readers): Promise<void> {
    const lost = readers.filter(({ isOpen }) => !isOpen);
    await Promise.all(lost.map((reader) => this.#open(reader)));
  }

  /** The clients of a node that has stopped wait a little, and go to another one. */
  async forsake(node: ClusterNode): Promise<void> {
    await sleep(SILENCE_MS);
    for (const [reader, its] of this.#served) if (its === node && node.state === 'stopped') reader.close();
  }

  async close(): Promise<void> {
    for (const reader of this.readers) reader.close();
    await this.nodes.close();
    await this.database.close();
    this.crawled.site.close();
    this.watching.site.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #open(reader: Reader): Promise<void> {
    const node = this.nodes.any();
    if (node?.daemon.socket === undefined) return;
    this.#served.set(reader, node);
    const status = await reader.open(node.daemon.notice.url, this.operator.token(reader.told.tap));
    if (status === 200 || status === 0) return;
    reader.close();
    // Opened too often within a minute, or the database is away.
    if (status !== 429 && status !== 503)
      this.findings.contradict(`${reader.name}: its stream is refused with ${status}`);
  }

  get #hasty() {
    return { socket: this.nodes.socket, patienceMs: WATCH_PATIENCE_MS };
  }

  get #names(): string[] {
    return this.crawled.site.pages.slice(0, RULED_PAGES).map(({ name }) => name);
  }

  get #around() {
    const origins = { crawled: this.crawled.site.origins, watched: this.watching.site.origins };
    const [steady] = this.told;
    if (steady === undefined) throw new Error('there is no steady tap');
    return { operator: this.operator, names: this.#names, origins, steady };
  }

  async #addHub(url: string): Promise<void> {
    const body = { url, scope: 'host', depth: 1, every_seconds: 1 };
    await this.operator.sources.write(url, 'host', () => ask(this.nodes, 'POST', '/admin/sources', { body }));
  }
}

interface Parts {
  readonly findings: Findings;
  readonly random: () => number;
  readonly books: RequestBooks;
  readonly crawled: Crawled;
  readonly watching: Watching;
  readonly database: ReplicatedDatabase;
}

/** Pages that rules of the operator may name. */
const RULED_PAGES = 20;
