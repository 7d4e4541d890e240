import { setTimeout as pause } from 'node:timers/promises';
import type { UrlPage, UrlReport } from '../../../shared/api/crawl.ts';
import type { CrawlEndpoints } from '../../client/crawl.ts';
import { Refused } from '../../client/refusal.ts';
import { exitCode } from '../../exit-code.ts';
import { Failure, NotFound } from '../../failure.ts';
import { printable } from '../../printable.ts';
import { Progress } from '../../progress.ts';
import { duration, relative } from '../../time.ts';
import { checkedUrl } from '../words.ts';
import { outcome } from './crawl-verbs.ts';
import type { Session } from '../session.ts';
import { quoted } from '../../shell.ts';

/** `hydrant crawl visit`: now, as far as its host and robots.txt allow it. */
export interface VisitFlags {
  /** Undefined: on a terminal. */
  readonly wait?: boolean;
  /** Seconds. */
  readonly timeout?: number;
}

const TIMEOUT_SECONDS = 60;
const LOOK_EVERY_MS = 500;

export async function visit(session: Session, text: string, flags: VisitFlags): Promise<void> {
  const { out } = session;
  const url = checkedUrl(text);
  const { client } = await session.connect();
  const order = await client.crawl.visit(url).catch((error: unknown) => {
    throw notHeld(error, url);
  });
  const tryWhy = { try: `hydrant crawl why ${quoted(order.url)}` };
  if (order.paused) {
    const words = `${order.url} has paused sources only; it is visited when one of them is resumed`;
    throw new Failure('paused', exitCode.no, words, tryWhy);
  }
  if (!(flags.wait ?? out.forPeople)) {
    out.done({ url: order.url, asked: true }, { id: order.url, notice: `${order.url} is due now`, next: tryWhy.try });
    return;
  }
  const seconds = flags.timeout ?? TIMEOUT_SECONDS;
  const page = await visited(session, client.crawl, { ...order, untilMs: session.context.now() + seconds * 1_000 });
  const answer = page?.answers[0];
  if (answer === undefined) {
    throw new Failure(
      'timeout',
      exitCode.tryAgain,
      `no visit within ${duration(seconds * 1_000)}; it stays due`,
      tryWhy,
    );
  }
  if (answer.outcome === 'failed')
    throw new Failure('visit_failed', exitCode.no, `the visit ${outcome(answer)}`, tryWhy);
  const status = answer.status === undefined ? '' : ` (${answer.status})`;
  out.one({ url: order.url, ...answer }, { id: order.url, lines: [printable(`${answer.outcome}${status}`)] });
}

interface Wait {
  readonly url: string;
  readonly last_visit_ms: number | null;
  readonly untilMs: number;
}

/** The page once it has been visited; undefined when it was not in time. */
async function visited(session: Session, crawl: CrawlEndpoints, wait: Wait): Promise<UrlPage | undefined> {
  const { context, flags } = session;
  const progress = new Progress(context, { silent: flags.quiet === true || flags.json === true });
  const signal = context.closed ? { signal: context.closed } : {};
  try {
    for (;;) {
      const report = await crawl.why(wait.url);
      if (report.page === null) throw new NotFound(`${wait.url} is not crawled any more`);
      if (report.page.last_visit_ms !== wait.last_visit_ms) return report.page;
      if (context.now() >= wait.untilMs) return undefined;
      progress.tell(() => waitingFor(report, context.now()));
      await pause(LOOK_EVERY_MS, undefined, signal);
    }
  } finally {
    progress.end();
  }
}

function waitingFor({ page, host }: UrlReport, now: number): string {
  if (page?.host.leased === true) return `a visit of ${host} is under way`;
  if (page && page.host.rests_until !== null) return `${host} rests until ${relative(page.host.rests_until, now)}`;
  return `waiting for a turn of ${host}`;
}

function notHeld(error: unknown, url: string): unknown {
  if (!(error instanceof Refused) || error.status !== 404) return error;
  return new NotFound(`no source holds ${url}`, {
    hint: `why: hydrant crawl why ${quoted(url)}`,
    try: `hydrant crawl add ${quoted(url)}`,
  });
}
