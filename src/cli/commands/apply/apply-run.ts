import { Refused } from '../../client/transport.ts';
import { grouped } from '../../../shared/grouped.ts';
import { Document, visit } from 'yaml';
import { exitCode } from '../../runtime/exit-code.ts';
import { Failure, UsageError } from '../../runtime/failure.ts';
import { escapedControls, hasControls, printable, printableJson, quoted } from '../../../shared/text/printable.ts';
import { Progress } from '../../runtime/output.ts';
import { confirm, type Session } from '../session.ts';
import { type Kind, type Lot, type Plan, type Section, type Step, World } from './kind.ts';
import { kinds } from './kinds.ts';
import { count } from '../../../shared/text/plural.ts';
import { nameOf, readText, warn } from '../list-text.ts';
import { requestWords } from '../request-order.ts';
import { YamlFields, YamlText } from '../yaml-text.ts';

/** `hydrant apply`: what a file says is made so. A plan first; what is so already is left alone. */
interface ApplyFlags {
  readonly dryRun?: true | undefined;
  readonly prune?: true | undefined;
}

/** @param section the one that is meant: others of the file are left alone */
export async function apply(session: Session, file: string, flags: ApplyFlags, section?: string): Promise<void> {
  const { out } = session;
  const name = nameOf(file);
  const text = new YamlText(await readText(session, file, 'the file'), name);
  const found = sectionsOf(session, text, section);
  const { connection, client } = await session.connect();
  const world = new World(client, connection);
  const {
    steps,
    strays,
    lost = '',
    notes = [],
  } = await planOf(found.map(({ kind, entries }) => kind.read(world, text, entries)));
  const all = flags.prune === true ? [...steps, ...strays] : steps;
  tell(session, all);
  for (const note of notes) out.notice(note);
  if (flags.prune !== true && strays.length > 0) {
    out.notice(`not in the file, and left unchanged: ${summed(strays)}; --prune removes them`);
  }
  if (all.length === 0) return out.notice(`nothing to do: ${connection.label} already matches ${name}`);
  if (flags.dryRun === true) return out.notice(`${countsOf(all)}; nothing was changed (--dry-run)`);
  const warning = flags.prune === true && lost !== '' ? `${lost} ` : '';
  await confirm(session, `${warning}Apply ${name} to ${connection.label}: ${countsOf(all)}?`);
  await doAll(session, all, name);
  out.notice(`done: ${countsOf(all)}`);
}

interface Found {
  readonly kind: Kind;
  readonly entries: readonly unknown[];
}

/** Sections that the file has, in the order in which things are made; the others are not touched. */
function sectionsOf({ out }: Session, text: YamlText, section: string | undefined): Found[] {
  const known = kinds.map((kind) => kind.section);
  const whole = new YamlFields(text, [], text.value, known);
  const found = kinds.flatMap((kind): Found[] => {
    const entries = whole.raw(kind.section);
    if (entries === undefined) return [];
    if (entries === null) return [{ kind, entries: [] }];
    if (!Array.isArray(entries)) throw whole.fault(kind.section, `\`${kind.section}\` is not a list`);
    return [{ kind, entries }];
  });
  if (found.length === 0) throw new UsageError(`the file is empty; its sections can be ${known.join(', ')}`);
  if (section === undefined) return found;
  const [meant, others] = [found.filter(({ kind }) => kind.section === section), found.length - 1];
  if (meant.length === 0) throw new UsageError(`the file has no section \`${section}\``);
  if (others > 0) out.notice(`only \`${section}\` of the file: \`hydrant apply\` takes all of it`);
  return meant;
}

/** All sections are read before the first is planned, so that nothing is begun that a later line makes impossible. */
async function planOf(sections: readonly Section[]): Promise<Plan> {
  const plans: Plan[] = [];
  for (const section of sections) plans.push(await section.plan());
  return {
    steps: plans.flatMap(({ steps }) => steps),
    strays: plans.toReversed().flatMap(({ strays }) => strays),
    lost: plans.flatMap(({ lost }) => lost ?? []).join(' '),
    notes: plans.flatMap(({ notes }) => notes ?? []),
  };
}

const COLOURS = { '+': 'green', '~': 'yellow', '-': 'red' } as const;

