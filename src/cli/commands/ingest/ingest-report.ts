import type { Place } from '../../../shared/archive/records.ts';
import { grouped } from '../../../shared/grouped.ts';
import type { Out, Progress } from '../../runtime/output.ts';
import { printable } from '../../../shared/text/printable.ts';
import { count } from '../../../shared/text/plural.ts';
import type { Ingested } from '../../../shared/api/crawl.ts';

/** Where the archives are damaged: the first places are told one by one, the others by their number. */
export interface Damages {
  tell(file: string, at: Place, message: string): void;
  tellOthers(): void;
}

export function damagesFor(out: Out, progress: Pick<Progress, 'end'>): Damages {
  let told = 0;
  return {
    tell: (file, { offset, within }, message) => {
      told += 1;
      if (told > SHOWN) return;
      progress.end();
      const where = within === 0 ? `byte ${offset}` : `byte ${offset}, ${within} bytes into what is packed there`;
      out.warning({ code: 'damaged', message, file, offset, within }, [
        `${out.paintNotice('yellow', 'warning:')} ${printable(`${file}, ${where}: ${message}`)}`,
      ]);
    },
    tellOthers: () => {
      if (told > SHOWN) out.notice(`and ${count(told - SHOWN, 'more damaged place')}`);
    },
  };
}

/** Places that are told one by one. */
const SHOWN = 5;

/** `56 matches`. */
export function sofar({ matches }: Tally): string {
  return `${grouped(matches)} ${matches === 1 ? 'match' : 'matches'}`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
}

/** What is said at the end. */
export function summaryOf(
  tally: Tally,
  { from, isDryRun, isStopped }: { from: string; isDryRun: boolean; isStopped: boolean },
): { id: string; notice: string; next?: string } {
  const skipped = sum(tally.skipped);
  const parts = [
    `${count(tally.pages, 'page')} in ${from}`,
    ...(isDryRun ? [`${grouped(tally.pages - skipped)} would be sent`] : sent(tally)),
    ...(skipped > 0 ? [`${grouped(skipped)} skipped (${reasons(tally.skipped)})`] : []),
    ...(tally.damaged > 0 ? [count(tally.damaged, 'damaged place')] : []),
  ];
  const notice = `${isStopped ? 'stopped: ' : ''}${parts.join('; ')}`;
  return { id: String(tally.matches), notice, ...(isStopped && { next: 'run the same command again to continue' }) };
}

function sent(tally: Tally): string[] {
  const failed = sum(tally.failed);
  return [
    `${grouped(tally.changed)} new or changed, ${grouped(tally.unchanged)} unchanged`,
    ...(failed > 0 ? [`${grouped(failed)} could not be analyzed (${reasons(tally.failed)})`] : []),
    sofar(tally),
  ];
}

function reasons(counts: ReadonlyMap<string, number>): string {
  const largestFirst = [...counts].toSorted(([, one], [, other]) => other - one);
  return largestFirst.map(([reason, number]) => `${grouped(number)} ${WORDS[reason] ?? reason}`).join(', ');
}

const WORDS: Readonly<Record<string, string>> = {
  budget: 'beyond the limit of URLs of one pattern',
  changed_meanwhile: 'in a file that changed meanwhile',
  digest: 'with a wrong checksum',
  empty: 'empty',
  future: 'dated in the future',
  known: 'known already',
  malformed: 'malformed',
  revisit: 'without content',
  status: 'errors or redirects',
  too_large: 'too large',
  truncated: 'cut short',
  type: 'no text',
  undecodable: 'undecodable',
  url: 'without a web address',
};

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

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
