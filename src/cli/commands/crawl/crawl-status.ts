import { UsageError } from '../../runtime/failure.ts';
import { wantsColour } from '../../runtime/output.ts';
import { printable } from '../../text/printable.ts';
import { crawlView } from '../../screens/crawl-view.ts';
import { canShow, type Session } from '../session.ts';

/** `hydrant crawl status`: one screen, once or live. */
interface StatusFlags {
  readonly once?: true | undefined;
  readonly watch?: true | undefined;
}

/** Nothing is cut in a pipe. */
const UNCUT = Number.MAX_SAFE_INTEGER;

export async function showStatus(session: Session, flags: StatusFlags): Promise<void> {
  const { context, out } = session;
  const isLive = formOf(flags, session) === 'live';
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
    colour: wantsColour(context.io.stdout, context.environment, session.flags),
  });
}

function formOf({ once, watch }: StatusFlags, session: Session): 'live' | 'once' {
  if (once === true && watch === true) throw new UsageError('--once and --watch exclude each other; give one');
  const isScreen = once !== true && canShow(session);
  if (watch === true && !isScreen) throw new UsageError('--watch needs a terminal');
  return isScreen ? 'live' : 'once';
}
