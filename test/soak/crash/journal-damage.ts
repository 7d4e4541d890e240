import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Status } from '../../../src/shared/api/status.ts';
import { RealDaemon } from '../../acceptance/real-daemon.ts';
import { read } from './ask.ts';
import { STEADY } from './operator.ts';
import { readWal } from './wal.ts';
import type { World } from './world.ts';

/** What became of a journal that was damaged before its last commit. */
export type Outcome = 'refused' | 'reported';

/**
 * A copy of what a kill has left, with its journal damaged before the last commit that clients were told of: the start has to
 * refuse it, or to say what is lost; where it goes on, by itself or by the way out that it names, no id of its log may be one
 * that was given before. The files themselves stay as they are, and so do the books. Undefined: too few commits are in it.
 */
export async function damageJournal(world: World): Promise<Outcome | undefined> {
  const { daemon, findings, random } = world;
  const directory = mkdtempSync(join(tmpdir(), 'hydrant-crash-damage-'));
  // Nothing of the harness is open to it: the sites hear of one daemon alone.
  const copy = new RealDaemon(['--crawl-threads', '1', '--log-level', 'warn'], directory);
  try {
    for (const name of readdirSync(daemon.dataDir).filter((each) => FILES.test(each))) {
      cpSync(join(daemon.dataDir, name), join(directory, name));
    }
    const how = damaged(join(directory, 'hydrant.db-wal'), random);
    if (how === undefined) return undefined;
    const setAside: string[] = [];
    let wayOut = await refusal(copy);
    // Without its journal the database may be found damaged: part of what was in that was in it already.
    for (; wayOut !== undefined && !setAside.includes(wayOut.from); wayOut = await refusal(copy)) {
      renameSync(wayOut.from, wayOut.to);
      setAside.push(wayOut.from);
    }
    const said = [how, ...setAside.map((file) => `${basename(file)} set aside`)].join(', ');
    if (wayOut === undefined) await checkLoss(world, copy, said, setAside.includes(join(directory, 'hydrant.db')));
    else
      findings.contradict(
        `a journal ${how}: ${wayOut.from} is refused after it was set aside: ${copy.log.slice(-500)}`,
      );
    return setAside.length === 0 ? 'reported' : 'refused';
  } catch (error) {
    findings.contradict(`a damaged journal: ${String(error)}`);
    return undefined;
  } finally {
    await copy.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}

const FILES = /^(?:catalog\.json|secret|daemon\.json$|hydrant\.db)/;

/** Before the last but one of its commits: that of the last one may be what nobody was told of. */
function damaged(path: string, random: () => number): string | undefined {
  const commits = readWal(path)?.commits ?? [];
  const [end, sure] = [commits.at(-3), commits.at(-2)];
  if (commits.length < 4 || end === undefined || sure === undefined) return undefined;
  const somewhere = (from: number, to: number): number => from + Math.floor(random() * (to - from));
  const ways: Readonly<Record<string, () => void>> = {
    'with a wrong bit in a frame': () => flip(path, somewhere(32, sure), random),
    'with a wrong bit in its header': () => flip(path, somewhere(0, 32), random),
    'with a wrong bit in its first frame': () => flip(path, somewhere(32, 32 + 24 + 8_192), random),
    'overwritten in a place': () => overwrite(path, somewhere(32, end), sure),
    'cut off between two commits': () => truncateSync(path, commits[somewhere(0, commits.length - 2)] ?? 32),
    'cut off anywhere': () => truncateSync(path, somewhere(0, sure)),
    emptied: () => truncateSync(path, 0),
    removed: () => rmSync(path),
  };
  const names = Object.keys(ways);
  const how = names[Math.floor(random() * names.length)] ?? '';
  ways[how]?.();
  return how;
}

function flip(path: string, at: number, random: () => number): void {
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << Math.floor(random() * 8)), at);
  writeFileSync(path, bytes);
}

function overwrite(path: string, from: number, to: number): void {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xa5, from, Math.min(to, from + 20_000)));
}

/** What the refusal says is to be moved, and where; undefined for a daemon that has started. */
async function refusal(copy: RealDaemon): Promise<{ readonly from: string; readonly to: string } | undefined> {
  try {
    await copy.start();
    return undefined;
  } catch (error) {
    const ended = await copy.ended;
    const [, from = '', to = ''] = /: mv (\S+) (\S+)\s*$/.exec(copy.log) ?? [];
    if (ended?.exitCode !== 78 || from === '') throw error;
    return { from, to };
  }
}

async function checkLoss(
  { operator, findings }: World,
  copy: RealDaemon,
  how: string,
  isWithoutDatabase: boolean,
): Promise<void> {
  const { losses = [] } = await read<Status>(copy, '/admin/status');
  if (losses.length === 0) findings.lose(`a journal ${how} is taken for whole`);
  const start = await startOf(copy, operator.token(STEADY));
  // With the database its credit is gone, too: no stream, and so no ids.
  if (isWithoutDatabase && start === 'status 402') return;
  const [, partition] = /^(\d+)-\d+; clamped$/.exec(start) ?? [];
  if (partition === undefined || partition === '0') findings.double(`ids after a journal ${how}: ${start}`);
}

/** Where a stream starts that asks for what comes after the first id of all. */
function startOf({ notice }: RealDaemon, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'last-event-id': '0-0' };
  return new Promise((resolve, reject) => {
    const call = request(`${notice.url}/v1/stream`, { headers, agent: false }, ({ statusCode, headers: found }) => {
      call.destroy();
      const start = found['x-stream-start'];
      resolve(typeof start === 'string' ? start : `status ${statusCode ?? 0}`);
    });
    call.on('error', reject);
    call.end();
  });
}
