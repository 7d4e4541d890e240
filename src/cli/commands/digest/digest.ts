import { hash } from 'node:crypto';
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { withExamples } from '../help.ts';
import { UsageError } from '../../runtime/failure.ts';
import type { Action, Session } from '../session.ts';
import { countUpTo, upToRetention } from '../option-values.ts';
import { type By, digestOf } from '../../../shared/digest/digest.ts';
import { toHtml, toMarkdown, toText } from '../../../shared/digest/forms.ts';
import { Fold } from '../../../shared/digest/stories.ts';
import { printableJson } from '../../../shared/text/printable.ts';

const ABOUT = `
One story is one page with all its changes, newest first; pages with the same
text are one story, too. Made for cron and mail:
  0 7 * * *  hydrant digest --format html --quiet-when-empty | mail …
`;

/** `hydrant digest`: what matched, for people, once a day: the matches of some taps as one document, near duplicates grouped. */
export function digestCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('digest'),
    'hydrant digest',
    'hydrant digest news jobs --since 12h --by domain',
    'hydrant digest news --watches --since 7d --format html > week.html',
    'hydrant digest --rule linux',
  )
    .description('the matches of a day or more as one document, near duplicates grouped')
    .argument('[tap...]', 'names or ids of taps; none: all')
    .addOption(new Option('--since <time>', 'how far back, such as 7d').argParser(upToRetention).default(86_400, '24h'))
    .addOption(
      new Option('--by <what>', 'how the stories are grouped')
        .choices(['tag', 'domain', 'category', 'tap'] as const)
        .default('tag' as const),
    )
    .addOption(
      new Option('--format <form>', 'Markdown (the default), a page, plain text, or JSON').choices([
        'md',
        'html',
        'text',
        'json',
      ] as const),
    )
    .addOption(new Option('--limit <count>', 'stories at most, the newest').argParser(countUpTo(10_000)).default(200))
    .option('--watches', 'with the changes of watches; of no tap where there is none')
    .option('--rule <rule>', 'what this rule, as it is now, matches among the changes of the last 24h')
    .option('--title <text>', 'title of the document')
    .option('--quiet-when-empty', 'print nothing where nothing matched')
    .addHelpText('after', ABOUT)
    .action(action(async (session, [taps], flags) => digest(session, taps, flags)));
}

interface DigestFlags {
  /** Seconds. */
  readonly since: number;
  readonly by: By;
  readonly format?: keyof typeof FORMS | 'json' | undefined;
  readonly limit: number;
  readonly watches?: boolean | undefined;
  /** Replayed from the changes that are kept; instead of the logs of taps. */
  readonly rule?: string | undefined;
  readonly title?: string | undefined;
  readonly quietWhenEmpty?: true | undefined;
}

export async function digest(session: Session, wanted: readonly string[], flags: DigestFlags): Promise<void> {
  const { context, out } = session;
  const now = context.now();
  const fold = new Fold((data) => hash('sha1', data));
  const { names, matches, olderMatches, keptFrom } = await (flags.rule === undefined
    ? gather(session, wanted, flags, fold)
    : gatherReplayed(session, wanted, { ...flags, rule: flags.rule }, fold));
  if (context.closed?.aborted === true) return;
  if (fold.size === 0 && flags.quietWhenEmpty === true) return;
  const facts = {
    title: flags.title ?? titleOf(names),
    since: now - flags.since * 1_000,
    until: now,
    keptFrom,
    matches,
    olderMatches,
  };
  const found = digestOf(fold, facts, flags);
  const format = flags.format ?? (session.flags.json === true ? 'json' : 'md');
  if (format === 'json') out.text(`${printableJson(found)}\n`);
  else out.text(FORMS[format](found));
}

const FORMS = { md: toMarkdown, html: toHtml, text: toText };

interface Gathered {
  /** Of the taps, and of the watches where they are in it. */
  readonly names: readonly string[];
  readonly matches: number;
  readonly olderMatches: number;
  /** As `Digest.kept_from`. */
  readonly keptFrom: string | undefined;
}

/** Into `fold`, and what is known of where it comes from. */
async function gather(
  session: Session,
  wanted: readonly string[],
  { since, watches = false }: DigestFlags,
  fold: Fold,
): Promise<Gathered> {
  // The client of streams is for who makes a digest, and not for who asks for help.
  const { eachPastChange, eachPastMatch, tapsNamed, tellShort } = await import('../past-matches.ts');
  const taps = await tapsNamed(session, wanted, watches);
  const most = Math.ceil(MOST_MATCHES / taps.length);
  const reaches = await Promise.all(
    taps.map((tap) => eachPastMatch(session, tap, { seconds: since, most }, (match) => fold.add(match))),
  );
  const matches = fold.size;
  if (watches) await eachPastChange(session, since, (change) => fold.add(change));
  // Of several taps, all are complete since the last of these.
  const keptFrom = reaches
    .flatMap((reach) => reach.keptFrom ?? [])
    .toSorted()
    .at(-1);
  if (keptFrom !== undefined) tellShort(session.out, keptFrom);
  const names = [...taps.flatMap(({ tap }) => tap?.name ?? []), ...(watches ? ['watches'] : [])];
  return { names, matches, olderMatches: reaches.reduce((sum, { passedOver }) => sum + passedOver, 0), keptFrom };
}

function titleOf(names: readonly string[]): string {
  return names.length > 0 ? `hydrant: ${names.join(', ')}` : 'hydrant';
}

/** Matches that one digest is made of: some kilobytes each are held until it is written. */
const MOST_MATCHES = 100_000;

/** What a rule matches now: also what a filter kept from it when it happened. */
async function gatherReplayed(
  session: Session,
  wanted: readonly string[],
  { rule: name, since, watches = false }: DigestFlags & { readonly rule: string },
  fold: Fold,
): Promise<Gathered> {
  if (wanted.length > 0) throw new UsageError('--rule replays one rule; leave the taps out');
  if (watches) throw new UsageError('--rule replays one rule; leave --watches out');
  const { matchOf } = await import('../../../shared/documents/past-match.ts');
  const { replayed } = await import('../rule/kept-matches.ts');
  const { placed, updates } = await replayed(session, name, since);
  const label = placed.rule.tag ?? placed.rule.value;
  for await (const update of updates) {
    const match = matchOf(update, [label], placed.tap?.name ?? '');
    if (match) fold.add(match);
  }
  return { names: [label], matches: fold.size, olderMatches: 0, keptFrom: undefined };
}
