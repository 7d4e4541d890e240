import { OWN_FILES } from '../shared/limits.ts';

/** Files that this process may have open, and connections are files. Node has raised it as far as it may be. */
export function openFilesLimit(): number {
  // Otherwise it looks up names of addresses, which takes seconds where a name server does not answer.
  const report = Object.assign(process.report, { excludeNetwork: true });
  return readLimit(report.getReport()) ?? Infinity;
}

function readLimit(report: unknown): number | undefined {
  const { userLimits } = report as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : undefined;
}

/** Connections of the public port: as many as wanted, and no more than leave the daemon its own files. */
export function connectionsAllowed(wanted: number, openFiles: number): number {
  return Math.min(wanted, Math.max(openFiles - OWN_FILES, Math.floor(openFiles / 2)));
}
