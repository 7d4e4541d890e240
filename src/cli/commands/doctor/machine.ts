import { readFile, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { type Check, fail, ok, type Patient, warn } from './finding.ts';

/** The program, and the machine it runs on. */
export const machineChecks: Readonly<Record<string, Check>> = {
  version: async ({ version, status }) => {
    if (status === undefined || status.version === version) return [ok('version', `hydrant ${version}`)];
    const says = `this is hydrant ${version}, and the daemon is ${status.version}`;
    return [warn('version', says, 'restart the daemon: it runs what was installed before')];
  },
  node: async () => [ok('node', `Node ${process.versions.node}`)],
  settings: async ({ settings }) =>
    settings instanceof Error
      ? [fail('settings', settings.message, 'put it right: a daemon would not start with it')]
      : [ok('settings', 'can be read')],
  disk: async (patient) => disk(patient),
  clock: async (patient) => clock(patient),
  'open files': async ({ notice }) => openFiles(notice?.pid),
};

const MIB = 1_024 * 1_024;
/** Less than this is a matter of hours, or of one backup. */
const LOW_BYTES = 1_024 * MIB;
const LEAST_BYTES = 100 * MIB;

async function disk({ dataDir }: Patient) {
  const place = await nearest(dataDir);
  const { bavail, blocks, bsize, files, ffree } = await statfs(place);
  const free = bavail * bsize;
  const says = `${Math.floor(free / MIB).toLocaleString('en')} MiB free for ${dataDir}`;
  const fix = 'make room, or lower --log-bytes; a full disk stops the daemon, and loses nothing';
  const space =
    free < LEAST_BYTES
      ? fail('disk', says, fix)
      : free < LOW_BYTES || bavail * 50 < blocks
        ? warn('disk', says, fix)
        : ok('disk', says);
  // Some file systems make inodes as they are needed, and count none.
  if (files === 0 || ffree * 50 > files) return [space];
  const left = `${ffree.toLocaleString('en')} of ${files.toLocaleString('en')} inodes are left`;
  return [space, warn('inodes', left, 'remove small files: without inodes no file can be made, whatever is free')];
}

/** The directory, or the one above it that is there. */
async function nearest(directory: string): Promise<string> {
  for (let place = directory; ; place = path.dirname(place)) {
    const found = await stat(place).catch(() => undefined);
    if (found !== undefined || place === path.dirname(place)) return place;
  }
}

/** Milliseconds that two clocks may differ by. */
const CLOCK_MS = 5_000;

/** A clock that went back makes what is in the files younger than now. */
async function clock({ now, daemonTime, dataDir }: Patient) {
  const fix = 'set the clock, and let it be kept right: timedatectl set-ntp true';
  if (daemonTime !== undefined && Math.abs(daemonTime - now) > CLOCK_MS) {
    return [fail('clock', `differs from the daemon's by ${Math.round((daemonTime - now) / 1_000)} s`, fix)];
  }
  const written = await Promise.all(
    ['hydrant.db', 'hydrant.db-wal', 'catalog.json'].map(async (name) => {
      const found = await stat(path.join(dataDir, name)).catch(() => undefined);
      return found?.mtimeMs ?? 0;
    }),
  );
  const ahead = Math.max(...written) - now;
  if (ahead <= CLOCK_MS) return [ok('clock', new Date(now).toISOString())];
  return [warn('clock', `the data was written ${Math.round(ahead / 1_000)} s in the future`, fix)];
}

/** Streams, connections and files of a busy daemon. */
const ENOUGH_FILES = 4_096;

/** Of the daemon, else of this shell: what is started from it has the same. Linux tells. */
async function openFiles(pid: number | undefined) {
  const text = await readFile(`/proc/${pid ?? 'self'}/limits`, 'utf8').catch(() =>
    readFile('/proc/self/limits', 'utf8').catch(() => ''),
  );
  const found = /^Max open files\s+(\d+|unlimited)/m.exec(text)?.[1];
  if (found === undefined) return [];
  const says = `${found} may be open`;
  if (found === 'unlimited' || Number(found) >= ENOUGH_FILES) return [ok('open files', says)];
  const fix = 'LimitNOFILE=65536 in the unit (hydrant service install sets it), or ulimit -n 65536 before the start';
  return [warn('open files', `${says}; each stream and connection takes one`, fix)];
}
