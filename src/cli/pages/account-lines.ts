import type { ReadingAccount } from '../../shared/page/account.ts';
import type { Field } from '../runtime/output.ts';
import { count } from '../../shared/text/plural.ts';

/** What a reading left out, and what that means, as rows of a report; none where there is nothing to say. */
export function accountFields(account: ReadingAccount | undefined): Field[] {
  if (!account) return [];
  const { boilerplate, shared = 0, hidden, cut, notes } = account;
  const parts = [
    ...(boilerplate > 0 ? [`${count(boilerplate, 'character')} of boilerplate`] : []),
    ...(shared > 0 ? [`${count(shared, 'character')} that many pages of its host have`] : []),
    ...(cut && cut.lines > 0 ? [`${count(cut.lines, 'line')} beyond the limit`] : []),
    ...(hidden > 0 ? [`${count(hidden, 'character')} that are hidden`] : []),
  ];
  return [
    ...(parts.length > 0 ? [['not read', parts.join(', ')] as const] : []),
    ...notes.map((note): Field => ['note', note]),
  ];
}
