import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Credit, CreditEntry } from '../../src/shared/api/organization.ts';
import type { Status } from '../../src/shared/api/status.ts';
import { RealDaemon } from './real-daemon.ts';

const daemons: RealDaemon[] = [];
const FLAGS = ['--crawl-threads', '1'];
const GRANTS = [1, 2, 3, 4, 5];

/** What a daemon with finite credit of several acknowledged grants and a tap left when it was killed: in its first life, in its second. */
let first: RealDaemon;
let second: RealDaemon;
beforeAll(async () => {
  [first, second] = await Promise.all([left(false), left(true)]);
});
afterEach(async () => {
  for (const daemon of daemons.splice(0)) await daemon.dispose();
});
afterAll(async () => {
  for (const daemon of [first, second]) await daemon.dispose();
});

async function left(isSecond: boolean): Promise<RealDaemon> {
  const daemon = await RealDaemon.start(FLAGS);
  // So that the database has its tables: those of a first life are in the journal alone.
  if (isSecond) {
    await daemon.stop();
    await daemon.start();
  }
  await daemon.operator('POST', '/v1/taps', { name: 'news' });
  for (const amount of GRANTS) await daemon.operator('POST', '/admin/credit/grants', { amount });
  await daemon.kill();
  return daemon;
}

/** One of its own that finds a copy of all that was left. */
function killed(isSecond = false): RealDaemon {
  const directory = mkdtempSync(join(tmpdir(), 'hydrant-lost-'));
  cpSync((isSecond ? second : first).dataDir, directory, { recursive: true });
  const daemon = new RealDaemon(FLAGS, directory);
  daemons.push(daemon);
  return daemon;
}

const journalOf = (daemon: RealDaemon): string => join(daemon.dataDir, 'hydrant.db-wal');

function change(path: string, what: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  what(bytes);
  writeFileSync(path, bytes);
}

const flip = (bytes: Buffer, at: number): void => void bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);

async function refusal(daemon: RealDaemon): Promise<string> {
  const { exitCode, stderr } = await daemon.run('hydrantd', ['--port', '0', ...FLAGS]);
  expect(exitCode).toBe(78);
  return stderr;
}

async function doctor(daemon: RealDaemon, name: string): Promise<{ state: string; says: string } | undefined> {
  const { stdout } = await daemon.run('hydrant', ['doctor', '--json']);
  const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string; says: string }[] };
  return checks.find((check) => check.name === name);
}

async function read<Data>(daemon: RealDaemon, path: string): Promise<Data> {
  return (await daemon.operator<{ data: Data }>('GET', path)).data;
}

describe('the journal of a daemon that was killed', () => {
  test.each<[string, (path: string) => void]>([
    ['with a wrong bit a third in', (path) => change(path, (bytes) => flip(bytes, Math.floor(bytes.length / 3)))],
    ['with a wrong bit in its header', (path) => change(path, (bytes) => flip(bytes, 9))],
    ['with a wrong bit in its first frame', (path) => change(path, (bytes) => flip(bytes, 100))],
    ['overwritten', (path) => change(path, (bytes) => bytes.fill(0x5a))],
    ['cut in half', (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2))],
  ])('%s stops the start, the backup and the doctor', async (_, damage) => {
    const daemon = killed();
    damage(journalOf(daemon));
    const before = readFileSync(journalOf(daemon));
    const [backup, diagnosis] = await Promise.all([
      daemon.run('hydrant', ['backup', join(daemon.dataDir, 'backup.tar')]),
      doctor(daemon, 'store'),
    ]);
    // Not beside them: for whoever only looks, a start is a daemon.
    const refused = await refusal(daemon);
    expect([backup.exitCode, backup.stderr]).toEqual([78, expect.stringContaining('hydrant.db-wal is damaged')]);
    expect(diagnosis).toMatchObject({ state: 'fail', says: expect.stringMatching(/^\S+hydrant\.db-wal is damaged/) });
    expect(refused).toMatch(/hydrant\.db-wal is damaged.*hydrant salvage <dir> --data-dir .*: mv /);
    expect(readFileSync(journalOf(daemon)).equals(before)).toBe(true);
  });

  test('that is set aside, empty or gone begins a new partition; log, status and doctor say so, and credit stays finite', async () => {
    const daemon = killed(true);
    rmSync(journalOf(daemon));
    expect(await doctor(daemon, 'store')).toMatchObject({ state: 'fail', says: expect.stringContaining('is gone') });
    await daemon.start();
    const status = await read<Status>(daemon, '/admin/status');
    expect(status.losses).toContainEqual(expect.stringContaining('hydrant.db-wal is gone'));
    expect(status.problems.map(({ message }) => message)).toEqual(expect.arrayContaining([...(status.losses ?? [])]));
    expect(await daemon.hydrant(['status'])).toContain('hydrant.db-wal is gone');
    expect(daemon.log).toContain('hydrant.db-wal is gone');
    expect(await doctor(daemon, 'losses')).toMatchObject({ state: 'warn', says: expect.stringContaining('is gone') });
    expect(await read<Credit>(daemon, '/admin/credit')).toMatchObject({ unlimited: false });
    await daemon.stop();
    await daemon.start();
    expect(await read<Status>(daemon, '/admin/status')).not.toHaveProperty('losses');
  });

  test('that is gone with all that a first life had written stops the start', async () => {
    const daemon = killed();
    rmSync(journalOf(daemon));
    expect(await refusal(daemon)).toMatch(/hydrant\.db is empty, .*: .*hydrant\.db-wal is gone/);
  });

  test('as the kill left it starts without a word, with every acknowledged grant', async () => {
    const daemon = killed();
    await daemon.start();
    expect(await read<Status>(daemon, '/admin/status')).not.toHaveProperty('losses');
    const granted = await read<CreditEntry[]>(daemon, '/admin/credit/history');
    expect(granted.map(({ amount }) => amount).toSorted()).toEqual(GRANTS);
  });
});

describe('a database that is missing beside a catalog in use', () => {
  test('stops the start and the doctor; without it, nothing that was finite becomes unlimited', async () => {
    const daemon = killed();
    await daemon.start();
    expect(await daemon.stop()).toBe(0);
    const path = join(daemon.dataDir, 'hydrant.db');
    renameSync(path, join(daemon.dataDir, 'elsewhere'));
    expect(await doctor(daemon, 'store')).toMatchObject({ state: 'fail', says: expect.stringContaining('is missing') });
    expect(await refusal(daemon)).toContain(`touch ${path}.damaged`);
    expect(existsSync(path)).toBe(false);
    writeFileSync(`${path}.damaged`, '');
    await daemon.start();
    expect(await read<Credit>(daemon, '/admin/credit')).toMatchObject({ unlimited: false, balance: 0 });
    const { losses } = await read<Status>(daemon, '/admin/status');
    expect(losses).toEqual([expect.stringMatching(/balance of the organization home is 0.*hydrant credit set/)]);
    await daemon.operator('PUT', '/admin/credit', { balance: 5 });
    await daemon.stop();
    await daemon.start();
    expect(await read<Credit>(daemon, '/admin/credit')).toMatchObject({ unlimited: false, balance: 5 });
    expect(await read<Status>(daemon, '/admin/status')).not.toHaveProperty('losses');
  });
});
