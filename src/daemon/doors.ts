import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { faultPoint } from './fault-points.ts';
import { type Listener, listenPublic, listenSocket } from './listen.ts';
import { timestamp } from './outside.ts';
import type { DaemonSettings } from './settings.ts';
import { DAEMON_NOTICE, type DaemonNotice } from '../shared/daemon-notice.ts';

export interface Doors {
  readonly notice: DaemonNotice;
  /** Takes no new request, waits for those under way, and takes the notice away. */
  close(): Promise<void>;
}

interface Server extends Listener {
  close(): Promise<void>;
}

/** What the operator has beside the public port. */
export interface OperatorDoors {
  readonly admin: Server;
  /** A port for the figures, if one is set. */
  readonly metrics?: { readonly server: Server; readonly host: string; readonly port: number };
}

/**
 * Opens the public port and the operator's doors, then writes the notice by which the command line finds them.
 * The notice comes last: who finds it finds a daemon that answers.
 */
export async function openDoors(plan: {
  readonly settings: DaemonSettings;
  readonly version: string;
  readonly startedAt: number;
  readonly server: Server;
  readonly operator: (url: string) => OperatorDoors;
}): Promise<Doors> {
  const { settings, server } = plan;
  const opened: Server[] = [server];
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((door) => door.close()));
  };
  try {
    const url = await listenPublic(server, settings.listen, settings.port);
    const { admin, metrics } = plan.operator(url);
    opened.push(admin);
    if (metrics) {
      opened.push(metrics.server);
      await listenPublic(metrics.server, metrics.host, metrics.port);
    }
    const socket = await listenSocket(admin, settings.dataDir);
    faultPoint('start:listening');
    const startedAt = timestamp(plan.startedAt);
    const kept = settings.logFile === '' ? {} : { log_file: settings.logFile };
    const notice = { pid: process.pid, version: plan.version, url, socket, started_at: startedAt, ...kept };
    const path = join(settings.dataDir, DAEMON_NOTICE);
    await writeWhole(path, `${JSON.stringify(notice, null, 2)}\n`);
    faultPoint('start:told');
    return {
      notice,
      close: async () => {
        await close();
        await rm(path, { force: true });
        await rm(socket, { force: true });
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Written beside and renamed: who looks meanwhile sees the former notice or none, never half of one. */
async function writeWhole(path: string, text: string): Promise<void> {
  const beside = `${path}.new`;
  await writeFile(beside, text, { mode: 0o600 });
  await rename(beside, path);
}
