import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../../src/daemon/storage/postgres/connection/database.ts';
import { CutConnections } from '../../daemon/storage/postgres/cut-connections.ts';
import {
  freePort,
  guard,
  initialize,
  OWNER,
  run,
  serverDirectory,
  serverPid,
  startServer,
} from '../../postgres-programs.ts';

const DATABASE = 'service';
const STARTS = 50;

/** Two of them, of which one is the other's synchronous replica; which is which changes. */
interface Server {
  readonly data: string;
  readonly port: number;
  readonly proxy: CutConnections;
}

/**
 * A PostgreSQL with a synchronous replica: no commit is acknowledged that is not on both. The daemons reach each server by a
 * proxy that can cut their connections. Durable as delivered: the disk is waited for.
 */
export class ReplicatedDatabase {
  readonly #directory: string;
  readonly #end: () => Promise<void>;
  #primary: Server;
  #replica: Server;

  static async start(): Promise<ReplicatedDatabase> {
    const directory = serverDirectory();
    const end = guard(directory);
    try {
      const [one, two] = [await serverIn(directory, 'one'), await serverIn(directory, 'two')];
      const replicated = new ReplicatedDatabase(directory, end, one, two);
      await replicated.#furnish();
      return replicated;
    } catch (error) {
      await end();
      throw error;
    }
  }

  private constructor(directory: string, end: () => Promise<void>, primary: Server, replica: Server) {
    this.#directory = directory;
    this.#end = end;
    this.#primary = primary;
    this.#replica = replica;
  }

  /** By the proxies, both servers in one URL: the daemons look for the one that takes writes. */
  get url(): string {
    const hosts = [this.#primary, this.#replica].map(({ proxy }) => new URL(proxy.url).host);
    return `postgres://${OWNER}@${hosts.join(',')}/${DATABASE}`;
  }

  /** Past the proxies. */
  get directUrl(): string {
    return urlOf(this.#primary, DATABASE);
  }

  /** The next COMMIT is not answered, or does not arrive. */
  cutNext(cut: 'commit' | 'before-commit'): void {
    this.#primary.proxy.cutNext(cut);
  }

  /** Ends connections of the daemons, each with this probability; how many. */
  async terminate(share: number): Promise<number> {
    const [row] = await this.#ask<{ ended: number }>(
      `SELECT count(pg_terminate_backend(pid)) AS ended FROM pg_stat_activity
      WHERE application_name = 'hydrant' AND pid <> pg_backend_pid() AND random() < $1`,
      [share],
    );
    return row?.ended ?? 0;
  }

  async killAndRestart(downMs: number): Promise<void> {
    this.#kill(this.#primary);
    await sleep(downMs);
    await this.#start(this.#primary);
    await this.inSync();
  }

  /**
   * The primary is killed, the replica takes its place, and what was the primary becomes its replica, made anew. Until then no
   * commit is acknowledged. What was on the replica at the kill is all that anybody was told: the two were in sync.
   */
  async failOver(): Promise<void> {
    await this.inSync();
    const lost = this.#primary;
    this.#kill(lost);
    await run('pg_ctl', ['promote', '--pgdata', this.#replica.data, '--wait', '--silent']);
    [this.#primary, this.#replica] = [this.#replica, lost];
    await this.#replicate();
  }

  /** Until the replica has all that the primary has written so far. */
  async inSync(): Promise<void> {
    for (;;) {
      const [row] = await this.#ask(
        `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync' AND flush_lsn >= pg_current_wal_flush_lsn()`,
      ).catch(() => []);
      if (row) return;
      await sleep(50);
    }
  }

  async close(): Promise<void> {
    for (const { proxy } of [this.#primary, this.#replica]) await proxy.close();
    await this.#end();
  }

  async #furnish(): Promise<void> {
    await initialize(this.#primary.data);
    await this.#start(this.#primary);
    const server = new Database({ url: urlOf(this.#primary, 'postgres'), connections: 1 });
    await server.query(`CREATE DATABASE ${DATABASE}`);
    // In the files, which the replica is a copy of: whichever is the primary waits for the other. In force once there is one.
    await server.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await this.#replicate();
    await server.query('SELECT pg_reload_conf()');
    await server.close();
    await this.inSync();
  }

  async #replicate(): Promise<void> {
    const { data } = this.#replica;
    await rm(data, { recursive: true, force: true });
    const from = ['--host', '127.0.0.1', '--port', String(this.#primary.port), '--username', OWNER];
    await run('pg_basebackup', [...from, '--pgdata', data, '--write-recovery-conf', '--checkpoint=fast', '--no-sync']);
    await this.#start(this.#replica);
  }

  /** Processes of a killed server notice that by themselves, and let go of what they share a moment later. */
  async #start({ data, port }: Server): Promise<void> {
    // A restart after a kill recycles what is before its checkpoint; a replica that has not received it would never catch up.
    const kept = { wal_keep_size: '1GB' };
    const settings = { port: String(port), max_connections: '100', log_lock_waits: 'on', ...kept };
    for (let tried = 1; ; tried += 1) {
      try {
        return await startServer(data, this.#directory, settings);
      } catch (error) {
        if (tried === STARTS) throw error;
        await sleep(200);
      }
    }
  }

  #kill({ data }: Server): void {
    const pid = serverPid(data);
    if (pid === undefined) throw new Error(`no server runs in ${data}`);
    process.kill(pid, 'SIGKILL');
  }

  async #ask<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const database = new Database({ url: this.directUrl, connections: 1 });
    try {
      return await database.query<Row>(text, values);
    } finally {
      await database.close();
    }
  }
}

function urlOf({ port }: Server, database: string): string {
  return `postgres://${OWNER}@127.0.0.1:${port}/${database}`;
}

async function serverIn(directory: string, name: string): Promise<Server> {
  const port = await freePort();
  return { data: join(directory, name), port, proxy: await CutConnections.open(`postgres://127.0.0.1:${port}/`) };
}
