import type { WatchNews, WatchReport } from '../../../src/shared/api/watch.ts';
import { type Answering, ask, read } from './ask.ts';
import type { Findings } from './findings.ts';
import { type Attend, CrashSite } from './site.ts';
import { readTitle } from './versioned-page.ts';

/** Watched pages, each checked without rest, and a client that reads their changes by the cursor. */
export class Watching {
  readonly site: CrashSite;
  readonly #findings: Findings;
  readonly #told = new Map<number, string>();
  readonly #newest = new Map<string, number>();
  #ids: readonly string[] = [];
  #cursor = 0;
  #isResting = false;

  static async start(findings: Findings, attend?: Attend): Promise<Watching> {
    const shape = { hosts: 4, pagesAHost: 2, from: 60, ...(attend && { attend }) };
    return new Watching(await CrashSite.start('watched', shape), findings);
  }

  private constructor(site: CrashSite, findings: Findings) {
    this.site = site;
    this.#findings = findings;
  }

  get changes(): number {
    return this.#told.size;
  }

  /** Of watches that are there already: by their URLs. */
  async look(daemon: Answering): Promise<void> {
    const reports = await read<WatchReport[]>(daemon, '/admin/watches');
    const ids = new Map(reports.map(({ id, url }) => [url, id]));
    this.#ids = this.site.pages.map(({ url }) => ids.get(url) ?? '');
    for (const { name, url } of this.site.pages) {
      const told = this.#newest.get(name) ?? 0;
      const count = reports.find((report) => report.url === url)?.change_count ?? 0;
      if (count < told) this.#findings.lose(`${told} changes of ${name} were told, and ${count} are left`);
    }
  }

  /** From now on nothing new is shown. */
  rest(): void {
    this.#isResting = true;
  }

  async step(daemon: Answering): Promise<void> {
    await Promise.all(this.#ids.map((id) => ask(daemon, 'POST', `/admin/watches/${id}/check`)));
    await this.#readNews(daemon);
    await this.#publishFirst(daemon);
  }

  /** From the first change on: all that was told is told again as it was, and nothing is between. */
  async readAgain(daemon: Answering): Promise<void> {
    this.#cursor = 0;
    for (let before = -1; before < this.#cursor;) {
      before = this.#cursor;
      await this.#readNews(daemon);
    }
    for (let cursor = 1; cursor <= this.#cursor; cursor += 1) {
      if (!this.#told.has(cursor)) this.#findings.lose(`change ${cursor} of the watches`);
    }
  }

  /** What was published, and not told as a change. */
  get missing(): string[] {
    return this.site.pages.flatMap(({ name, version }) => {
      const newest = this.#newest.get(name) ?? 0;
      return newest < version ? [`version ${version} of ${name}, after ${newest}`] : [];
    });
  }

  async #readNews(daemon: Answering): Promise<void> {
    const answer = await ask(daemon, 'GET', `/admin/watch-changes?after=${this.#cursor}`);
    if (answer?.status !== 200) return;
    const { changes, cursor } = (JSON.parse(answer.body) as { data: WatchNews }).data;
    for (const change of changes) this.#take(change);
    this.#cursor = cursor;
  }

  #take({ cursor, title, check }: WatchNews['changes'][number]): void {
    const text = JSON.stringify([title, check]);
    const known = this.#told.get(cursor);
    if (known !== undefined) {
      if (known !== text) this.#findings.double(`cursor ${cursor} of the watches was given twice`);
      return;
    }
    this.#told.set(cursor, text);
    const { name, version } = readTitle(title) ?? { name: '', version: 0 };
    const wanted = (this.#newest.get(name) ?? 0) + 1;
    const place = `version ${version} of ${name} where ${wanted} comes next`;
    if (version > wanted) this.#findings.lose(place);
    else if (version === wanted - 1) this.#findings.double(place);
    else if (version < wanted) this.#findings.disorder(place);
    this.#newest.set(name, version);
    const page = this.site.pages.find((one) => one.name === name);
    if (page?.see(version) && !this.#isResting) page.publish();
  }

  /** The first version is no change: that it was read, the watch says. */
  async #publishFirst(daemon: Answering): Promise<void> {
    if (this.site.pages.every(({ version }) => version > 0)) return;
    const answer = await ask(daemon, 'GET', '/admin/watches');
    if (answer?.status !== 200) return;
    const reports = (JSON.parse(answer.body) as { data: WatchReport[] }).data;
    for (const page of this.site.pages) {
      const report = reports.find(({ url }) => url === page.url);
      if (page.version === 0 && !this.#isResting && report?.last_success_at) page.publish();
    }
  }
}
