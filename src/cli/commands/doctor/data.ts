import { access, constants, lstat, readFile, stat } from 'node:fs/promises';
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
  if (found === undefined) return [warn(name, `${dataDir} is not there yet`, 'hydrant serve makes it')];
  if (!found.isDirectory()) return [fail(name, `${dataDir} is no directory`, 'give another with --data-dir')];
  const strange = await strangerOf(dataDir);
  if (strange !== undefined) {
    const fix = `run hydrant as its user, or: sudo chown -R -h "$(id -u)" ${dataDir}`;
    return [fail(name, `${dataDir} belongs to the user with id ${strange}, and this is ${own}`, fix)];
  }
  const isWritable = await access(dataDir, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable)
    return [fail(name, `${dataDir} cannot be written to`, `chmod u+rwx ${dataDir}, or mount it to write`)];
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
    return [fail('secret', `${file} is missing: tokens of taps are sealed with it`, 'put back the one of your backup')];
  }
  const strange = await strangerOf(file);
  if (strange !== undefined) {
    const fix = `put back the one of your backup, or, if it is yours: sudo chown -h "$(id -u)" ${file}`;
    return [fail('secret', `${file} belongs to the user with id ${strange}, who can read the tokens of taps`, fix)];
  }
  if (own !== undefined && (found.mode & 0o077) !== 0) {
    return [fail('secret', `others can read ${file} (mode ${octal(found.mode)})`, `chmod 600 ${file}`)];
  }
  if (found.size === SECRET_BYTES) return [ok('secret', 'its owner alone can read it')];
  return [
    fail('secret', `${file} has ${found.size} bytes instead of ${SECRET_BYTES}`, 'put back the one of your backup'),
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
    return [ok('catalog', `${text.length.toLocaleString('en')} characters`)];
  } catch {
    return [fail('catalog', `${file} is damaged`, `the copy before the last change: cp ${file}.bak ${file}`)];
  }
}

async function store({ dataDir, upkeep, withStore }: Patient): Promise<Finding[]> {
  const file = path.join(dataDir, 'hydrant.db');
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return missingStore(dataDir, file);
  if (!withStore) return [];
  const [fault, ...others] = upkeep.checkStore(dataDir, found.uid);
  if (fault === undefined)
    return [ok('store', `${Math.ceil(found.size / 1_024 / 1_024).toLocaleString('en')} MiB, sound`)];
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const fix = `stop the daemon, and ${RESTORE} or save what can be read: hydrant salvage <dir> --data-dir ${dataDir}`;
  // What is wrong with the journal begins with its name.
  const what = fault.startsWith(file) ? fault : `${file} is damaged: ${fault}`;
  return [fail('store', what + more, fix)];
}

const RESTORE = 'restore a backup (hydrant restore <file> --data-dir <dir>)';

/** Beside a catalog that is in use, a database that is missing was lost. */
async function missingStore(dataDir: string, file: string): Promise<Finding[]> {
  const text = await readFile(path.join(dataDir, 'catalog.json'), 'utf8').catch(() => '');
  if (!/"organizations":\s*\[\s*\{/.test(text)) return [];
  const fix = `${RESTORE}, or go on without events, page versions, watches and credit: touch ${file}.damaged`;
  return [fail('store', `${file} is missing, but the catalog beside it is in use`, fix)];
}

/** What a start found lost, and went on without. */
async function losses({ status }: Patient): Promise<Finding[]> {
  const fix = 'restore a backup if you need what is missing; look at hydrant credit history for grants';
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
