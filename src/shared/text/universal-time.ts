/** `2026-03-01 10:00 UTC`: a timestamp as documents have it; they are read elsewhere, and later. */
export function utcMinute(timestamp: string): string {
  return `${timestamp.slice(0, 16).replace('T', ' ')} UTC`;
}

/** `2026-02-13T13:02:11Z`: what a pipe is given, wherever it runs. */
export function universalTime(instant: string): string {
  const at = new Date(instant);
  return Number.isNaN(at.getTime()) ? instant : `${at.toISOString().slice(0, 19)}Z`;
}
