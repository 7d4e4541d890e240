import { withoutSessions } from '../discovery/canonical.ts';
import type { PageFinding } from '../analysis/findings.ts';
import { pageOf } from '../analysis/packing.ts';
import type { DuePage } from '../storage/frontier.ts';
import { isLike } from '../storage/frontier-rules.ts';
import { mainText } from '../../shared/page/structure/content.ts';

/**
 * Which form of an address with a session id in it is fetched and reported. The session is that of whoever was there
 * first; without it the address is everybody's, and most sites answer it alike. A few answer with a form or a front page.
 * So each host is tried once: one of its pages is fetched without its session and then with it, and what the two say
 * decides for all pages of the host. What was found is kept in memory: after a restart the first such page tries again.
 */
export class SessionForms {
  /** By host; the one that was used last is the last of the map. */
  readonly #verdicts = new Map<string, 'clean' | 'written'>();
  readonly #trials = new Map<string, Trial>();

  /** How the page is to be asked for now. */
  formOf({ id, url, host }: Pick<DuePage, 'id' | 'url' | 'host'>): Form {
    const clean = withoutSessions(url);
    if (clean === url) return { url, isReportedClean: false, step: 'settled' };
    const verdict = this.#verdicts.get(host);
    if (verdict === 'written') return { url, isReportedClean: false, step: 'settled' };
    if (verdict === 'clean') return { url: clean, isReportedClean: true, step: 'settled' };
    const trial = this.#trials.get(host);
    if (trial?.pageId !== id) return { url: clean, isReportedClean: true, step: 'first' };
    return { url, isReportedClean: trial.clean !== undefined, step: 'second' };
  }

  /** Whether the finding is to be recorded; if not, it was one half of a trial, and the page is still due. */
  settles({ id, host }: Pick<DuePage, 'id' | 'host'>, { step }: Form, finding: PageFinding): boolean {
    if (step === 'settled') return true;
    if (step === 'first') {
      // The host cannot be had, which says nothing of either form.
      if (finding.outcome === 'failed' && !OF_THE_PAGE.has(reasonOf(finding))) return true;
      keepIn(this.#trials, host, { pageId: id, clean: finding.outcome === 'failed' ? undefined : sketchOf(finding) });
      return false;
    }
    const clean = this.#trials.get(host)?.clean;
    this.#trials.delete(host);
    if (finding.outcome === 'failed') {
      // The session is over, or the page is gone: with nothing to compare, the clean form is the one that works.
      if (clean !== undefined) keepIn(this.#verdicts, host, 'clean');
      return clean === undefined;
    }
    const isSame = clean !== undefined && isAlike(clean, sketchOf(finding));
    keepIn(this.#verdicts, host, isSame ? 'clean' : 'written');
    // It was read as if it had come from the clean address.
    return isSame || clean === undefined;
  }

  /** robots.txt refuses the form with the session, and not the other. */
  refused({ host }: Pick<DuePage, 'host'>, { step }: Form): boolean {
    if (step !== 'second' || this.#trials.get(host)?.clean === undefined) return false;
    this.#trials.delete(host);
    keepIn(this.#verdicts, host, 'clean');
    return true;
  }
}

export interface Form {
  /** What is asked for. */
  readonly url: string;
  /** Whether what comes is reported under its address without a session. */
  readonly isReportedClean: boolean;
  readonly step: 'settled' | 'first' | 'second';
}

interface Trial {
  readonly pageId: number;
  /** What the form without a session said; undefined: it is no page. */
  readonly clean: Sketch | undefined;
}

interface Sketch {
  readonly simhash: string | undefined;
  /** Title and main text of what is too short for a simhash; undefined where nothing has changed since the last visit. */
  readonly text: string | undefined;
}

/** Failures that are the page's own, as against those of its host or of the network. */
const OF_THE_PAGE: ReadonlySet<string> = new Set(
  '400 401 403 404 410 451 not_found challenge redirects moved content_type empty doubtful'.split(' '),
);
const HOSTS = 10_000;

function reasonOf({ reason = '', status }: PageFinding): string {
  return reason === 'status' ? String(status) : reason;
}

function sketchOf({ fingerprint, version }: PageFinding): Sketch {
  if (fingerprint || !version) return { simhash: fingerprint?.simhash, text: undefined };
  const page = pageOf(version);
  return { simhash: undefined, text: `${page.title ?? ''}\n${mainText(page)}` };
}

function isAlike(one: Sketch, other: Sketch): boolean {
  return one.text === other.text && isLike(one.simhash, other.simhash);
}

function keepIn<Value>(kept: Map<string, Value>, host: string, value: Value): void {
  kept.delete(host);
  kept.set(host, value);
  const [oldest] = kept.keys();
  if (kept.size > HOSTS && oldest !== undefined) kept.delete(oldest);
}
