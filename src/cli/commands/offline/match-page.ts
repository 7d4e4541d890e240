import type { Readable } from 'node:stream';
import { labels } from '../../../shared/label/labels.ts';
import { type FieldValues, valuesOf } from '../../../shared/match/document.ts';
import { NO_CHANGE } from '../../../shared/page/change.ts';
import { accountOf, type ReadingAccount, uncounted, type UncountedDifference } from '../../../shared/page/account.ts';
import { compare } from '../../../shared/page/compare.ts';
import { domainsOf } from '../../../shared/page/domain.ts';
import { asKnown, readVersions } from '../../pages/read-page.ts';
import { warnOfDoubts } from './extract-run.ts';
import type { Session } from '../session.ts';

export interface AskedPage {
  readonly source: string;
  /** The source, where it is open already. */
  readonly opened?: Readable;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** `--was` and `--as`. */
  readonly flags: { readonly was?: string | undefined; readonly as?: string | undefined };
}

/** What a query is tried on. */
export interface Subject {
  readonly values: FieldValues;
  /** Nothing differs between two versions: no rule is asked, whatever the values. */
  readonly isUnchanged: boolean;
  /** Of a page: what was read of it, and where two versions without a change differ. */
  readonly reading?: { readonly account: ReadingAccount; readonly differs: readonly UncountedDifference[] };
}

/** The page as a visit now finds it: all new, or compared with the version before. */
export async function pageSubject(session: Session, { source, opened, now, flags }: AskedPage): Promise<Subject> {
  const { before, after } = await readVersions(session.context, [flags.was, source], { as: flags.as, now, opened });
  warnOfDoubts(session, after, before);
  const comparison = compare(before, after);
  const { change } = comparison;
  const reading = {
    account: accountOf(after, before),
    differs: before && change === undefined ? uncounted(before, after, comparison) : [],
  };
  const { url } = asKnown(after);
  const page = { ...after, url };
  const found = { page, change: change ?? NO_CHANGE, domains: domainsOf(url), labels: await labels(after) };
  const { texts, numbers } = valuesOf(found, now);
  return { values: { texts, numbers }, isUnchanged: change === undefined, reading };
}
