import { UsageError } from '../../failure.ts';
import type { Context } from '../../context.ts';
import { wantsColour } from '../../output.ts';
import { printable } from '../../printable.ts';
import { crawlView } from '../../screens/crawl-view.ts';
import type { Session, SessionFlags } from '../session.ts';

/** `hydrant crawl status`: one screen, once or live. */
export interface StatusFlags extends SessionFlags {
  readonly once?: boolean;
  readonly watch?: boolean;
}

/** Nothing is cut in a pipe. */
const UNCUT = Number.MAX_SAFE_INTEGER;

export async function status(session: Session, flags: StatusFlags): Promise<void> {
  const { context, out } = session;
  const isLive = formOf(flags, context) === 'live';
  const { client, connection } = await session.connect();
  const first = await client.crawl.status();
  if (!isLive) {
    const lines = crawlView(first, out.forPeople ? (context.io.stdout.columns ?? 80) : UNCUT);
    const texts = lines.map((line) => printable(line.map(({ text }) => text).join('')));
    out.one(first, { id: String(first.visits.made), lines: texts });
    return;
  }
  // Ink and React cost half a second and 45 MB: only who looks at the screen pays for them.
  const { inProduction } = await import('../../screens/production.ts');
  const { showCrawl } = await inProduction(async () => import('../../screens/CrawlScreen.tsx'));
  await showCrawl({
    context,
    first,
    read: () => client.crawl.status(),
    label: connection.label,
    colour: wantsColour(context.io.stdout, context.environment, flags),
  });
}

/** Keys need a terminal too, so a screen takes both ends, and a terminal that can move its cursor. */
function formOf(flags: StatusFlags, { io, environment }: Pick<Context, 'io' | 'environment'>): 'live' | 'once' {
  if (flags.once === true && flags.watch === true) throw new UsageError('--once and --watch are two forms; give one');
  const isTerminal = io.stdout.isTTY === true && io.stdin.isTTY === true && environment['TERM'] !== 'dumb';
  const isPlain = flags.json === true || flags.quiet === true || flags.once === true;
  if (flags.watch === true && (!isTerminal || isPlain)) throw new UsageError('--watch needs a terminal');
  return isTerminal && !isPlain ? 'live' : 'once';
}
