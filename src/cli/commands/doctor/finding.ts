import type { Context, KnownSettings, Upkeep } from '../../runtime/context.ts';
import type { Status } from '../../../shared/api/status.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { DAEMON_NOTICE } from '../../../shared/daemon-notice.ts';
import { isObject } from '../../../shared/page/json-value.ts';
import { isStatus } from '../../client/shape.ts';
import { send } from '../../client/transport.ts';
import { readVersion } from '../../runtime/version.ts';

/** What one check found. */
export interface Finding {
  readonly name: string;
  /** `warn` works and should be looked at; `fail` does not work, or is not safe. */
  readonly state: 'ok' | 'warn' | 'fail';
  readonly says: string;
  /** What to do about it. */
  readonly fix?: string;
}

/** What the checks look at. Found out once, so that they agree. */
export interface Patient {
  readonly dataDir: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly version: string;
  readonly upkeep: Upkeep;
  /** As a daemon that starts now would have them; or why it would not start. */
  readonly settings: KnownSettings | Error;
  /** What the notice in the data directory says; undefined without one. */
  readonly notice: { readonly socket: string; readonly pid: number; readonly url: string } | undefined;
  /** Of the daemon, when it answers. */
  readonly status: Status | undefined;
  /** By the daemon's clock, from the Date of an answer. */
  readonly daemonTime: number | undefined;
  /** A page of the web to try, if the network is to be looked at. */
  readonly online: string | undefined;
  /** Whether SQLite is to read the whole database. */
  readonly withStore: boolean;
}

/** A check: what it found, or nothing where it does not apply. */
export type Check = (patient: Patient) => Promise<readonly Finding[]>;

export const ok = (name: string, says: string): Finding => ({ name, state: 'ok', says });
export const warn = (name: string, says: string, fix: string): Finding => ({ name, state: 'warn', says, fix });
export const fail = (name: string, says: string, fix: string): Finding => ({ name, state: 'fail', says, fix });

/** All checks, in order. One that breaks is a finding, too: it must not hide the others. */
export async function examine(patient: Patient, checks: Readonly<Record<string, Check>>): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [name, check] of Object.entries(checks)) {
    try {
      findings.push(...(await check(patient)));
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      findings.push(fail(name, `could not be checked: ${what}`, 'run this as the user of the daemon'));
    }
  }
  return findings;
}

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
    if (!isObject(notice) || typeof notice['socket'] !== 'string') return undefined;
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
    const status = isObject(body) && isStatus(body['data']) ? body['data'] : undefined;
    const time = Date.parse(answer.headers['date'] ?? '');
    return { status, time: Number.isNaN(time) ? undefined : time };
  } catch {
    return undefined;
  }
}
