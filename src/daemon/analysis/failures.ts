import { CONFIRM_MS, READING_MEMORY_BYTES } from '../../shared/limits.ts';
import type { AnalysisFailure, PageInput } from './page-analysis.ts';

export function failed(reason: string, detail: string): AnalysisFailure {
  return { outcome: 'failed', reason, detail };
}

/**
 * What our own code threw is a failed visit, for the sake of the host: thrown on, the page would stay the most overdue
 * one, and be fetched again and again while the others wait.
 */
export function internalFailure(fault: string): AnalysisFailure {
  return { ...failed('internal', 'hydrant could not read this page; the log tells why'), notes: { fault } };
}

/** It held too much; `bytes` where that is known. Where others held most of it, the page is tried again soon. */
export function tooMuchMemory(bytes = READING_MEMORY_BYTES): AnalysisFailure {
  const mebibytes = (count: number): string => `${Math.round(count / 1_024 / 1_024)} MiB`;
  const most = mebibytes(READING_MEMORY_BYTES);
  return bytes >= READING_MEMORY_BYTES
    ? failed('too_large', `The page takes too much memory to be read: more than ${most}.`)
    : failed(
        'memory',
        `The page took ${mebibytes(bytes)} of memory to be read, and with others beside it more than ${most}.`,
      );
}

/** Whether what is hard to believe is found for the first time, and waits for a second. */
export function isFirstSight({ doubtedAt, at }: Doubt): boolean {
  return doubtedAt === undefined || at < doubtedAt + CONFIRM_MS;
}

export function doubtful({ doubtedAt, at }: Doubt, doubt: string): AnalysisFailure {
  // One in the future is that of a clock that was set back: nobody would look for it until then.
  return { ...failed('doubtful', doubt), doubtedAt: Math.min(doubtedAt ?? at, at) };
}

type Doubt = Pick<PageInput, 'doubtedAt' | 'at'>;

/** For a page that nobody analyzes any more: nothing is to be recorded of it. */
export const CALLED_OFF: AnalysisFailure = failed('aborted', 'the analysis was called off');

/** What was thrown, as it goes into the log. */
export function faultText(fault: unknown): string {
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
}
