import { createHash } from 'node:crypto';
import { LocalAnalysis } from '../../reference/local-analysis.ts';
import { unzstd } from '../../../src/daemon/compression.ts';
import type { CheckFinding, WatchInput } from '../../../src/daemon/analysis/findings.ts';
import type { PlacedHunk, WatchOptions } from '../../../src/shared/api/watch.ts';
import { NO_OPTIONS } from '../../../src/shared/api/watch-values.ts';
import { NO_LABELS } from '../../../src/shared/label/label.ts';
import { CONFIRM_MS } from '../../../src/shared/limits.ts';

export const url = 'https://shop.example.com/lamp';
const analysis = new LocalAnalysis({ labeller: async () => () => NO_LABELS });

/** A watch that is checked again and again, a minute and more between two checks. */
export class Watch {
  options: WatchOptions;
  last: WatchInput['last'];
  doubtedAt: number | undefined;
  doubt: string | undefined;
  dr: number | undefined;
  at = Date.UTC(2026, 1, 13, 12);
  contentType = 'text/html; charset=utf-8';
  #visits = 1;

  constructor(options: Partial<WatchOptions> = {}) {
    this.options = { ...NO_OPTIONS, ...options };
  }

  async check(content: string | Uint8Array): Promise<CheckFinding> {
    this.at += CONFIRM_MS;
    const found = await analysis.analyzeWatch(this.given(content));
    this.doubtedAt = found.doubtedAt;
    this.doubt = found.doubt;
    const next = found.outcome === 'failed' ? undefined : found.baseline;
    this.#visits = next ? 1 : this.#visits + 1;
    this.last = next ?? this.last;
    return found;
  }

  given(content: string | Uint8Array): WatchInput {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    const { at, options, last, doubtedAt, doubt, dr, contentType } = this;
    const fetched = { url, contentType, bytes, status: 200, hash: createHash('sha256').update(bytes).digest('hex') };
    return { fetched, at, options, last, doubtedAt, doubt, dr, visits: this.#visits };
  }

  /** One that reads a page. */
  async find(content: string | Uint8Array): Promise<CheckFinding> {
    const found = await this.check(content);
    if (found.outcome === 'failed') throw new Error(`${found.reason}: ${found.detail} ${found.notes?.fault ?? ''}`);
    return found;
  }
}

export const hunksOf = ({ diff }: CheckFinding): PlacedHunk[] =>
  diff ? (JSON.parse(unzstd(diff.packed).toString()) as PlacedHunk[]) : [];
export const textOf = ({ text }: CheckFinding): string | undefined => text && unzstd(text.packed).toString();
/** `baseline`, `changed`, `unchanged noise`, `failed selector`. */
export const said = (found: CheckFinding): string =>
  [found.outcome, found.outcome === 'failed' ? found.reason : found.note].filter(Boolean).join(' ');

/** Outcomes of a series of checks. */
export async function series(watch: Watch, ...contents: readonly (string | Uint8Array)[]): Promise<string[]> {
  const outcomes: string[] = [];
  for (const content of contents) outcomes.push(said(await watch.check(content)));
  return outcomes;
}

export const harbour = 'The harbour opens at nine.';
export const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
