import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { UsageError } from '../../runtime/failure.ts';
import { checkAddress } from '../../pages/page-source.ts';
import { withExamples } from '../help.ts';
import type { Action } from '../session.ts';

const ABOUT = `
Needs no daemon. The exit code is 0 if no relevant change was found, 1 if one
was, and 2 if a page cannot be read; -q prints nothing else.

The texts are compared, not their mark-up or position. Boilerplate (navigation,
footers) and text that changes by itself (relative times, counters) do not
count. The daemon also recognizes text that rotates from visit to visit; this
command knows two visits only. --as gives the URL that both files came from.

--chunks prints what rules search as added and removed, and streams deliver.
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
    .description('show what changed between two versions of a page, as hydrant sees it')
    .argument('<old>', 'a page as a file, or a URL; - reads it from stdin')
    .argument('<new>', 'the same')
    .option('--as <url>', 'the URL that the files came from')
    .option('--chunks', 'the change as the stream delivers it')
    .option('--explain', 'also show what was ignored, and why')
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
