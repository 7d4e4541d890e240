import type { ArchiveAnswer, Ingested } from '../../../src/shared/api/crawl.ts';
import type { RealDaemon } from '../../acceptance/real-daemon.ts';
import { response } from '../../shared/archive/warc-bytes.ts';
import { ask } from './ask.ts';
import type { Findings } from './findings.ts';
import { letters, VersionedPage } from './versioned-page.ts';

/**
 * Somebody who sends an archive, record by record, and goes on after each kill with the record that was not acknowledged.
 * Now and then an old one is sent again, which has to change nothing.
 */
export class ArchiveFeed {
  readonly pages: VersionedPage[];
  readonly #findings: Findings;
  readonly #random: () => number;
  readonly #sent: Buffer[] = [];
  readonly #acknowledged: { readonly url: string; readonly at: number }[] = [];
  #turn = 0;
  #isOpen = false;

  constructor(findings: Findings, random: () => number) {
    this.#findings = findings;
    this.#random = random;
    this.pages = Array.from({ length: PAGES }, (_, index) => {
      return new VersionedPage(`archived${letters(index)}`, `http://archive-${index % 2}.example/${letters(index)}`);
    });
  }

  get acknowledged(): number {
    return this.#acknowledged.length;
  }

  /** All records that were acknowledged, as a file has them. */
  get bytes(): Buffer {
    return Buffer.concat(this.#sent.slice(0, this.#acknowledged.length));
  }

  async step(daemon: RealDaemon): Promise<void> {
    const old = this.#acknowledged.length;
    if (old > 0 && this.#random() < AGAIN) await this.#sendAgain(daemon, Math.floor(this.#random() * old));
    const page = this.pages[this.#turn % PAGES];
    if (page === undefined) return;
    if (!this.#isOpen) this.#open(page);
    const answer = await ask(daemon, 'POST', '/admin/ingest', { bytes: this.#sent.at(-1) ?? Buffer.alloc(0) });
    if (answer === undefined || answer.status >= 300) return;
    const { outcome, reason, events } = (JSON.parse(answer.body) as { data: Ingested }).data;
    const isKnown = outcome === 'skipped' && reason === 'known';
    if (!isKnown && !(outcome === 'changed' && events > 0))
      this.#findings.lose(`a record of ${page.url}: ${answer.body}`);
    this.#acknowledged.push({ url: page.url, at: timeOf(this.#turn) });
    this.#isOpen = false;
    this.#turn += 1;
  }

  /** Until each page was sent, and no record is under way. */
  async finish(daemon: RealDaemon): Promise<void> {
    const isUnderWay = (): boolean => this.#isOpen || this.#turn < PAGES;
    for (let trial = 0; isUnderWay() && trial < TRIALS; trial += 1) await this.step(daemon);
    if (isUnderWay()) this.#findings.contradict('a record of the archive is not taken');
  }

  /** What was acknowledged, the daemon knows in its next life. */
  async look(daemon: RealDaemon): Promise<void> {
    const records = this.#acknowledged.slice(-PAGES);
    if (records.length === 0) return;
    const answer = await ask(daemon, 'POST', '/admin/ingest/known', { body: { records } });
    if (answer?.status !== 200) throw new Error(`known → ${answer?.status ?? 'nothing'}: ${answer?.body ?? ''}`);
    for (const [index, isKnown] of (JSON.parse(answer.body) as { data: ArchiveAnswer }).data.known.entries()) {
      if (!isKnown) this.#findings.lose(`an acknowledged record of ${records[index]?.url ?? ''}`);
    }
  }

  #open(page: VersionedPage): void {
    if (this.#turn >= PAGES) page.publish();
    const at = new Date(timeOf(this.#turn)).toISOString();
    this.#sent.push(response({ url: page.url, at: at.replace('.000', ''), body: page.html() }));
    this.#isOpen = true;
  }

  async #sendAgain(daemon: RealDaemon, index: number): Promise<void> {
    const bytes = this.#sent[index] ?? Buffer.alloc(0);
    const answer = await ask(daemon, 'POST', '/admin/ingest', { bytes });
    if (answer?.status !== 200) return;
    const { outcome, reason } = (JSON.parse(answer.body) as { data: Ingested }).data;
    if (outcome !== 'skipped' || reason !== 'known')
      this.#findings.double(`a record that was sent again: ${answer.body}`);
  }
}

/** Seconds after each other, two years ago: each later than the one before it. */
function timeOf(turn: number): number {
  return Date.UTC(2024, 0, 1) + turn * 1_000;
}

const PAGES = 6;
const AGAIN = 0.05;
const TRIALS = 20;
