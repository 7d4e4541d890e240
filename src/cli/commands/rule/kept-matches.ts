import { TRIAL_SECONDS, TRIAL_SHOWN } from '../../../shared/limits.ts';
import type { TrialMatch } from '../../../shared/api/rule.ts';
import type { Client } from '../../client/client.ts';
import { parseUpdate, type Update } from '../../client/stream-event.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { Failure, UsageError } from '../../runtime/failure.ts';
import { KEEP, NOT_KEPT } from './rule-try.ts';
import { findRule, type Placed, rulesOf } from './placed-rules.ts';
import type { Session } from '../session.ts';

/** A rule whose matches are replayed from the changes that are kept, by what it says now, and not read from a tap's log. */
export interface Replayed {
  readonly placed: Placed;
  /** The newest first; each has the id `kept-<n>`, which is the same as long as the change is kept. */
  readonly updates: AsyncGenerator<Update, void>;
}

/** @param seconds how far back */
export async function replayed(session: Session, wanted: string, seconds: number): Promise<Replayed> {
  if (seconds > TRIAL_SECONDS) {
    throw new UsageError('--rule reads the changes that are kept, those of the last 24h', {
      hint: 'the log of a tap may reach further: leave --rule out',
    });
  }
  const { connection, client } = await session.connect();
  const placed = findRule(await rulesOf(connection, client, undefined), wanted);
  return { placed, updates: updatesOf(client, placed, seconds) };
}

async function* updatesOf(client: Client, { rule, tap }: Placed, seconds: number): AsyncGenerator<Update, void> {
  const { value, quality, nsfw } = rule;
  const order = { value, quality, nsfw, since_seconds: seconds, limit: TRIAL_SHOWN };
  // A trial that goes on counts nothing beyond what it tells; the first one goes on before any change.
  let before: number | undefined = Number.MAX_SAFE_INTEGER;
  while (before !== undefined) {
    const { data } = await client.trials.try({ ...order, before });
    if (!data.kept) throw new Failure('nothing_kept', exitCode.refused, NOT_KEPT, { hint: KEEP });
    for (const match of data.newest) {
      const update = updateOf(match, { tap_id: tap?.id ?? '', query_ids: [rule.id] });
      if (update) yield update;
    }
    before = data.next !== undefined && data.next < before ? data.next : undefined;
  }
}

function updateOf(
  { seq, matched_at: at, document }: TrialMatch,
  of: { readonly tap_id: string; readonly query_ids: readonly string[] },
): Update | undefined {
  return parseUpdate(`kept-${seq ?? at}`, JSON.stringify({ ...of, matched_at: at, document }));
}
