import { type Stats, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StartFailure } from '../../../start-failure.ts';

/** What the daemon reads at its start and believes: keys, sealed tokens, what is delivered. */
const BELIEVED = /^(?:catalog\.json(?:\.bak)?|secret|lock|daemon\.json|hydrant\.db(?:-wal|-shm|-committed)?)$/;
const OTHERS_WRITE = 0o022;

/**
 * A data directory that others own or may write to is theirs: they choose the keys that are accepted and what is delivered.
 * Root is trusted, since it may write anywhere in any case; as root itself, only root is. A symbolic link may lead to the
 * directory or to a file in it, if it is the daemon's own. Windows has neither modes nor user ids.
 * @throws {StartFailure} with the command that puts it right
 */
export function refuseOthers(dataDir: string): void {
  const own = process.geteuid?.();
  if (own === undefined) return;
  const places = [dataDir, ...namesIn(dataDir).map((name) => join(dataDir, name))];
  const found = places.flatMap((path) => faultsOf(path, own));
  const strange = found.find(({ kind }) => kind === 'owner');
  if (strange !== undefined) throw foreign(dataDir, strange, own);
  const open = found.find(({ kind }) => kind === 'mode');
  if (open === undefined) return;
  const [path, dir] = [quoted(open.path), quoted(dataDir)];
  throw refusal(
    `${open.path} may be written to by others (mode ${octal(open.stats.mode)}), who could give hydrantd keys and data of theirs`,
    `look whether what is in it is yours, then: chmod go-w ${path === dir ? dir : `${dir} ${path}`}`,
  );
}

interface Fault {
  readonly path: string;
  readonly kind: 'owner' | 'mode';
  readonly stats: Stats;
}

function foreign(dataDir: string, { path, stats }: Fault, own: number): StartFailure {
  const what = `${path} belongs to the user with id ${stats.uid}, and hydrantd runs as the one with id ${own}`;
  const ways = [
    `look whether what is in it is yours, then: ${own === 0 ? '' : 'sudo '}chown -R -h ${own} ${quoted(dataDir)}`,
    `or run hydrantd as that user`,
    `or let it make a directory of its own: --data-dir ${quoted(join(dataDir, 'hydrant'))}`,
  ];
  return refusal(what, ways.join(', '));
}

function refusal(what: string, fix: string): StartFailure {
  return new StartFailure('configuration', `the data directory cannot be trusted: ${what}; ${fix}`);
}

/** Of a link, and of what it leads to. */
function faultsOf(path: string, own: number): Fault[] {
  const link = lstatSync(path, { throwIfNoEntry: false });
  const target = link?.isSymbolicLink() === true ? statSync(path, { throwIfNoEntry: false }) : undefined;
  const isStrange = ({ uid }: Stats): boolean => uid !== own && uid !== 0;
  // The mode of a link says nothing.
  const open = target ?? (link?.isSymbolicLink() === true ? undefined : link);
  return [
    ...[link, target].flatMap((stats) =>
      stats !== undefined && isStrange(stats) ? [{ path, kind: 'owner' as const, stats }] : [],
    ),
    ...(open !== undefined && (open.mode & OTHERS_WRITE) !== 0 ? [{ path, kind: 'mode' as const, stats: open }] : []),
  ];
}

function namesIn(dataDir: string): readonly string[] {
  return readdirSync(dataDir).filter((name) => BELIEVED.test(name));
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8);
}

/** For a shell. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
