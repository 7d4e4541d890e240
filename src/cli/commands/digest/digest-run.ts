import { printableJson } from '../../printable.ts';
import { Fold } from './digest-fold.ts';
import { type By, type Digest, groupsOf, toHtml, toMarkdown } from './digest-text.ts';
import { eachPastMatch, tapsNamed } from '../past-matches.ts';
import type { Session } from '../session.ts';

/** As digest.ts declares them. */
interface DigestFlags {
  /** Seconds. */
  readonly since: number;
  readonly by: By;
  readonly format?: 'md' | 'html' | 'json' | undefined;
  readonly limit: number;
  readonly title?: string | undefined;
  readonly quietWhenEmpty?: true | undefined;
}

/** `hydrant digest`: the matches of some taps as one document, near duplicates grouped. */
export async function digest(session: Session, wanted: readonly string[], flags: DigestFlags): Promise<void> {
  const { context, out } = session;
  const now = context.now();
  const taps = await tapsNamed(session, wanted);
  const fold = new Fold();
  await Promise.all(taps.map((tap) => eachPastMatch(session, tap, flags.since, (match) => fold.add(match))));
  if (context.closed?.aborted === true) return;
  if (fold.size === 0 && flags.quietWhenEmpty === true) return;
  const stories = fold.stories();
  const names = taps.flatMap(({ tap }) => tap?.name ?? []);
  const found: Digest = {
    title: flags.title ?? ['hydrant', ...(names.length > 0 ? [names.join(', ')] : [])].join(': '),
    since: new Date(now - flags.since * 1_000).toISOString(),
    until: new Date(now).toISOString(),
    matches: fold.size,
    stories: stories.length,
    groups: groupsOf(stories.slice(0, flags.limit), flags.by),
  };
  const format = flags.format ?? (session.flags.json === true ? 'json' : 'md');
  if (format === 'json') out.text(`${printableJson(found)}\n`);
  else out.text(format === 'html' ? toHtml(found) : toMarkdown(found));
}
