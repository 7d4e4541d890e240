import type { CheckDetail } from '../../../src/shared/api/watch.ts';

/** A change of a price list, with a stranger's text in it. */
export const CHANGE: CheckDetail = {
  n: 12,
  at: '2026-02-27T14:02:00+00:00',
  outcome: 'changed',
  lines: { inserted: 2, deleted: 1 },
  hunks: [
    {
      before: 3,
      after: 3,
      blocks: [
        { ctx: ['Plans & prices'] },
        { del: ['Team: 20 euros a month'] },
        { ins: ['Team: 25 euros a month', '<script>alert("x")</script>\u001b[2J'] },
        { ctx: ['All prices without taxes'] },
      ],
    },
  ],
};

/** As an entry of the older format has it. */
export const OLD_CHANGE: CheckDetail = {
  n: 2,
  at: '2026-01-27T14:02:00+00:00',
  outcome: 'changed',
  chunks: [
    { typ: 'del', text: 'one\ntwo' },
    { typ: 'ins', text: 'three' },
  ],
};
