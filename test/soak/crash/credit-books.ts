import type { Credit, CreditEntry, Usage } from '../../../src/shared/api/organization.ts';
import { type Answering, ask, read } from './ask.ts';
import type { Findings } from './findings.ts';
import type { Told } from './told.ts';

/** Enough for all that a run delivers. */
const BALANCE = 100_000;

export async function prepay(daemon: Answering): Promise<void> {
  const answer = await ask(daemon, 'PUT', '/admin/credit', { body: { balance: BALANCE } });
  if (answer?.status !== 200) throw new Error(`the credit was not set: ${answer?.body ?? 'no answer'}`);
}

/**
 * Whether what was taken is what was counted, and what was counted was delivered: each event of a tap once, before its
 * first delivery. A kill may fall between the charge and the delivery; in the end, when all is read again, they are the same.
 */
export async function checkCredit(
  daemon: Answering,
  { told, findings, isEnd = false }: { told: readonly Told[]; findings: Findings; isEnd?: boolean },
): Promise<void> {
  const { balance, match_price: price } = await read<Credit>(daemon, '/admin/credit');
  const history = await read<CreditEntry[]>(daemon, '/admin/credit/history');
  const usage = await read<Usage[]>(daemon, '/admin/usage?by=tap');
  const given = sum(history.map(({ amount }) => amount));
  const spent = sum(usage.map((row) => row.spent));
  const matches = usage.reduce((all, row) => all + row.matches, 0);
  if (spent !== given - thousandths(balance)) {
    findings.contradict(`${given - thousandths(balance)} thousandths were taken, and ${spent} are accounted for`);
  }
  if (spent !== matches * thousandths(price)) findings.contradict(`${matches} matches came to ${spent} thousandths`);
  for (const { tap, events } of told) {
    const charged = usage.find(({ name }) => name === tap)?.matches ?? 0;
    if (charged < events.size) findings.contradict(`${tap}: ${events.size} were delivered, and ${charged} charged`);
    if (isEnd && charged > events.size) findings.double(`${tap}: ${charged} charges for ${events.size} events`);
  }
}

function thousandths(credits: number): number {
  return Math.round(credits * 1_000);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + thousandths(amount), 0);
}
