import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { UsageError } from '../../runtime/failure.ts';
import { checkAddress } from '../../pages/page-source.ts';
import { withExamples } from '../help.ts';
import type { Action } from '../session.ts';

const ABOUT = `
Needs no daemon. Ends with 0 when nothing changed that counts, with 1 when
something did, and with 2 when a page cannot be read; -q: the exit code alone.

Texts are compared, not their mark-up or place; boilerplate (navigation,
footers) and what changes by itself (relative times, counters) do not count. The
daemon also knows what rotates from visit to visit; this command has two visits
only. Two files of one page have one address: --as.

--chunks: what a rule reads as added and removed, and what the stream delivers.
--json: {"changed":…,"title":…,"hunks":…,"chunks":…,"added_anchor":…,
"removed_anchor":…,"links":[{"text":…,"before":…,"after":…}],"ignored":…}, links
being those that lead elsewhere; with --chunks, {"chunks":[{"typ":…,"text":…}]}.
`;

/** `hydrant diff`: what hydrant sees change between two versions of a page. */
export function diffCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('diff'),
    'hydrant diff old.html new.html',
    'hydrant diff old.html https://example.org/news/ --explain',
    'hydrant diff --chunks --json old.html new.html | jq .chunks',
  )
    .description('show what hydrant sees change between two versions of a page')
    .argument('<old>', 'a page as a file, or a URL; - reads it from stdin')
    .argument('<new>', 'the same')
    .option('--as <url>', 'the address that the files had')
    .option('--chunks', 'the change as the stream delivers it')
    .option('--explain', 'show also what was ignored, and why')
    .addHelpText('after', ABOUT)
    .action(
      action(async (session, [before, after], flags) => {
        checkAddress(flags.as, [before, after]);
        if (before === '-' && after === '-') throw new UsageError('stdin can be one of the two versions only');
        if (flags.chunks === true && flags.explain === true) {
          throw new UsageError('--chunks is what counts, and --explain shows what does not; give one of them');
        }
        const { runDiff } = await import('./diff-run.ts');
        return runDiff(session, before, after, flags);
      }),
    );
}
