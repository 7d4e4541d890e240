import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RealDaemon } from '../../acceptance/real-daemon.ts';
import { seeded } from '../../fixtures/series.ts';
import { ArchiveFeed } from './archive-feed.ts';
import { ask } from './ask.ts';
import { CHANGING, chore, furnish, PAUSING } from './chores.ts';
import { Crawled } from './crawled.ts';
import { checkCredit, prepay } from './credit-books.ts';
import { Operator, STEADY } from './operator.ts';
import { Findings } from './findings.ts';
import { Reader } from './reader.ts';
import { SmallDisk } from './small-disk.ts';
import { Told } from './told.ts';
import { Watching } from './watching.ts';

const FLAGS = ['--allow-private', '127.0.0.0/8', '--crawl-host-delay', '0', '--crawl-threads', '1'];

/** A real daemon, and all who have to do with it: what they were told is what it is held against. */
export class World {
  readonly findings = new Findings();
  readonly random: () => number;
  readonly disk = new SmallDisk();
  readonly daemon: RealDaemon;
  readonly operator: Operator;
  readonly feed: ArchiveFeed;
  readonly crawled: Crawled;
  readonly watching: Watching;
  readonly told: readonly Told[];
  readonly readers: readonly Reader[];

  static async start(seed: number): Promise<World> {
    const findings = new Findings();
    return new World(seed, findings, await Crawled.start(), await Watching.start(findings));
  }

  private constructor(seed: number, findings: Findings, crawled: Crawled, watching: Watching) {
    this.findings = findings;
    this.random = seeded(seed);
    this.crawled = crawled;
    this.watching = watching;
    this.daemon = new RealDaemon([...FLAGS, '--log-level', 'error'], join(this.disk.directory, 'data'));
    this.operator = new Operator(this.daemon, findings, this.random);
    this.feed = new ArchiveFeed(findings, this.random);
    crawled.know(this.feed.pages);
    const steady = new Told(STEADY, findings, (event) => crawled.hear(event));
    const [changing, pausing] = [new Told(CHANGING, findings), new Told(PAUSING, findings)];
    this.told = [steady, changing, pausing];
    this.readers = [
      new Reader({ name: 'SSE', told: steady, findings }),
      new Reader({ name: 'slow SSE', told: steady, findings, isSlow: true }),
      new Reader({ name: 'lines', told: steady, findings, form: 'lines' }),
      new Reader({ name: 'SSE of changing', told: changing, findings }),
      new Reader({ name: 'slow lines of pausing', told: pausing, findings, form: 'lines', isSlow: true }),
    ];
  }

  get acknowledged(): number {
    return this.operator.acknowledged + this.feed.acknowledged;
  }

  get names(): readonly string[] {
    return [...this.crawled.site.pages.slice(0, RULED_PAGES), ...this.feed.pages].map(({ name }) => name);
  }

  /** The first life, in which nothing goes wrong: taps, rules, credit, sources and watches. */
  async furnish(): Promise<void> {
    await this.daemon.start();
    await furnish(this);
    await prepay(this.daemon);
    for (const { url } of this.crawled.plain) await this.operator.writeSource(url, true);
    for (const { url } of this.crawled.hubs) await this.#addHub(url);
    for (const { url } of this.watching.site.pages) await this.operator.writeWatch(url, 'active');
    await this.look();
  }

  /** At the beginning of a life, before anyone writes. */
  async look(): Promise<void> {
    await this.operator.look();
    await this.feed.look(this.daemon);
    await this.watching.look(this.daemon);
    await checkCredit(this.daemon, this);
  }

  /** All of them at work, until `over`. */
  async work(over: Promise<unknown>): Promise<void> {
    const ended = over.then(() => true);
    const repeat = async (step: () => Promise<unknown>, pauseMs: number): Promise<void> => {
      do await step();
      while (!(await Promise.race([ended, sleep(pauseMs, false)])));
    };
    await Promise.all([
      repeat(() => this.follow(), 50),
      repeat(() => chore(this.#around), 25),
      repeat(() => this.feed.step(this.daemon), 15),
      repeat(() => this.watching.step(this.daemon), 120),
      ended,
    ]);
  }

  /** Whoever has lost its stream opens it again. */
  async follow(readers: readonly Reader[] = this.readers): Promise<void> {
    const lost = readers.filter(({ isOpen }) => !isOpen);
    await Promise.all(
      lost.map(async (reader) => {
        const status = await reader.open(this.daemon.notice.url, this.operator.token(reader.told.tap));
        if (status === 200 || status === 0) return;
        reader.close();
        // Opened too often within a minute, or nobody is at home.
        if (status !== 429 && status !== 503)
          this.findings.contradict(`${reader.name}: its stream is refused with ${status}`);
      }),
    );
  }

  async close(): Promise<void> {
    for (const reader of this.readers) reader.close();
    await this.daemon.kill();
    this.crawled.site.close();
    this.watching.site.close();
    this.disk.close();
  }

  get #around() {
    const origins = { crawled: this.crawled.site.origins, watched: this.watching.site.origins };
    const [steady] = this.told;
    if (steady === undefined) throw new Error('there is no steady tap');
    return { operator: this.operator, names: this.names, origins, steady };
  }

  async #addHub(url: string): Promise<void> {
    const body = { url, scope: 'host', depth: 1, every_seconds: 1 };
    await this.operator.sources.write(url, 'host', async () => {
      const answer = await ask(this.daemon, 'POST', '/admin/sources', { body });
      return answer;
    });
  }
}

/** Pages that rules of the operator may name. */
const RULED_PAGES = 20;
