import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Status } from '../../shared/api/status.ts';
import { DAEMON_NOTICE } from '../../shared/daemon-notice.ts';
import { isRecord, isStatus } from '../client/shape.ts';
import { send } from '../client/transport.ts';
import type { Context } from '../context.ts';
import { readVersion } from '../version.ts';
import type { Patient } from './finding.ts';

/** Gathers what the checks look at. What cannot be had is undefined: that is for them to judge. */
export async function receive(
  context: Context,
  wanted: { readonly dataDir: string; readonly online: string | undefined; readonly withStore: boolean },
): Promise<Patient> {
  const upkeep = await context.upkeep();
  const notice = await readNotice(path.join(wanted.dataDir, DAEMON_NOTICE));
  const settings = await upkeep
    .settingsOf({ dataDir: wanted.dataDir }, context.environment)
    .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  const asked = notice && (await ask(notice.socket));
  return {
    ...wanted,
    version: readVersion(),
    upkeep,
    settings,
    notice,
    status: asked?.status,
    daemonTime: asked?.time,
    now: context.now(),
  };
}

async function readNotice(file: string): Promise<Patient['notice']> {
  try {
    const notice: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (!isRecord(notice) || typeof notice['socket'] !== 'string') return undefined;
    return { socket: notice['socket'], pid: Number(notice['pid']), url: String(notice['url']) };
  } catch {
    return undefined;
  }
}

/** Milliseconds until a daemon on this machine has answered. */
const ANSWER_MS = 10_000;

async function ask(socket: string): Promise<{ status: Status | undefined; time: number | undefined } | undefined> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await send({ kind: 'socket', path: socket }, { method: 'GET', path: '/admin/status', signal });
    const body: unknown = JSON.parse(await text(answer.body));
    const status = isRecord(body) && isStatus(body['data']) ? body['data'] : undefined;
    const time = Date.parse(answer.headers['date'] ?? '');
    return { status, time: Number.isNaN(time) ? undefined : time };
  } catch {
    return undefined;
  }
}
