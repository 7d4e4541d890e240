import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RealDaemon } from './real-daemon.ts';

/** The profiles of the daemon's browsers, as it has noted them. */
export function profiles(daemon: RealDaemon): string[] {
  const note = join(daemon.dataDir, 'render-profiles');
  return existsSync(note) ? readFileSync(note, 'utf8').split('\n').filter(Boolean) : [];
}

/** The processes of a browser with this profile; its first one first. None of '': every command line has that in it. */
export function browsers(profile: string): number[] {
  if (profile === '') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(pid).includes(profile))
    .map(Number)
    .sort((one, other) => one - other);
}

/** Of a process, its words; empty where it has ended. */
export function commandLine(pid: number | string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
