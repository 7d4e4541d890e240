import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { execa } from 'execa';
import { beforeAll, describe, expect, test } from 'vitest';
import { DAEMON_NOTICE } from '../../../src/shared/daemon-notice.ts';
import { organization } from '../../contract/catalog.ts';
import type { Acknowledged } from '../../fixtures/storage-writer.ts';
import { readWal } from '../../soak/crash/wal.ts';
import { openIn, temporaryDir } from './data-dirs.ts';

const writer = join(import.meta.dirname, '../../fixtures/storage-writer.ts');
const opener = join(import.meta.dirname, '../../fixtures/storage-opener.ts');
const ACKNOWLEDGED = 40;
const TAP = 'every page';

/** A directory of a daemon that was killed after so many visits, in as many commits or fewer. */
async function killed(dataDir: string): Promise<Acknowledged[]> {
  const child = execa(process.execPath, [writer, dataDir, 'visits'], { reject: false });
  const said: Acknowledged[] = [];
  for await (const line of child) {
    said.push(JSON.parse(line) as Acknowledged);
    if (said.length === ACKNOWLEDGED) child.kill('SIGKILL');
  }
  expect(await child).toMatchObject({ signal: 'SIGKILL', stderr: '' });
  writeFileSync(join(dataDir, DAEMON_NOTICE), '{}');
  return said;
}

let root: string;
let acknowledged: readonly Acknowledged[];
let wal: Buffer;
/** Where its commits end. */
let commits: readonly number[];
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'hydrant-journal-'));
  acknowledged = await killed(join(root, 'killed'));
  const path = join(root, 'killed', 'hydrant.db-wal');
  wal = readFileSync(path);
  commits = readWal(path)?.commits ?? [];
  return () => rmSync(root, { recursive: true });
}, 60_000);

/** A copy of it, with its journal changed. */
function copy(change: (journal: string, dataDir: string) => void): string {
  const dataDir = temporaryDir();
  cpSync(join(root, 'killed'), dataDir, { recursive: true });
  change(join(dataDir, 'hydrant.db-wal'), dataDir);
  return dataDir;
}

function withBytes(change: (bytes: Buffer) => Buffer | void): (journal: string) => void {
  return (journal) => {
    const bytes = Buffer.from(wal);
    writeFileSync(journal, change(bytes) ?? bytes);
  };
}

const flip = (bytes: Buffer, at: number): void => void bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
const last = (): number => commits.at(-1) ?? 0;
const lastButOne = (): number => commits.at(-2) ?? 0;
const noteless = (dataDir: string): void => rmSync(join(dataDir, 'hydrant.db-committed'));

