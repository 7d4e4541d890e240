import { absence } from '../../../shared/page/diff/absence.ts';
import { challenge, massDeletion } from '../../../shared/page/diff/doubt.ts';
import type { Page } from '../../../shared/page/page.ts';
import { printable } from '../../printable.ts';
import type { Session } from '../session.ts';

/** Warns of what a visit of the daemon would not take for the page, or not at once. */
export function warnOfDoubts({ out }: Session, after: Page, before?: Page): void {
  const absent = absence(after, before);
  const doubts = [
    ['challenge', before && challenge(before)],
    ['challenge', challenge(after)],
    ...(absent ? [[absent.reason, absent.detail] as const] : []),
    ['mass_deletion', massDeletion(before, after)],
  ] as const;
  for (const [code, message] of doubts) {
    if (message === undefined) continue;
    out.warning({ code, message }, [`${out.paintNotice('yellow', 'warning:')} ${printable(message)}`]);
  }
}