function tell({ out, flags }: Session, steps: readonly Step[]): void {
  if (flags.json === true) {
    const plan = steps.map(({ sign, noun, name, fields }) => ({ sign, kind: noun, name, fields }));
    return out.text(`${printableJson({ plan })}\n`);
  }
  if (flags.quiet === true) return;
  for (const { sign, noun, name, words } of steps) {
    const what = words.length === 0 ? '' : `: ${printable(words.join(', '))}`;
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

/**
 * One after another: what was done stays, and the same command goes on from there. Steps of a lot come to no harm by each
 * other: those that are refused are told at the end. Lots that remove go first, as they make room.
 */
async function doAll(session: Session, steps: readonly Step[], file: string): Promise<void> {
  const groups = [...Map.groupBy(steps, (step): Lot | Step => step.lot ?? step).values()];
  const [making, room] = [groups.filter((group) => !makesRoom(group)), groups.filter(makesRoom)];
  const waiting: (readonly Step[])[] = [...room, ...making];
  let [done, refused] = [0, 0];
  for (let group = waiting.shift(); group; group = waiting.shift()) {
    try {
      refused += await doGroup(session, group, file);
    } catch (error) {
      const removal = removalBefore(group, error, waiting);
      if (removal === undefined) {
        throw group.length === 1 && group[0]
          ? placed(error, group[0], `${done} of ${steps.length} done before`, file)
          : error;
      }
      waiting.unshift(removal, group);
      continue;
    }
    done += group.length;
  }
  if (refused === 0) return;
  const rest = refused < steps.length ? '; the other steps succeeded' : '';
  throw new Failure(
    'refused',
    exitCode.refused,
    `${grouped(refused)} of ${count(steps.length, 'step')} refused${rest}`,
  );
}

/**
 * Taken out of what waits: a removal that makes room for what was refused at a limit. One at a time, so that a rule that takes
 * the place of another is there as soon as the other is gone.
 */
function removalBefore([step]: readonly Step[], error: unknown, waiting: (readonly Step[])[]) {
  const isAtLimit = error instanceof Refused && error.status === 422 && /limit reached/i.test(error.message);
  if (!isAtLimit || step?.sign !== '+' || step.lot !== undefined) return undefined;
  const index = waiting.findIndex(([other]) => other?.sign === '-' && other.noun === step.noun);
  return index === -1 ? undefined : waiting.splice(index, 1)[0];
}

function makesRoom([first]: readonly Step[]): boolean {
  return first?.lot !== undefined && first.sign === '-';
}

/** @returns how many were refused */
async function doGroup(session: Session, group: readonly Step[], file: string): Promise<number> {
  const [first] = group;
  if (first?.lot === undefined) {
    await first?.do();
    return 0;
  }
  const { quiet, json } = session.flags;
  const progress = new Progress(session.context, { silent: quiet === true || json === true });
  try {
    const { lot, noun, sign } = first;
    const refusals = await lot((done) =>
      progress.tell(() => `${sign} ${grouped(done)} of ${count(group.length, noun)}`),
    );
    const refused = group.flatMap((step, index) => {
      const refusal = refusals[index];
      return refusal ? [{ place: placeOf(step, file), message: refusal.message }] : [];
    });
    const sentences = [...Map.groupBy(refused, ({ message }) => message)].map(([message, same]) => {
      const others = same.length === 1 ? '' : ` and ${grouped(same.length - 1)} more`;
      return `${same[0]?.place}${others}: ${message}`;
    });
    warn(session, 'refused', sentences, sentences.length);
    return refused.length;
  } finally {
    progress.end();
  }
}

function placeOf({ sign, noun, name, line }: Step, file: string): string {
  return `${line === undefined ? '' : `${file}:${line}: `}${sign} ${noun} ${name}`;
}

function placed(error: unknown, step: Step, done: string, file: string): unknown {
  if (!(error instanceof Failure)) return error;
  const next = `${done}; fix it, then run the same command again to continue`;
  const { hint } = error.details;
  return new Failure(error.code, error.exitCode, `${placeOf(step, file)}: ${error.message}`, {
    ...error.details,
    hint: hint === undefined ? next : `${hint}; ${next}`,
    cause: error,
  });
}

/** Sections that are wanted, by name; none: all. */
export type ExportFlags = Readonly<Record<string, unknown>>;

/**
 * Made by `hydrant export`, `hydrant watch export`. It may be printed on a terminal, and names of older catalogs may have
 * control characters: they are escaped in quotes, so that the file still says the same.
 */
export function fileOf(sections: Readonly<Record<string, readonly object[]>>): string {
  const document = new Document(sections);
  visit(document, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string' && hasControls(scalar.value)) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return HEAD + escapedControls(document.toString({ lineWidth: 0 }));
}

const HEAD = '# Made by hydrant export. Put in place with: hydrant apply FILE\n';

/** `hydrant export`: what there is, as a file for `hydrant apply`. Tokens and keys are in none of it. */
export async function exportFile(session: Session, flags: ExportFlags): Promise<void> {
  const { out } = session;
  const { connection, client } = await session.connect();
  const named = kinds.filter(({ section }) => flags[section] === true);
  const wanted = named.length > 0 ? named : kinds;
  const world = new World(client, connection);
  const whole: Record<string, object[]> = {};
  for (const kind of wanted) {
    // One that was named is asked for, and refused in words.
    if (kind.isOperators && !world.isOperator && named.length === 0) {
      out.notice(`the ${kind.section} are left out: only the operator can read them`);
      continue;
    }
    whole[kind.section] = await kind.exported(world);
  }
  const secrets = (whole['sinks'] ?? []).filter((sink) => 'secrets' in sink).length;
  if (secrets > 0) out.notice(`the secrets of ${count(secrets, 'sink')} are left out: the file has their names only`);
  await tellRequests(session, world, whole);
  if (session.flags.json === true) return out.text(`${printableJson(whole)}\n`);
  out.text(fileOf(whole));
}

/** Which of the exported pages are asked for in a way of their own, and how each is set again: the file has no word of it. */
async function tellRequests({ out }: Session, world: World, whole: Readonly<Record<string, unknown>>): Promise<void> {
  const [sources, watches] = [
    whole['sources'] === undefined ? [] : await world.knownSources(),
    whole['watches'] === undefined ? [] : await world.knownWatches(),
  ];
  const own = [
    ...sources.map(({ url, request }) => ({ noun: 'crawl', url, words: requestWords(request) })),
    ...watches.map(({ url, request }) => ({ noun: 'watch', url, words: requestWords(request) })),
  ].filter(({ words }) => words.length > 0);
  if (own.length === 0) return;
  const are = `${count(own.length, 'page')} ${own.length === 1 ? 'is' : 'are'}`;
  out.notice(`how ${are} asked for is left out; where the file is applied, set it again:`);
  for (const { noun, url, words } of own.slice(0, REQUESTS_TOLD)) {
    out.notice(`${printable(url)}: ${words.join(', ')}`, `hydrant ${noun} edit ${quoted(url)} --help`);
  }
  if (own.length > REQUESTS_TOLD)
    out.notice(`and ${own.length - REQUESTS_TOLD} more: hydrant watch list, hydrant crawl list`);
}

const REQUESTS_TOLD = 20;
