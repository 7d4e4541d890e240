import type { Plan } from '../accounts/plans.ts';
import type { CheckFinding, Explained } from '../analysis/findings.ts';
import { confirmAt } from '../crawl/revisit.ts';
import type { HostState } from '../storage/frontier.ts';
import { monthOf } from '../storage/ledger.ts';
import { type Check, type DueWatch, slotAfter } from '../storage/watches.ts';
import { slotsOf } from './cadence.ts';

/** What was found, on its way to what is kept of it. */
export interface Found {
  readonly finding: CheckFinding;
  readonly at: number;
  /** Undefined where the host was asked for nothing. */
  readonly host: HostState | undefined;
}

export interface CheckTerms {
  /** How often a watch of the organization may be checked, and how many checks it has in a month. */
  readonly planOf: (organizationId: string) => Pick<Plan, 'fastestMinutes' | 'checksAMonth'>;
  /** Checks of a watch that are kept. */
  readonly history: number;
}

/** What of a finding the storage keeps, and when the next check is due. */
export function checkOf(due: DueWatch, { finding, at, host }: Found, terms: CheckTerms): Check {
  const { reason: _reason, detail: _detail, until: _until, notes: _notes, spentMs: _spentMs, ...rest } = finding;
  const { request: _request, answer: _answer, findings: _findings, ...found } = rest;
  // A doubt waits for a second look at the page; that it could not be read is none.
  const isStill = finding.doubtedAt === undefined && finding.outcome === 'failed';
  const { doubtedAt, doubt } = (isStill ? due.state : finding) ?? {};
  const mostInMonth = terms.planOf(due.organizationId).checksAMonth;
  return {
    ...found,
    ...failureOf(finding),
    ...explanationOf(finding),
    watchId: due.id,
    ...(due.lease !== undefined && { lease: due.lease }),
    at,
    month: monthOf(at),
    ...(Number.isFinite(mostInMonth) && { mostInMonth }),
    nextDue: nextDue(due, finding, at, terms),
    keep: terms.history,
    ...(host && { host }),
    ...(doubtedAt !== undefined && { doubtedAt }),
    ...(doubt !== undefined && { doubt }),
  };
}

function failureOf({ outcome, reason = '', detail = '', status }: CheckFinding): Pick<Check, 'failure'> {
  return outcome === 'failed' ? { failure: { reason, detail, ...(status !== undefined && { status }) } } : {};
}

function explanationOf({ outcome, request, answer, findings }: CheckFinding): Pick<Check, 'explanation'> {
  const asked = request ?? (outcome === 'failed' ? UNASKED : undefined);
  return asked ? { explanation: JSON.stringify({ request: asked, answer, findings }) } : {};
}

/** What a check explains for which nothing was requested. */
const UNASKED: Explained['request'] = { conditional: false };

function nextDue(due: DueWatch, { doubtedAt, until }: CheckFinding, at: number, { planOf }: CheckTerms): number {
  if (doubtedAt !== undefined) return confirmAt(doubtedAt, at);
  return Math.max(slotAfter(slotsOf(due, planOf(due.organizationId)), at), until ?? 0);
}
