import { hasLongSocket, MARK, type ServicePlan } from './plan.ts';

export const UNIT = 'hydrant.service';
/** Where systemd makes and keeps the data of a service of the system by itself. */
export const STATE_DIRECTORY = '/var/lib/hydrant';

/** The unit, as systemd reads it (systemd.service(5), systemd.exec(5)). */
export function systemdUnit(plan: ServicePlan): string {
  const isSystem = plan.scope === 'system';
  return `# ${MARK}; made again by it, so change it with: systemctl ${isSystem ? '' : '--user '}edit ${UNIT}
[Unit]
Description=hydrant: watches the web, and tells what changed
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
Type=exec
# Less memory kept by the allocator (glibc), and by the young generation of each thread: 150 MB after large pages.
Environment=MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
ExecStart=${[plan.node, '--max-semi-space-size=4', plan.program, '--data-dir', plan.dataDir].map(word).join(' ')}
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
