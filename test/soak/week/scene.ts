import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type Asked, operate } from './operator.ts';
import type { SimulatedTime } from './simulated-time.ts';
import { TimedSite } from './site.ts';
import { Follower } from '../hour/follower.ts';
import { type Daemon, startDaemon } from '../../../src/daemon/daemon.ts';
import { resolveSettings } from '../../../src/daemon/settings.ts';
import type { KeyCreated, Organization } from '../../../src/shared/api/organization.ts';
import type { Status } from '../../../src/shared/api/status.ts';
import type { TapCreated } from '../../../src/shared/api/tap.ts';

/** Minutes, each with a watch of its own on a host of its own. */
export const CADENCES = [5, 10, 30, 60, 180, 360, 720, 1_440] as const;
/** Checks a month of the organization that has too few. */
export const FEW_CHECKS = 5;
const CRAWLED_PAGES = 6;
const IDLE_LOOKS = 20_000;
const CALM_LOOKS = 3;
const PATIENCE_MS = 50;

/** The daemon's composition in this process over a directory of its own, with what it is to do for a week. */
export class Scene {
  readonly time: SimulatedTime;
  readonly site = new TimedSite();
  readonly dataDir: string;
  readonly errors: string[] = [];
  readonly watched = new Map<number, string>();
  readonly followers: Follower[] = [];
  /** What the organization with few checks watches, and the one whose plan changes. */
  fewUrl = '';
  changingUrl = '';
  key: KeyCreated | undefined;
  /** The organization of the first start. */
  home = '';
  readonly #daemon: Daemon;
  readonly #following: Promise<void>[] = [];

  static async open(time: SimulatedTime): Promise<Scene> {
    const dataDir = await mkdtemp(join(tmpdir(), 'hydrant-week-'));
    const errors: string[] = [];
    // The first key is told at any level.
    const output = {
      write: (line: string) => void (line.includes('management_key') || errors.push(line.slice(0, 500))),
    };
    const flags = { dataDir, port: 0, allowPrivate: ['127.0.0.0/8'], crawlHostDelay: 0, crawlThreads: 1 };
    const daemon = await time.during(
      resolveSettings(flags, {}).then((settings) =>
        startDaemon({
          settings,
          outside: time.outside,
          log: pino({ level: 'error', base: null }, output),
          onFatal: (error) => void errors.push(String(error)),
        }),
      ),
    );
    const scene = new Scene(time, dataDir, daemon, errors);
    await scene.#furnish();
    return scene;
  }

  private constructor(time: SimulatedTime, dataDir: string, daemon: Daemon, errors: string[]) {
    this.time = time;
    this.dataDir = dataDir;
    this.#daemon = daemon;
    this.errors = errors;
  }

  get url(): string {
    return this.#daemon.notice.url;
  }

  ask<Body>(asked: Asked): Promise<Body> {
    return this.time.during(operate<Body>(this.#daemon.notice.socket, asked));
  }

  async status(): Promise<Status> {
    return (await this.ask<{ data: Status }>({ method: 'GET', path: '/admin/status' })).data;
  }

  /**
   * Until nothing is due and nothing under way.
   * @param calmLooks how often it has to look idle: more where it has things to read before it begins
   */
  async settle(calmLooks = CALM_LOOKS): Promise<Status> {
    for (let look = 0, calm = 0; look < IDLE_LOOKS; look += 1) {
      const status = await this.status();
      const { crawl, watch } = status;
      const isIdle = crawl.in_flight === 0 && crawl.oldest_due_ms === null && watch.oldest_due_ms === null;
      // Between two visits of a host there is a moment without one.
      calm = isIdle ? calm + 1 : 0;
      if (calm >= calmLooks) return status;
      // The crawler looks by itself once in five seconds.
      if (crawl.in_flight === 0) this.time.pass(isIdle ? 10 : PATIENCE_MS);
    }
    const { crawl, watch } = await this.status();
    throw new Error(`the daemon did not come to rest: ${JSON.stringify({ crawl, watch })}`);
  }

  async close(): Promise<void> {
    for (const follower of this.followers) follower.close();
    await this.time.during(Promise.all([...this.#following, this.#daemon.stop()]));
    this.site.close();
    await rm(this.dataDir, { recursive: true });
  }

  async #furnish(): Promise<void> {
    const { data } = await this.ask<{ data: Organization[] }>({ method: 'GET', path: '/admin/organizations' });
    this.home = data[0]?.id ?? '';
    const first = await this.#tap();
    for (const token of [first, first]) this.followers.push(new Follower(this.url, token));
    for (const follower of this.followers) this.#following.push(follower.follow());
    this.key = await this.ask<KeyCreated>({ method: 'POST', path: '/admin/keys', body: { name: 'revoked later' } });
    const crawled = await this.site.host('127.0.9.1');
    const sources = Array.from({ length: CRAWLED_PAGES }, (_, page) => {
      return { url: `${crawled}/${page}`, scope: 'page', every_seconds: 1_800 };
    });
    await this.ask({ method: 'POST', path: '/admin/sources/batch', body: { sources } });
    for (const [index, minutes] of CADENCES.entries()) {
      const url = `${await this.site.host(`127.0.9.${10 + index}`)}/watched`;
      this.watched.set(minutes, url);
      await this.ask({ method: 'POST', path: '/admin/watches', body: { url, frequency_minutes: minutes } });
    }
    this.fewUrl = await this.#organization('few', '127.0.9.30', 10, { checks_a_month: FEW_CHECKS });
    this.changingUrl = await this.#organization('changing', '127.0.9.31', 5, {});
  }

  async #tap(): Promise<string> {
    const { token } = await this.ask<TapCreated>({ method: 'POST', path: '/v1/taps', body: { name: 'ferries' } });
    await this.ask({ method: 'POST', path: '/v1/rules', body: { value: 'ferry', quality: false }, token });
    return token;
  }

  /** What it watches. */
  async #organization(name: string, address: string, minutes: number, limits: object): Promise<string> {
    const made = await this.ask<{ data: Organization }>({
      method: 'POST',
      path: '/admin/organizations',
      body: { name },
    });
    await this.ask({ method: 'PATCH', path: `/admin/organizations/${made.data.id}`, body: { limits } });
    const url = `${await this.site.host(address)}/watched`;
    const body = { url, frequency_minutes: minutes };
    await this.ask({ method: 'POST', path: '/admin/watches', body, organization: name });
    return url;
  }
}
