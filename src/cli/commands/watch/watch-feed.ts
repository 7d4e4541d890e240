import type { WatchNewsItem } from '../../../shared/api/watch.ts';
import { type AtomEntry, atomFeed } from '../../changes/atom.ts';
import { entryHtml } from '../../changes/change-html.ts';
import { checkWords } from '../../changes/checks.ts';
import { shownHunks } from '../../changes/change-lines.ts';
import type { Connection } from '../../runtime/context.ts';
import { pacedWrite, writeWhole } from '../../runtime/output.ts';
import type { Session } from '../session.ts';
import { count } from '../../text/plural.ts';
import { findWatch } from './watch-names.ts';

/** `hydrant watch feed`: changes for a reader of feeds. */
interface WatchFeedFlags {
  readonly limit?: number | undefined;
  readonly output?: string | undefined;
}

/** Entries without `--limit`: as many as readers keep of a feed. */
const ENTRIES = 50;

export async function writeFeed(session: Session, wanted: string | undefined, flags: WatchFeedFlags): Promise<void> {
  const { context, out, connect } = session;
  const { client, connection } = await connect();
  const { watches } = client;
  const watch = wanted === undefined ? undefined : findWatch(await watches.list(), wanted);
  const one = watch ? { watch: watch.id } : {};
  const { changes } = await watches.changes({ newest: true, limit: flags.limit ?? ENTRIES, ...one });
  const entries = changes.toSorted((before, after) => after.cursor - before.cursor).map(entryOf);
  const text = atomFeed({
    key: watch ? watch.id : keyOf(connection),
    title: watch ? `changes of ${watch.url}` : 'changes of all watched pages',
    url: watch?.url,
    since: watch?.created_at ?? EPOCH,
    entries,
  });
  if (flags.output === undefined) return pacedWrite(context.io.stdout, text, context.closed);
  await writeWhole(flags.output, text);
  return out.notice(`${flags.output}: ${count(entries.length, 'change')}`);
}

/** The time of a feed in which nothing has happened yet: no reader shows it. */
const EPOCH = '1970-01-01T00:00:00Z';

/** One feed a daemon and organization, wherever it is written from. */
function keyOf({ target, credential }: Connection): string {
  const organization = credential.kind === 'operator' ? (credential.organization ?? '') : '';
  return `${target.kind === 'socket' ? target.path : target.url} ${organization}`;
}

function entryOf({ watch, title, check }: WatchNewsItem): AtomEntry {
  const summary = checkWords(check);
  const content = entryHtml({ summary, hunks: shownHunks(check) });
  return { key: `${watch.id}/${check.n}`, at: check.at, url: watch.url, title, summary, content };
}
