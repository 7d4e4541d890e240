import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { withExamples } from '../help.ts';
import type { Action } from '../session.ts';

const ABOUT = `
A section is a list; sections that are not in the file are left alone:
  filters   name, value
  taps      name, paused
  rules     tap, tag, value, quality, nsfw, paused
  sources   url, scope, depth, every, max_pages, baseline, paused, render,
            wait_for, within
  watches   url, title, tags, every, status, select, ignore, only, trigger,
            confirm, render, wait_for, within
  sinks     name, kind, options, secrets (their names), taps, query, watches,
            problems, digest, quiet, zone, at_most, template, paused
A field that is left out gets its default; depth and max_pages of a source,
every of a watch, and the secrets and the zone of a sink keep their values.
Objects that are not in the file stay, unless --prune is given.
`;

/** `hydrant apply`: a file's taps, rules, filters, sources, watches and sinks. */
export function applyCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('apply'),
    'hydrant apply hydrant.yaml --dry-run',
    'hydrant apply hydrant.yaml --prune',
    'hydrant export | hydrant apply - --context other -y',
  )
    .description('make the daemon match a file; shows the plan first')
    .argument('<file>', 'YAML or JSON; - reads stdin')
    .option('--dry-run', 'show the plan and change nothing')
    .option('--prune', 'remove what the file does not name, in the sections that it has')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', ABOUT)
    .action(
      action(async (session, [file], flags) => {
        const { apply } = await import('./apply-run.ts');
        await apply(session, file, flags);
      }),
    );
}

/** `hydrant export`: what there is, as such a file. */
export function exportCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('export'),
    'hydrant export > hydrant.yaml',
    'hydrant export --taps --rules | git diff --no-index hydrant.yaml -',
  )
    .description(
      'print taps, rules, filters, sources, watches, sinks as a file for hydrant apply; no token, key or secret',
    )
    .option('--filters', 'saved filters')
    .option('--taps', 'taps')
    .option('--rules', 'rules')
    .option('--sources', 'sources of the crawl')
    .option('--watches', 'watched URLs')
    .option('--sinks', 'where notifications are sent')
    .action(
      action(async (session, _words, flags) => {
        const { exportFile } = await import('./apply-run.ts');
        await exportFile(session, flags);
      }),
    );
}
