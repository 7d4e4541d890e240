import type { Ingested } from '../../shared/api/ingest.ts';

/** What became of the pages of an archive, in numbers. */
export class Tally {
  /** Records of any kind. */
  records = 0;
  /** Response and resource records. */
  pages = 0;
  /** Of those, answers of the daemon. */
  answers = 0;
  changed = 0;
  unchanged = 0;
  matches = 0;
  damaged = 0;
  readonly failed = new Map<string, number>();
  readonly skipped = new Map<string, number>();
  /** Milliseconds since 1970. */
  from = Infinity;
  to = -Infinity;

  skip(reason: string, count = 1): void {
    if (count > 0) this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + count);
  }

  date(at: number): void {
    this.from = Math.min(this.from, at);
    this.to = Math.max(this.to, at);
  }

  answered({ outcome, events, reason = 'unknown' }: Ingested): void {
    this.answers += 1;
    this.matches += events;
    if (outcome === 'skipped') this.skip(reason);
    else if (outcome === 'failed') this.failed.set(reason, (this.failed.get(reason) ?? 0) + 1);
    else this[outcome] += 1;
  }

  toJson(): object {
    const { records, pages, changed, unchanged, matches, damaged } = this;
    const span = this.from <= this.to ? { from: instant(this.from), to: instant(this.to) } : {};
    const [failed, skipped] = [Object.fromEntries(this.failed), Object.fromEntries(this.skipped)];
    return { records, pages, changed, unchanged, failed, skipped, matches, damaged, ...span };
  }
}

export function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