describe('a journal that is damaged stops the start with the way out, and nothing is touched:', () => {
  test.each<[string, (journal: string, dataDir: string) => void]>([
    ['a wrong bit a third in', withBytes((bytes) => flip(bytes, Math.floor(bytes.length / 3)))],
    ['a wrong bit in its header', withBytes((bytes) => flip(bytes, 9))],
    ['a wrong bit in its first frame', withBytes((bytes) => flip(bytes, 100))],
    ['a wrong bit in its last commit', withBytes((bytes) => flip(bytes, last() - 100))],
    ['overwritten from the middle on', withBytes((bytes) => bytes.fill(0xa5, Math.floor(bytes.length / 2)))],
    ['overwritten from its beginning to its end', withBytes((bytes) => bytes.fill(0xa5))],
    ['all zeros', withBytes((bytes) => bytes.fill(0))],
    ['cut off in the middle', withBytes((bytes) => bytes.subarray(0, Math.floor(bytes.length / 2)))],
    ['cut off before its last commit', withBytes((bytes) => bytes.subarray(0, lastButOne()))],
    ['cut off after its header', withBytes((bytes) => bytes.subarray(0, 32))],
    ['cut off within its header', withBytes((bytes) => bytes.subarray(0, 20))],
    [
      'a wrong bit a third in, and nothing was noted',
      (journal, dataDir) => {
        noteless(dataDir);
        withBytes((bytes) => flip(bytes, Math.floor(bytes.length / 3)))(journal);
      },
    ],
    [
      'a frame overwritten, and nothing was noted',
      (journal, dataDir) => {
        noteless(dataDir);
        withBytes((bytes) => bytes.fill(0, 32, 32 + 24 + 8_192))(journal);
      },
    ],
  ])('%s', async (_, change) => {
    const dataDir = copy(change);
    const before = filesOf(dataDir);
    const failure = (await openIn(dataDir).catch((error: unknown) => error)) as Error;
    expect(failure).toMatchObject({ name: 'StartFailure', kind: 'configuration' });
    expect(failure.message).toMatch(/hydrant\.db-wal is damaged.*cknowledged.*backup.*hydrant salvage.*: mv /);
    expect(filesOf(dataDir)).toEqual(before);
    await expect(openIn(dataDir)).rejects.toThrow('is damaged');
  });

  test('the way out begins a new partition, says so, and keeps the journal', async () => {
    const dataDir = copy(withBytes((bytes) => flip(bytes, 100)));
    const [journal, aside] = ['hydrant.db-wal', 'hydrant.db-wal.damaged'].map((name) => join(dataDir, name));
    await expect(openIn(dataDir)).rejects.toThrow(`: mv ${journal} ${aside}`);
    // Of an older daemon there is neither notice nor note: what was set aside says that something is missing.
    rmSync(join(dataDir, DAEMON_NOTICE));
    noteless(dataDir);
    renameSync(journal ?? '', aside ?? '');
    const storage = await openIn(dataDir);
    const { partition } = await storage.eventLog.bounds(TAP);
    expect(partition).toBeGreaterThan(1_000_000);
    expect(storage.losses).toEqual([expect.stringContaining('hydrant.db-wal is gone')]);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('hydrant.db-wal.'))).toEqual([
      expect.stringMatching(/^hydrant\.db-wal\.damaged-\d{10}$/),
    ]);
    await storage.close();
    const again = await openIn(dataDir);
    expect(await again.eventLog.bounds(TAP)).toMatchObject({ partition });
    expect(again.losses).toEqual([]);
  });
});

describe('a journal that is gone, and one with nothing in it, begin a new partition, and the loss is told:', () => {
  test.each<[string, (journal: string, dataDir: string) => void]>([
    ['emptied', (journal) => truncateSync(journal, 0)],
    ['removed', (journal) => rmSync(journal)],
    [
      'removed while the daemon was stopping',
      (journal, dataDir) => {
        rmSync(join(dataDir, DAEMON_NOTICE));
        rmSync(journal);
      },
    ],
    [
      'emptied, and nothing was noted',
      (journal, dataDir) => {
        noteless(dataDir);
        truncateSync(journal, 0);
      },
    ],
  ])('%s', async (_, change) => {
    const storage = await openIn(copy(change));
    expect((await storage.eventLog.bounds(TAP)).partition).toBeGreaterThan(1_000_000);
    expect(storage.losses).toEqual([
      expect.stringMatching(/hydrant\.db-wal is (?:gone|empty), and .* are lost: .*partition/),
    ]);
  });

  test.each(['start:catalog', 'start:database'])('also when the start that finds it is killed at %s', async (point) => {
    const dataDir = copy((journal) => rmSync(journal));
    const fallen = await execa(process.execPath, [opener, dataDir], { reject: false, env: { HYDRANT_FAULT: point } });
    expect(fallen.signal).toBe('SIGKILL');
    const storage = await openIn(dataDir);
    expect((await storage.eventLog.bounds(TAP)).partition).toBeGreaterThan(1_000_000);
    expect(storage.losses).toHaveLength(1);
  });
});

