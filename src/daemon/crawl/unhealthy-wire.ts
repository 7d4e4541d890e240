import type { FailingUrl, UnhealthyHost as Wire } from '../../shared/api/status.ts';
import { timestamp } from '../outside.ts';
import type { FailingPage, UnhealthyHost } from '../storage/frontier.ts';

/** Named in one answer. */
export const MOST_NAMED = 250;

/** A host that fails, backs off or is slow, as the API tells it. */
export function unhealthyToWire({ name, backoffReason, failures, backoff, readyAt }: UnhealthyHost): Wire {
  const isSlow = failures === 0 && backoff === 0;
  const reason = isSlow ? 'slow' : (backoffReason ?? 'failed');
  return { host: name, reason, failures, next_try: readyAt === undefined ? null : timestamp(readyAt) };
}

/** A URL that cannot be had from a host that answers. */
export function failingToWire({ kind, id, url, reason, status, failures, at }: FailingPage): FailingUrl {
  // A visit says `status`, a check `http_4xx`.
  const isStatus = (reason === 'status' || reason.startsWith('http_')) && status !== undefined;
  return { kind, id, url, reason: isStatus ? String(status) : reason, failures, last_visit_at: timestamp(at) };
}
