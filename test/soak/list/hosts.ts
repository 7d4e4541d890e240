import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Socket } from 'node:net';
import { fill, SilentHosts } from '../../fixtures/silent-hosts.ts';
import { addressOf, type Kind, type Terms } from './kinds.ts';
import type { Ask, Reply, Told } from './servers.ts';

/** The hosts of a list as a test has them: all can fall silent at once, as when a cable is pulled. */
export class Hosts {
  readonly #terms: Terms;
  readonly #process: ChildProcess;
  readonly #port: number;
  readonly #silent: SilentHosts;
  #fillers: Socket[] = [];

  private constructor(terms: Terms, child: ChildProcess, port: number, silent: SilentHosts) {
    this.#terms = terms;
    this.#process = child;
    this.#port = port;
    this.#silent = silent;
  }

  static async start(terms: Terms): Promise<Hosts> {
    const child = fork(join(import.meta.dirname, 'servers.ts'), [JSON.stringify(terms)], { stdio: 'inherit' });
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    const addresses = terms.kinds.flatMap((kind, n) => (kind === 'silent' ? [addressOf(n)] : []));
    return new Hosts(terms, child, port, await SilentHosts.start(addresses));
  }

  /** As the daemon names it. */
  nameOf(n: number): string {
    return `${addressOf(n)}:${this.#terms.kinds[n] === 'silent' ? this.#silent.port : this.#port}`;
  }

  urlOf(n: number, path: string): string {
    return `${this.#terms.kinds[n] === 'tls' ? 'https' : 'http'}://${this.nameOf(n)}${path}`;
  }

  async books(): Promise<readonly (readonly Ask[])[]> {
    const told = await this.#tell('books');
    return 'books' in told ? told.books : [];
  }

  /** From now on no connection to any of them is made, and no request is answered. */
  async fallSilent(): Promise<void> {
    await this.#tell('before-outage');
    this.#process.kill('SIGSTOP');
    const listening = [...this.#terms.kinds.keys()].filter((n) => this.#kind(n) !== 'silent');
    this.#fillers = (await Promise.all(listening.map((n) => fill(addressOf(n), this.#port)))).flat();
  }

  async comeBack(): Promise<void> {
    for (const socket of this.#fillers.splice(0)) socket.destroy();
    this.#process.kill('SIGCONT');
    await this.#tell('after-outage');
  }

  async close(): Promise<void> {
    for (const socket of this.#fillers.splice(0)) socket.destroy();
    this.#process.kill('SIGKILL');
    await once(this.#process, 'exit');
    await this.#silent.close();
  }

  #kind(n: number): Kind | undefined {
    return this.#terms.kinds[n];
  }

  async #tell(what: Told): Promise<Reply> {
    const answer = once(this.#process, 'message') as Promise<[Reply]>;
    this.#process.send(what);
    const [reply] = await answer;
    return reply;
  }
}
