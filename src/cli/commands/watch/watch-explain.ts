import type { CheckReport, WatchExplanation, WatchFindings, WatchReport } from '../../../shared/api/watch.ts';
import { accountFields } from '../../pages/account-lines.ts';
import { lineWords, noteWords } from '../../changes/checks.ts';
import { Refused } from '../../client/refusal.ts';
import { NotFound } from '../../runtime/failure.ts';
import type { Field } from '../../runtime/output.ts';
import { printable, quoted } from '../../text/printable.ts';
import { relative } from '../../text/time.ts';
import type { Session } from '../session.ts';
import { count } from '../../text/plural.ts';
import { findWatch } from './watch-names.ts';

/** `hydrant watch explain`: why the last check that read the page reported a change, or did not. */
export async function explainCheck(session: Session, wanted: string): Promise<void> {
  const { out } = session;
  const { client } = await session.connect();
  const watch = findWatch(await client.watches.list(), wanted);
  const found = await client.watches.explanation(watch.id).catch((error: unknown) => {
    throw notChecked(error, watch);
  });
  const time = (timestamp: string): string => (out.forPeople ? relative(timestamp, out.now) : timestamp);
  const lines = [printable(watch.url), ...out.lay(steps(watch, found, time), NAMES)];
  out.one(found, { id: String(found.check.n), lines });
  const next = nextStep(watch, found);
  if (next) out.notice(...next);
}

/** Columns of the names. */
const NAMES = 9;

function steps(watch: WatchReport, found: WatchExplanation, time: (timestamp: string) => string): Field[] {
  const { check, request, findings } = found;
  const condition = request.conditional ? 'conditionally (only if changed)' : 'unconditionally';
  return [
    ['check', `${check.n}, ${time(check.at)}`],
    ['asked', `${watch.url}, ${condition}`],
    ...answerSteps(watch, found),
    ...(findings ? findingSteps(watch, findings) : []),
    ['so', verdict(check)],
  ];
}

function answerSteps({ url }: WatchReport, { answer, check }: WatchExplanation): Field[] {
  if (!answer) return check.outcome === 'failed' ? [] : [['answer', 'none']];
  // Of a page that was not read the type is not known here; where it is what fails, the last line names it.
  const unnamed = check.outcome === 'failed' ? [] : ['no content type'];
  const type = answer.content_type === '' ? unnamed : [answer.content_type];
  const moved = URL.parse(url)?.href.replace(/#.*$/, '') === answer.url ? [] : [['moved', `to ${answer.url}`] as const];
  return [['answer', [`status ${answer.status}`, ...type, count(answer.bytes, 'byte')].join(', ')], ...moved];
}

function findingSteps({ options }: WatchReport, findings: WatchFindings): Field[] {
  const { title, selected, ignored, lines, noise, triggered } = findings;
  return [
    ...(title === undefined ? [] : [['title', title] as const]),
    ...selected.map(({ selector, found }): Field => ['selected', `${selector}: ${found === 0 ? 'nothing' : found}`]),
    ...ignored.map(({ pattern, found }): Field => ['ignored', `${pattern}: ${found === 0 ? 'nothing' : found}`]),
    ['read', `${count(lines, 'line')} to compare`],
    ...accountFields(findings.account),
    ['compared', lineWords(findings)],
    ...noise.map(({ before, after, reason }): Field => ['not news', `${reason}: ${before} → ${after}`]),
    ...(findings.differs ?? []).map(({ detail }): Field => ['differs', detail]),
    ...(triggered === undefined
      ? []
      : [['trigger', `${options.trigger ?? ''}: ${triggered ? 'matches' : 'does not match'}`] as const]),
  ];
}

function verdict({ outcome, note, detail, reason, lines }: CheckReport): string {
  switch (outcome) {
    case 'baseline':
      return 'this is the first version: later checks compare with it';
    case 'changed':
      return `it has changed: ${lineWords(lines)}`;
    case 'failed':
      return `the check failed; the previous version is kept: ${detail ?? reason ?? 'unknown'}`;
    case 'unchanged':
      return note === undefined ? 'nothing has changed' : `no change is reported: ${noteWords(note)}`;
  }
}

/** What to do about it, and the command for it; undefined where there is nothing to do. */
function nextStep(watch: WatchReport, { check, findings }: WatchExplanation): [string, string?] | undefined {
  const url = quoted(watch.url);
  const lost = findings?.selected.find(({ found }) => found === 0)?.selector;
  if (check.reason === 'selector' || lost !== undefined) return selectorAdvice(url, lost ?? watch.options.select[0]);
  if (check.outcome === 'failed') return FAILURES[check.reason ?? '']?.(url);
  if (check.outcome === 'changed') return ['its diff has the lines', `hydrant watch diff ${url} ${check.n}`];
  return check.note && NOTES[check.note]?.(url);
}

function selectorAdvice(url: string, selector: string | undefined): [string, string] {
  const words = 'a selector matches nothing: the page may have been redesigned, or is built by scripts in the browser';
  return [words, `hydrant watch try ${url}${selector === undefined ? '' : ` --select ${quoted(selector)}`}`];
}

type Advice = (url: string) => [string, string?];

const NOTES: Partial<Record<NonNullable<CheckReport['note']>, Advice>> = {
  trigger: (url) => ['a change counts only if it matches the trigger', `hydrant watch edit ${url} --help`],
  only: (url) => ['changes of the other kind count too without --only', `hydrant watch edit ${url} --help`],
  unconfirmed: () => ['a second check within two minutes decides'],
  flap: () => ['the page showed the change only briefly; it is reported if it stays'],
};

const FAILURES: Readonly<Record<string, Advice>> = {
  application_shell: (url) => [
    'look for a feed, an API or another address of the same text',
    `hydrant watch try ${url}`,
  ],
  sign_in: (url) => ['the form itself can be watched', `hydrant watch try ${url} --select form`],
  robots: (url) => ['robots.txt disallows it, and hydrant obeys', `hydrant crawl why ${url}`],
  challenge: () => ['the site asks for proof that the visitor is human; hydrant does not pretend to be'],
  not_found: () => [
    'the page itself says so, whatever its status; once it is back, it is compared with its last version',
  ],
  maintenance: () => ['the next check tries again; once the page is back, it is compared with its last version'],
  private_address: () => [
    'addresses of private networks are not checked; the operator can allow one with --allow-private',
  ],
  empty: (url) => ['the page has no text: it may be built by scripts in the browser', `hydrant watch try ${url}`],
  doubtful: () => ['most of the page was gone; a second check within two minutes decides'],
  too_large: (url) => ['try a smaller page with the same news, such as a feed', `hydrant watch try ${url}`],
};

function notChecked(error: unknown, { url }: WatchReport): unknown {
  if (!(error instanceof Refused) || error.status !== 404) return error;
  return new NotFound(`no check has read ${url} yet`, { try: `hydrant watch check ${quoted(url)}` });
}
