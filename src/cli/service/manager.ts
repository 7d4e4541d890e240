import path from 'node:path';
import { LABEL, launchdPlist } from './launchd.ts';
import type { ServicePlan } from './plan.ts';
import { systemdUnit, UNIT } from './systemd.ts';

/** How a manager of services is spoken to: the file it reads, and the commands, each as words. */
export interface Manager {
  readonly name: 'systemd' | 'launchd';
  readonly file: string;
  readonly text: (plan: ServicePlan) => string;
  readonly start: readonly (readonly string[])[];
  readonly stop: readonly (readonly string[])[];
  /** After the file has gone. */
  readonly forget: readonly (readonly string[])[];
  /** Ends with 0 while the service runs. */
  readonly isActive: readonly string[];
  /** What shows its log. */
  readonly log: string;
}

/** Of this machine; undefined where there is none that we know. `configHome` is XDG_CONFIG_HOME, or what stands for it. */
export function managerFor(
  platform: NodeJS.Platform,
  scope: ServicePlan['scope'],
  where: { readonly home: string; readonly configHome: string; readonly uid: number },
): Manager | undefined {
  if (platform === 'darwin') return launchd(scope, where);
  return platform === 'linux' ? systemd(scope, where.configHome) : undefined;
}

function systemd(scope: ServicePlan['scope'], configHome: string): Manager {
  const isSystem = scope === 'system';
  const control = isSystem ? ['systemctl'] : ['systemctl', '--user'];
  return {
    name: 'systemd',
    file: isSystem ? `/etc/systemd/system/${UNIT}` : path.join(configHome, 'systemd/user', UNIT),
    text: systemdUnit,
    start: [
      [...control, 'daemon-reload'],
      [...control, 'enable', UNIT],
      // Not `enable --now`, which leaves a service that runs already with its former unit.
      [...control, 'restart', UNIT],
    ],
    stop: [[...control, 'disable', '--now', UNIT]],
    forget: [[...control, 'daemon-reload']],
    isActive: [...control, 'is-active', '--quiet', UNIT],
    log: `journalctl ${isSystem ? '' : '--user '}-u hydrant`,
  };
}

function launchd(scope: ServicePlan['scope'], { home, uid }: { readonly home: string; readonly uid: number }): Manager {
  const isSystem = scope === 'system';
  const domain = isSystem ? 'system' : `gui/${uid}`;
  const directory = isSystem ? '/Library/LaunchDaemons' : path.join(home, 'Library/LaunchAgents');
  const file = path.join(directory, `${LABEL}.plist`);
  return {
    name: 'launchd',
    file,
    text: launchdPlist,
    start: [
      ['launchctl', 'bootstrap', domain, file],
      ['launchctl', 'kickstart', `${domain}/${LABEL}`],
    ],
    stop: [['launchctl', 'bootout', `${domain}/${LABEL}`]],
    forget: [],
    isActive: ['launchctl', 'print', `${domain}/${LABEL}`],
    log: 'hydrant logs',
  };
}
