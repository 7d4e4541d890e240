import path from 'node:path';

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

/** What a service is made of, whichever manager runs it. */
export interface ServicePlan {
  /** `user`: runs as who installs it, in his session or, lingering, always. `system`: of the machine, as `account`. */
  readonly scope: 'user' | 'system';
  /** Absolute paths. */
  readonly node: string;
  readonly program: string;
  readonly dataDir: string;
  /** The account that a service of the system runs as. */
  readonly account: string;
}

/** By which our own file is known: another one of that name is not touched. */
export const MARK = 'Made by `hydrant service install`';

/** Bytes of the path of a socket (see `src/daemon/process/listeners.ts`); a longer one moves to the temporary directory. */
const SOCKET_PATH_BYTES = 103;

function hasLongSocket(dataDir: string): boolean {
  return new TextEncoder().encode(`${dataDir}/admin.sock`).length > SOCKET_PATH_BYTES;
}

const UNIT = 'hydrant.service';
/** Where systemd makes and keeps the data of a service of the system by itself. */
export const STATE_DIRECTORY = '/var/lib/hydrant';

/** The unit, as systemd reads it (systemd.service(5), systemd.exec(5)). */
export function systemdUnit(plan: ServicePlan): string {
  const isSystem = plan.scope === 'system';
  return `# ${MARK}; made again by it, so change it with: systemctl ${isSystem ? '' : '--user '}edit ${UNIT}
[Unit]
Description=hydrant: watches the web and reports what changed
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
Type=exec
ExecStart=${[plan.node, plan.program, '--data-dir', plan.dataDir].map(word).join(' ')}
Restart=on-failure
RestartSec=2
# A setting that cannot be right: starting again would not help.
RestartPreventExitStatus=78
# It finishes what is under way within 10 s; a visit that is cut off is made again.
TimeoutStopSec=30
LimitNOFILE=65536
UMask=0077
${isSystem ? ofSystem(plan) : OF_USER}
${HARDENING}
[Install]
WantedBy=${isSystem ? 'multi-user.target' : 'default.target'}
`;
}

function ofSystem(plan: ServicePlan): string {
  const isState = plan.dataDir === STATE_DIRECTORY;
  const isAtHome = [plan.node, plan.program, plan.dataDir].some((path) => /^\/(home|root|run\/user)\//.test(path));
  return `User=${plan.account}
# Settings are read from /etc/hydrant/hydrantd.json, if it is there.
Environment=XDG_CONFIG_HOME=/etc

# Nothing of the machine but its data directory can be written to.
ProtectSystem=strict
${isState ? 'StateDirectory=hydrant\nStateDirectoryMode=0700' : `ReadWritePaths=${word(plan.dataDir)}`}
ProtectHome=${isAtHome ? 'read-only' : 'yes'}
${
  hasLongSocket(plan.dataDir)
    ? '# The path of the data directory is too long for a socket, which is in /tmp for that.\nPrivateTmp=no'
    : 'PrivateTmp=yes'
}
PrivateDevices=yes
ProtectProc=invisible
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
CapabilityBoundingSet=
AmbientCapabilities=
`;
}

const OF_USER = `
# ProtectSystem= and what else changes the view of the files needs name spaces of users, which many systems forbid:
# the service would not start there (226/NAMESPACE). A service of the system has them: --system.`;

/** What needs no privileges to be given up. */
const HARDENING = `NoNewPrivileges=yes
LockPersonality=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
# The web, the operator's socket, and the kernel's list of the machine's own addresses.
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
# No MemoryDenyWriteExecute=: V8 writes machine code while it runs, into memory that it then executes. Without that
# Node does not start, or with --jitless has no WebAssembly, which its HTTP client needs.
`;

/** A word of a command line: in quotes, with nothing in it that systemd would replace. */
function word(text: string): string {
  const plain = text.replaceAll('%', '%%').replaceAll('$', '$$$$');
  if (/^[\w@%+=:,./$-]+$/.test(plain)) return plain;
  return `"${plain.replaceAll('\\', '\\\\').replaceAll('"', String.raw`\"`)}"`;
}

const LABEL = 'hydrant.hydrantd';

/** The property list, as launchd reads it (launchd.plist(5)). */
export function launchdPlist(plan: ServicePlan): string {
  const data = ['--data-dir', plan.dataDir, '--log-file', `${plan.dataDir}/hydrant.log`];
  // The young generation of a thread grows no further: some 40 MB less, at no cost in time.
  const command = [plan.node, '--max-semi-space-size=4', plan.program, ...data];
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${MARK} -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${command.map((text) => `    <string>${escaped(text)}</string>`).join('\n')}
  </array>
${plan.scope === 'system' ? `  <key>UserName</key>\n  <string>${escaped(plan.account)}</string>\n` : ''}  <key>RunAtLoad</key>
  <true/>
  <!-- Again after a crash, and not after a stop. -->
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ExitTimeOut</key>
  <integer>30</integer>
  <key>Umask</key>
  <integer>63</integer>
  <key>ProcessType</key>
  <string>Background</string>
  <key>SoftResourceLimits</key>
  <dict>
    <key>NumberOfFiles</key>
    <integer>65536</integer>
  </dict>
</dict>
</plist>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
