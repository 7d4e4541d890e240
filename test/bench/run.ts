import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { lookAtMachine } from './machine.ts';
import { blocksOf, rewritten, unnamedGoals } from './paper.ts';
import { ROSTER } from './roster.ts';
import { type Asked, type Outcome, type Row, rowsOf } from './row.ts';
import { asText, type Report } from './table.ts';

/**
 * `npm run bench -- [NAME … [SIZE]]`: figures, each beside those of something plainer where there is one, never verdicts
 * on a machine. The size is that of a benchmark that can be made larger.
 *
 *   --runs COUNT   how often crawl and watch are run, of which medians are taken: 3
 *   --short        every benchmark small: whether it runs, not what it costs
 *   --json         the report as JSON on stdout, instead of the table
 *   --output FILE  the report as JSON into a file, too
 *   --input FILE   runs nothing: shows the report of such a file
 *   --markdown     tables for docs/performance.md on stdout
 *   --write        … and into it, in place of the last ones of the same benchmarks
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string' },
    short: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    output: { type: 'string' },
    input: { type: 'string' },
    markdown: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const paper = join(import.meta.dirname, '../../docs/performance.md');
const names = positionals.filter((word) => !/^\d+$/.test(word));
const sizes = positionals.filter((word) => /^\d+$/.test(word)).map(Number);
const unknown = names.filter((name) => !Object.hasOwn(ROSTER, name));
if (unknown.length > 0) {
  refuse(`no benchmark ${unknown.join(', ')}; there are ${Object.keys(ROSTER).join(', ')}`);
} else if (sizes.length > 1 || (sizes.length === 1 && names.length !== 1)) {
  refuse('a size belongs to one benchmark: npm run bench -- frontier 10000000');
} else if (values.runs !== undefined && !/^[1-9]\d?$/.test(values.runs)) {
  refuse(`--runs is a number from 1 to 99, not ${values.runs}`);
} else {
  const runs = values.runs === undefined ? {} : { runs: Number(values.runs) };
  const report =
    values.input === undefined ? await run({ isShort: values.short, size: sizes[0], ...runs }) : read(values.input);
  if (values.output !== undefined) writeFileSync(values.output, `${JSON.stringify(report, undefined, 2)}\n`);
  process.stdout.write(shown(report));
  if (values.write) keep(report);
}

function read(file: string): Report {
  return JSON.parse(readFileSync(file, 'utf8')) as Report;
}

async function run(asked: Asked): Promise<Report> {
  const wanted = Object.keys(ROSTER).filter((name) => names.length === 0 || names.includes(name));
  const machine = lookAtMachine();
  const notes: Record<string, readonly string[]> = {};
  const rows: Row[] = [];
  for (const name of wanted) {
    const begin = performance.now();
    const outcome = await measured(name, asked);
    notes[name] = outcome.notes;
    rows.push(...rowsOf(name, outcome, asked));
    process.stderr.write(`${name}: ${((performance.now() - begin) / 1_000).toFixed(0)} s\n`);
  }
  return { machine: machine(), isShort: asked.isShort, notes, rows };
}

async function measured(name: string, asked: Asked): Promise<Outcome> {
  const child = fork(join(import.meta.dirname, 'one.ts'), [name, JSON.stringify(asked)], { serialization: 'advanced' });
  let outcome: Outcome | undefined;
  child.on('message', (message: Outcome) => (outcome = message));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (!outcome) throw new Error(`the benchmark ${name} ended with ${code} and no figures`);
  return outcome;
}

function shown(report: Report): string {
  if (values.json) return `${JSON.stringify(report)}\n`;
  if (values.markdown) return `${[...blocksOf(report).values()].join('\n\n')}\n`;
  return `${asText(report)}\n`;
}

function keep(report: Report): void {
  if (report.isShort) {
    refuse('--write keeps figures, and those of --short say nothing');
    return;
  }
  const text = rewritten(readFileSync(paper, 'utf8'), report);
  writeFileSync(paper, text);
  for (const label of unnamedGoals(text, report)) {
    process.stderr.write(`docs/performance.md: the table of goals has no line for "${label}"\n`);
  }
}

function refuse(why: string): void {
  process.stderr.write(`${why}\n`);
  process.exitCode = 2;
}
