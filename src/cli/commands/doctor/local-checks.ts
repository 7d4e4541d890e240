import { grouped } from '../../../shared/grouped.ts';
import type { Status } from '../../../shared/api/status.ts';
import { mebibytes, memoryParts } from '../../text/memory-words.ts';
import { access, constants, lstat, readFile, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { type Check, fail, type Finding, ok, type Patient, warn } from './finding.ts';

/** The data directory and what is in it. */
export const dataChecks: Readonly<Record<string, Check>> = {
  'data directory': async (patient) => directory(patient),
  files: async (patient) => files(patient),
  secret: async (patient) => secret(patient),
  catalog: async (patient) => catalog(patient),
  store: async (patient) => store(patient),
  losses: async (patient) => losses(patient),
  rules: async (patient) => refusedRules(patient),
};

/** Windows has no such modes, and no user ids. */
const own = process.geteuid?.();

async function directory({ dataDir }: Patient): Promise<Finding[]> {
  const name = 'data directory';
  const found = await stat(dataDir).catch(() => undefined);
  if (found === undefined) return [warn(name, `${dataDir} does not exist yet`, 'hydrant serve creates it')];
  if (!found.isDirectory()) return [fail(name, `${dataDir} is not a directory`, 'choose another with --data-dir')];
  const strange = await strangerOf(dataDir);
  if (strange !== undefined) {
    const fix = `run hydrant as its user, or: sudo chown -R -h "$(id -u)" ${dataDir}`;
    return [fail(name, `${dataDir} belongs to the user with id ${strange}, and this user has the id ${own}`, fix)];
  }
  const isWritable = await access(dataDir, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable)
    return [fail(name, `${dataDir} cannot be written to`, `chmod u+rwx ${dataDir}, or mount it writable`)];
  const fix = `chmod 700 ${dataDir}`;
  if (own !== undefined && (found.mode & 0o022) !== 0) {
    return [fail(name, `others can write to ${dataDir} (mode ${octal(found.mode)})`, fix)];
  }
  if (own !== undefined && (found.mode & 0o077) !== 0) {
    return [warn(name, `others can look into ${dataDir} (mode ${octal(found.mode)})`, fix)];
  }
  return [ok(name, dataDir)];
}

/** Who it belongs to, or the link that leads there, unless that is this user; undefined: his own. */
async function strangerOf(file: string): Promise<number | undefined> {
  const owners = [(await lstat(file)).uid, (await stat(file)).uid];
  return own === undefined ? undefined : owners.find((uid) => uid !== own);
}

const FILES = [
  'hydrant.db',
  'hydrant.db-wal',
  'hydrant.db-committed',
  'catalog.json',
  'catalog.json.bak',
  'lock',
  'daemon.json',
];

async function files({ dataDir }: Patient): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const name of FILES) {
    const file = path.join(dataDir, name);
    const found = await stat(file).catch(() => undefined);
    if (found === undefined) continue;
    if (own !== undefined && (found.mode & 0o077) !== 0) {
      const what = (found.mode & 0o022) === 0 ? 'read' : 'write to';
      findings.push(fail('files', `others can ${what} ${file} (mode ${octal(found.mode)})`, `chmod 600 ${file}`));
    }
    const strange = await strangerOf(file);
    if (strange !== undefined) {
      const fix = `sudo chown -h "$(id -u)" ${file}`;
      findings.push(fail('files', `${file} belongs to the user with id ${strange}`, fix));
    }
  }
  return findings;
}

const SECRET_BYTES = 32;

async function secret({ dataDir }: Patient): Promise<Finding[]> {
  const file = path.join(dataDir, 'secret');
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) {
    const isUsed = await stat(path.join(dataDir, 'catalog.json')).catch(() => undefined);
    if (isUsed === undefined) return [];
    return [
      fail('secret', `${file} is missing: tokens of taps are sealed with it`, 'restore the file from your backup'),
    ];
  }
  const strange = await strangerOf(file);
  if (strange !== undefined) {
    const fix = `restore the file from your backup, or, if it is yours: sudo chown -h "$(id -u)" ${file}`;
    return [fail('secret', `${file} belongs to the user with id ${strange}, who can read the tokens of taps`, fix)];
  }
  if (own !== undefined && (found.mode & 0o077) !== 0) {
    return [fail('secret', `others can read ${file} (mode ${octal(found.mode)})`, `chmod 600 ${file}`)];
  }
  if (found.size === SECRET_BYTES) return [ok('secret', 'only its owner can read it')];
  return [
    fail('secret', `${file} has ${found.size} bytes instead of ${SECRET_BYTES}`, 'restore the file from your backup'),
  ];
}

async function catalog({ dataDir }: Patient): Promise<Finding[]> {
  const file = path.join(dataDir, 'catalog.json');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return [];
  try {
    JSON.parse(text);
    return [ok('catalog', `${grouped(text.length)} characters`)];
  } catch {
    return [
      fail('catalog', `${file} is damaged`, `restore the copy from before the last change: cp ${file}.bak ${file}`),
    ];
  }
}

