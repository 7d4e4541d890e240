import { timestamp } from '../outside.ts';
import type { SourceRecord } from '../storage/catalog.ts';
import type { Answer, LastVisit, SourceSummary } from '../storage/frontier.ts';
import type { Source, SourceProblem, SourceVisit } from '../../shared/api/crawl.ts';
import type { FailingUrl } from '../../shared/api/status.ts';

/** A source as the API tells it: the operator's words, and what the frontier has made of them. */
export function sourceToWire(record: SourceRecord, summary: SourceSummary | undefined, failing?: FailingUrl): Source {
  return {
    id: record.id,
    url: record.url,
    scope: record.scope,
    depth: record.depth,
    every_seconds: record.everySeconds,
    max_pages: record.maxPages,
    baseline: record.baseline,
    paused: record.paused,
    created_at: timestamp(Date.parse(record.createdAt)),
    pages: summary?.pages ?? 1,
    visits: summary?.visits ?? 0,
    last_visit: summary?.last ? lastVisit(summary.last) : null,
    next_visit_at: summary?.nextDue === undefined || record.paused ? null : timestamp(summary.nextDue),
    ...(failing && { problem: problemOf(failing) }),
    ...ownToWire(record),
  };
}

function ownToWire({ request, render }: SourceRecord): Pick<Source, 'request' | 'render'> {
  return { ...(request && { request: request.shown }), ...(render && { render }) };
}

function problemOf({ reason, detail, failures, since }: FailingUrl): SourceProblem {
  return { reason, ...(detail !== undefined && { detail }), failures, ...(since !== undefined && { since }) };
}

function lastVisit(last: LastVisit): SourceVisit {
  return { url: last.url, ...answerToWire(last) };
}

/** How one visit ended. */
export function answerToWire({ at, outcome, reason, detail, status }: Answer): Omit<SourceVisit, 'url'> {
  return {
    at: timestamp(at),
    outcome,
    ...(reason !== undefined && { reason }),
    ...(detail !== undefined && { detail }),
    ...(status !== undefined && { status }),
  };
}
