import type { ChangeRecord, Check, CheckQuestion, CheckRecord } from '../../../src/daemon/storage/watches.ts';
import type { KnownCheck, KnownVersion, KnownWatch } from './known-watches.ts';

/** The entry of a check, its change and its text; then the oldest go. `cursor`: of its change, if it is one. */
export function enter(watch: KnownWatch, check: Check, cursor: number | undefined): number {
  const n = watch.checkCount + 1;
  const { at, title, text } = check;
  const change = cursor === undefined ? undefined : { cursor, ...(title !== undefined && { title }) };
  watch.checkCount = n;
  watch.history = [...watch.history, { record: recordOf(watch, check, n), change }].slice(-Math.max(1, check.keep));
  if (change) {
    watch.changeCount += 1;
    watch.lastChange = { n, at };
  }
  if (check.explanation !== undefined) watch.explanation = { n, explanation: check.explanation };
  const versions = text ? [...watch.versions, { n, at, text }] : watch.versions;
  const oldest = watch.history[0]?.record.n ?? n;
  // A version stands until the next one: it goes when that is as old as the oldest check that is kept.
  watch.versions = versions.filter((_, index) => (versions[index + 1]?.n ?? Infinity) > oldest);
  return n;
}

export function checksOf(
  { history }: KnownWatch,
  { before = Infinity, atMost, onlyChanges = false, withDiffs = false }: CheckQuestion,
): CheckRecord[] {
  const asked = history.filter(({ record, change }) => record.n < before && (!onlyChanges || change));
  const newest = asked.toReversed().slice(0, atMost);
  return newest.map(({ record: { diff, ...rest } }) => structuredClone(withDiffs && diff ? { ...rest, diff } : rest));
}

export function checkOf(watch: KnownWatch, n: number): CheckRecord | undefined {
  return structuredClone(watch.history.find(({ record }) => record.n === n)?.record);
}

/** The newest version that check `n` did not come before. */
export function versionAt({ versions, checkCount }: KnownWatch, n: number): KnownVersion | undefined {
  return n > checkCount ? undefined : structuredClone(versions.findLast((version) => version.n <= n));
}

export function changesOf(watch: KnownWatch): ChangeRecord[] {
  const { id: watchId, url, title, tags } = watch.terms;
  const labels = { ...(title !== undefined && { watchTitle: title }), ...(tags !== undefined && { watchTags: tags }) };
  const toChange = ({ record: check, change }: KnownCheck) =>
    change ? [{ ...change, watchId, url, ...labels, check }] : [];
  return watch.history.flatMap(toChange);
}

/** Before the check is recorded: failures in a row are those before it. */
function recordOf({ state }: KnownWatch, check: Check, n: number): CheckRecord {
  const { at, outcome, note, failure, status, diff } = check;
  const failures = outcome === 'failed' ? 0 : (state?.failures ?? 0);
  return {
    n,
    at,
    outcome,
    ...(note !== undefined && { note }),
    ...(failure && { failure }),
    ...(status !== undefined && { status }),
    ...(failures > 0 && { recovered: failures }),
    ...(diff && { diff, inserted: diff.inserted, deleted: diff.deleted }),
  };
}