async function store(patient: Patient): Promise<Finding[]> {
  const { dataDir, settings, upkeep, withStore } = patient;
  const file = path.join(dataDir, 'hydrant.db');
  if (!(settings instanceof Error) && settings.store !== '') return leftBehind(patient, file);
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return missingStore(dataDir, file);
  if (!withStore) return [];
  const [fault, ...others] = upkeep.checkStore(dataDir, found.uid);
  if (fault === undefined) return [ok('store', `${grouped(Math.ceil(found.size / 1_024 / 1_024))} MiB, sound`)];
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const fix = `stop the daemon, and ${RESTORE} or save what can be read: hydrant salvage <dir> --data-dir ${dataDir}`;
  // What is wrong with the journal begins with its name.
  const what = fault.startsWith(file) ? fault : `${file} is damaged: ${fault}`;
  return [fail('store', what + more, fix)];
}

/** A daemon on PostgreSQL takes no notice of it. */
async function leftBehind({ dataDir, upkeep }: Patient, file: string): Promise<Finding[]> {
  const found = await upkeep.leftBehind(dataDir);
  if (found === undefined) return [];
  if (found === 'moved') return [ok('store', `${file} was moved to PostgreSQL, and is no longer used`)];
  const says = `${file} is not used: the setting store names a PostgreSQL database`;
  const fix = `to move it there: hydrant migrate --to <url>, into an empty database; otherwise move it away`;
  return [warn('store', says, fix)];
}

const RESTORE = 'restore a backup (hydrant restore <file> --data-dir <dir>)';

/** Beside a catalog that is in use, a database that is missing was lost. */
async function missingStore(dataDir: string, file: string): Promise<Finding[]> {
  const text = await readFile(path.join(dataDir, 'catalog.json'), 'utf8').catch(() => '');
  if (!/"organizations":\s*\[\s*\{/.test(text)) return [];
  const fix = `${RESTORE}, or continue without events, page versions, watches and credit: touch ${file}.damaged`;
  return [fail('store', `${file} is missing, although the catalog refers to it`, fix)];
}

/** What a start found lost, and went on without. */
async function losses({ status }: Patient): Promise<Finding[]> {
  const fix = 'restore a backup if you need the missing data; check grants with hydrant credit history';
  return (status?.losses ?? []).map((loss) => warn('losses', loss, fix));
}

/** Rules that an older version stored, and whose queries this one refuses. */
async function refusedRules({ status }: Patient): Promise<Finding[]> {
  return (status?.refused_rules ?? []).map(({ id, tap, why }) =>
    warn('rules', `the rule ${id.slice(0, 8)} of the tap ${tap} matches nothing: ${why}`, `hydrant rule edit ${id}`),
  );
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8);
}

/** The program, and the machine it runs on. */
function memory(status: Status | undefined): Finding[] {
  if (status?.memory === undefined) return [];
  const { plan } = status.memory;
  return [
    ok('memory', `${mebibytes(status.memory_bytes)}: ${memoryParts(status.memory)}; the setting memory is ${plan}`),
  ];
}

export const machineChecks: Readonly<Record<string, Check>> = {
  version: async ({ version, status }) => {
    if (status === undefined || status.version === version) return [ok('version', `hydrant ${version}`)];
    const says = `this is hydrant ${version}, and the daemon is ${status.version}`;
    return [warn('version', says, 'restart the daemon: it still runs the previous version')];
  },
  node: async () => [ok('node', `Node ${process.versions.node}`)],
  settings: async ({ settings }) =>
    settings instanceof Error
      ? [fail('settings', settings.message, 'fix it: the daemon does not start with this setting')]
      : [ok('settings', 'can be read')],
  disk: async (patient) => disk(patient),
  clock: async (patient) => clock(patient),
  'open files': async ({ notice }) => openFiles(notice?.pid),
  memory: async ({ status }) => memory(status),
  rendering: async (patient) => rendering(patient),
};

/** Without a browser only what is to be rendered fails; with one that was named and is not there, somebody expects it. */
async function rendering({ settings, upkeep }: Patient): Promise<Finding[]> {
  if (settings instanceof Error) return [];
  const { browser, refusal = '' } = await upkeep.rendererOf(settings);
  if (browser !== undefined) return [ok('rendering', `pages are rendered with ${browser}`)];
  if (settings.renderBrowser === '')
    return [ok('rendering', `not possible, and only \`watch --render\` needs it: ${refusal}`)];
  return [fail('rendering', refusal, 'name a Chromium with --render-browser, or leave it empty')];
}

const MIB = 1_024 * 1_024;
/** Less than this is a matter of hours, or of one backup. */
const LOW_BYTES = 1_024 * MIB;
const LEAST_BYTES = 100 * MIB;

async function disk({ dataDir }: Patient) {
  const place = await nearest(dataDir);
  const { bavail, blocks, bsize, files, ffree } = await statfs(place);
  const free = bavail * bsize;
  const says = `${grouped(Math.floor(free / MIB))} MiB free for ${dataDir}`;
  const fix = 'free some space, or lower --log-bytes; a full disk stops the daemon, but no data is lost';
  const space =
    free < LEAST_BYTES
      ? fail('disk', says, fix)
      : free < LOW_BYTES || bavail * 50 < blocks
        ? warn('disk', says, fix)
        : ok('disk', says);
  // Some file systems make inodes as they are needed, and count none.
  if (files === 0 || ffree * 50 > files) return [space];
  const left = `${grouped(ffree)} of ${grouped(files)} inodes are left`;
  return [
    space,
    warn('inodes', left, 'remove small files: without inodes no file can be created, however much space is free'),
  ];
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
  const fix = 'set the clock and keep it synchronized: timedatectl set-ntp true';
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
