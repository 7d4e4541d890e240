import path from 'node:path';
import { Failure, UsageError } from '../failure.ts';
import { openFile, readAll } from '../input.ts';
import { printable, printableJson } from '../printable.ts';
import { confirm } from './confirm.ts';
import { type Kind, type Section, type Step, World } from './kind.ts';
import { kinds } from './kinds.ts';
import type { Session } from './session.ts';
import { count } from './count.ts';
import { YamlFields, YamlText } from './yaml-text.ts';

/** `hydrant apply`: what a file says is made so. A plan first; what is so already is left alone. */
export interface ApplyFlags {
  readonly dryRun?: boolean;
  readonly prune?: boolean;
}

export async function apply(session: Session, file: string, flags: ApplyFlags): Promise<void> {
  const { context, out } = session;
  const name = file === '-' ? 'stdin' : path.basename(file);
  const text = new YamlText(
    file === '-' ? await context.readInput('the file') : await readAll(openFile(file), file),
    name,
  );
  const found = sectionsOf(text);
  const { connection, client } = await session.connect();
  const world = new World(client);
  const { steps, strays } = await planOf(found.map(({ kind, entries }) => kind.read(world, text, entries)));
  const all = flags.prune === true ? [...steps, ...strays] : steps;
  tell(session, all);
  if (flags.prune !== true && strays.length > 0) {
    out.notice(`not in the file, and left as it is: ${summed(strays)}; --prune removes what is not`);
  }
  if (all.length === 0) return out.notice(`nothing to do: ${connection.label} is as ${name} says`);
  if (flags.dryRun === true) return out.notice(`${countsOf(all)}; nothing was changed (--dry-run)`);
  await confirm(session, `Apply ${name} to ${connection.label}: ${countsOf(all)}?`);
  await doAll(all, name);
  out.notice(`done: ${countsOf(all)}`);
}

interface Found {
  readonly kind: Kind;
  readonly entries: readonly unknown[];
}

/** Sections that the file has, in the order in which things are made; the others are not touched. */
function sectionsOf(text: YamlText): Found[] {
  const known = kinds.map(({ section }) => section);
  const whole = new YamlFields(text, [], text.value, known);
  const found = kinds.flatMap((kind): Found[] => {
    const entries = whole.raw(kind.section);
    if (entries === undefined) return [];
    if (entries === null) return [{ kind, entries: [] }];
    if (!Array.isArray(entries)) throw whole.fault(kind.section, `\`${kind.section}\` is no list`);
    return [{ kind, entries }];
  });
  if (found.length === 0) throw new UsageError(`the file says nothing; its sections are ${known.join(', ')}`);
  return found;
}

/** All sections are read before the first is planned, so that nothing is begun that a later line makes impossible. */
async function planOf(sections: readonly Section[]): Promise<{ steps: readonly Step[]; strays: readonly Step[] }> {
  const plans = [];
  for (const section of sections) plans.push(await section.plan());
  return {
    steps: plans.flatMap(({ steps }) => steps),
    strays: plans.toReversed().flatMap(({ strays }) => strays),
  };
}

const COLOURS = { '+': 'green', '~': 'yellow', '-': 'red' } as const;

function tell({ out, flags }: Session, steps: readonly Step[]): void {
  if (flags.json === true) {
    const plan = steps.map(({ sign, noun, name, fields }) => ({ sign, kind: noun, name, fields }));
    return out.text(`${printableJson({ plan })}\n`);
  }
  if (flags.quiet === true) return;
  for (const { sign, noun, name, fields } of steps) {
    const what = fields.length === 0 ? '' : `: ${fields.join(', ')}`;
    out.text(`${out.paint(COLOURS[sign], `${sign} ${noun} ${printable(name)}`)}${what}\n`);
  }
}

/** `+ 2  ~ 1  - 0` */
function countsOf(steps: readonly Step[]): string {
  return (['+', '~', '-'] as const)
    .map((sign) => `${sign} ${steps.filter((step) => step.sign === sign).length}`)
    .join('  ');
}

function summed(steps: readonly Step[]): string {
  const nouns = Map.groupBy(steps, ({ noun }) => noun);
  return [...nouns].map(([noun, some]) => count(some.length, noun)).join(', ');
}

/** One after another: what was done stays, and the same command goes on from there. */
async function doAll(steps: readonly Step[], file: string): Promise<void> {
  for (const [index, step] of steps.entries()) {
    try {
      await step.do();
    } catch (error) {
      throw placed(error, step, `${index} of ${steps.length} done before`, file);
    }
  }
}

function placed(error: unknown, { sign, noun, name, line }: Step, done: string, file: string): unknown {
  if (!(error instanceof Failure)) return error;
  const where = line === undefined ? '' : `${file}:${line}: `;
  const next = `${done}; once it is right, the same command goes on from there`;
  const { hint } = error.details;
  return new Failure(error.code, error.exitCode, `${where}${sign} ${noun} ${name}: ${error.message}`, {
    ...error.details,
    hint: hint === undefined ? next : `${hint}; ${next}`,
    cause: error,
  });
}
