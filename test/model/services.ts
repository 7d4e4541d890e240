import { freshDatabase, returnDatabase } from '../postgres-cluster.ts';
import { Daemons } from './daemons.ts';
import { DatabaseDisk, DirectoryDisk, type Disk, memoryDisk } from './disk.ts';
import { type Service, StepClock } from './service.ts';
import { System } from './system.ts';

/** A service that was not started yet. */
export interface NewService {
  readonly service: Service & { start(): Promise<void>; close(): Promise<void> };
  readonly clock: StepClock;
}

function onDisk(disk: Disk): NewService {
  const clock = new StepClock();
  return { service: new System(disk, clock), clock };
}

export async function inMemory(): Promise<NewService> {
  return onDisk(memoryDisk());
}

export async function onSqlite(): Promise<NewService> {
  return onDisk(new DirectoryDisk());
}

export async function onPostgres(): Promise<NewService> {
  const url = await freshDatabase();
  return onDisk(new DatabaseDisk(url, 'one', () => returnDatabase(url)));
}

/** Three daemons, each with a client of its own. */
export async function onPostgresByThree(): Promise<NewService> {
  const url = await freshDatabase();
  const clock = new StepClock();
  const node = (name: string, onClosed?: () => Promise<unknown>) =>
    new System(new DatabaseDisk(url, name, onClosed), clock);
  const service = new Daemons([node('one', () => returnDatabase(url)), node('two'), node('three')]);
  return { service, clock };
}