describe('a journal as a kill or a power cut leaves it starts by itself, with everything that was acknowledged:', () => {
  test.each<[string, (journal: string, dataDir: string) => void]>([
    ['whole', () => undefined],
    ['the beginning of a frame behind its last commit', (journal) => appendFileSync(journal, wal.subarray(32, 5_000))],
    ['junk behind its last commit', (journal) => appendFileSync(journal, Buffer.alloc(20_000, 0xa5))],
    [
      'a transaction behind its last commit of which a frame has not come to the disk',
      (journal) => appendFileSync(journal, torn()),
    ],
    ['a note that is torn', (_, dataDir) => truncateSync(join(dataDir, 'hydrant.db-committed'), 30)],
    ['no note, as of an older version', (_, dataDir) => noteless(dataDir)],
  ])('%s', async (_, change) => {
    const storage = await openIn(copy(change));
    expect(await storage.eventLog.bounds(TAP)).toMatchObject({ partition: 0 });
    expect(storage.losses).toEqual([]);
    const events = await storage.eventLog.read(TAP, 0, { events: 9_999, bytes: 1e9 });
    for (const { page, n, offset } of acknowledged) {
      expect(JSON.parse(events[offset]?.document ?? '')).toEqual({ page, n });
    }
  });

  test('and so does one whose last commit is torn, which was never acknowledged', async () => {
    const dataDir = temporaryDir();
    const args = [writer, dataDir, 'visits'];
    const env = { HYDRANT_FAULT: 'group:committed:9' };
    const { signal } = await execa(process.execPath, args, { reject: false, env });
    expect(signal).toBe('SIGKILL');
    const journal = join(dataDir, 'hydrant.db-wal');
    const ends = readWal(journal)?.commits ?? [];
    truncateSync(journal, (ends.at(-1) ?? 0) - 1_000);
    const storage = await openIn(dataDir);
    expect(await storage.eventLog.bounds(TAP)).toMatchObject({ partition: 0 });
    expect(storage.losses).toEqual([]);
  });

  test('a clean stop leaves no note', async () => {
    const dataDir = temporaryDir();
    const storage = await openIn(dataDir);
    expect(existsSync(join(dataDir, 'hydrant.db-committed'))).toBe(true);
    await storage.close();
    expect(existsSync(join(dataDir, 'hydrant.db-committed'))).toBe(false);
  });
});

/** Three frames with the salt of the journal, the last a commit; the second was never written. */
function torn(): Buffer {
  const each = 24 + 8_192;
  const frames = Buffer.concat([wal.subarray(32, 32 + each), Buffer.alloc(each), wal.subarray(32, 32 + each)]);
  frames.writeUInt32BE(0, 4);
  frames.writeUInt32BE(99, 2 * each + 4);
  return frames;
}

function filesOf(dataDir: string): unknown[] {
  return readdirSync(dataDir)
    .filter((name) => name.startsWith('hydrant.db') || name === DAEMON_NOTICE)
    .map((name) => [name, readFileSync(join(dataDir, name)).toString('latin1')]);
}

describe('a database that is missing while its catalog is in use', () => {
  async function used(): Promise<string> {
    const dataDir = temporaryDir();
    const storage = await openIn(dataDir);
    await storage.catalog.update((draft) => draft.organizations.push(organization));
    await storage.close();
    return dataDir;
  }

  test('stops the start with the way out, which keeps its word once', async () => {
    const dataDir = await used();
    const path = join(dataDir, 'hydrant.db');
    rmSync(path);
    await expect(openIn(dataDir)).rejects.toThrow(
      `${path} is missing, although the catalog refers to it; its contents are lost; restore the data directory from ` +
        `a backup, or continue without its events, page versions, watches and credit: touch ${path}.damaged`,
    );
    expect(existsSync(path)).toBe(false);
    writeFileSync(`${path}.damaged`, '');
    const storage = await openIn(dataDir);
    expect((await storage.eventLog.bounds('t')).partition).toBeGreaterThan(1_000_000);
    await storage.close();
    rmSync(path);
    await expect(openIn(dataDir)).rejects.toThrow('hydrant.db is missing');
  });

  test('or never came to its first schema, because all of it was in a journal that is gone, is empty', async () => {
    const dataDir = await used();
    const path = join(dataDir, 'hydrant.db');
    rmSync(path);
    const database = new DatabaseSync(path);
    database.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL');
    database.close();
    await expect(openIn(dataDir)).rejects.toThrow(`${path} is empty, and its contents are lost`);
  });

  test('and is begun anew by a start that is killed is begun anew by the next one', async () => {
    const dataDir = await used();
    const path = join(dataDir, 'hydrant.db');
    renameSync(path, `${path}.damaged`);
    const env = { HYDRANT_FAULT: 'start:database' };
    expect((await execa(process.execPath, [opener, dataDir], { reject: false, env })).signal).toBe('SIGKILL');
    const storage = await openIn(dataDir);
    expect((await storage.eventLog.bounds('t')).partition).toBeGreaterThan(1_000_000);
  });
});
