import { WATCHES_A_REQUEST } from '../../shared/limits.ts';
import type { WatchEndpoints } from '../client/watches.ts';
import { exitCode } from '../exit-code.ts';
import { Failure } from '../failure.ts';
import { printable } from '../printable.ts';
import { Progress } from '../progress.ts';
import { confirm } from './confirm.ts';
import { inSteps } from './in-steps.ts';
import type { Session } from './session.ts';
import { count } from './count.ts';
import type { WatchEntry } from './watch-entry.ts';
import { readWatchFile } from './watch-file.ts';
import { nameOf, readText, warn } from './watch-gather.ts';
import { openWatches, operatorOnly } from './watch-names.ts';
import { type Plan, planLines, planOf } from './watch-plan.ts';
import { lost } from './watch-verbs.ts';

/** `hydrant watch apply`: makes the watches those of a file; what will be done is shown first. */
export interface ApplyFlags {
  readonly dryRun?: boolean;
  /** What is not in the file is removed. */
  readonly prune?: boolean;
}

export async function apply(session: Session, file: string, flags: ApplyFlags): Promise<void> {
  const entries = readWatchFile(await readText(session, file, 'the file of watches'), nameOf(file));
  await checkTriggers(entries);
  const watches = operatorOnly(await openWatches(session), '`hydrant watch apply`');
  const whole = planOf(await watches.list(), entries);
  const plan = flags.prune === true ? whole : { ...whole, remove: [] };
  const steps = plan.add.length + plan.change.length + plan.remove.length;
  tellPlan(session, plan, flags);
  const unnamed = whole.remove.length - plan.remove.length;
  if (unnamed > 0) {
    session.out.notice(`${count(unnamed, 'watch')} not in the file, left as they are; --prune removes them`);
  }
  if (steps === 0) return session.out.notice('nothing to do: the watches are as the file says');
  if (flags.dryRun === true) return session.out.notice(`nothing was changed: ${summary(plan, 'would be ')}`);
  const forEver = plan.remove.length > 0 ? ` Of those removed, ${lost(plan.remove)}` : '';
  await confirm(session, `${count(steps, 'step')}.${forEver} Go on?`);
  const refused = await carryOut(session, watches, plan);
  warn(session, 'refused', refused, refused.length);
  if (refused.length === 0) return session.out.notice(summary(plan, ''), 'hydrant watch list');
  const rest = refused.length < steps ? '; the others are done' : '';
  throw new Failure('refused', exitCode.refused, `${refused.length} of ${count(steps, 'step')} refused${rest}`);
}

async function checkTriggers(entries: readonly WatchEntry[]): Promise<void> {
  const asking = entries.filter(({ options }) => typeof options?.trigger === 'string');
  if (asking.length === 0) return;
  const { checkTrigger } = await import('./watch-trigger.ts');
  for (const { options, place, url } of asking) {
    if (typeof options?.trigger === 'string') checkTrigger(options.trigger, `${place ?? ''}: the trigger of ${url}: `);
  }
}

/** The plan is what the command answers: data, on stdout. */
function tellPlan({ out }: Session, plan: Plan, { dryRun = false }: ApplyFlags): void {
  const lines = planLines(plan).map((line) => printable(line));
  const coloured = lines.map((line) => out.paint(COLOURS[line[0] ?? ''] ?? 'dim', line));
  const ids = [...plan.change, ...plan.remove].map(({ id }) => id).join('\n');
  const isEmpty = lines.length === 0;
  if (!isEmpty || dryRun) out.one(plan, { id: ids, lines: coloured, plain: lines });
}

const COLOURS: Readonly<Record<string, 'green' | 'yellow' | 'red'>> = { '+': 'green', '~': 'yellow', '-': 'red' };

/** What the daemon refuses keeps nothing else back: a sentence for each. */
async function carryOut(session: Session, watches: WatchEndpoints, { add, change, remove }: Plan): Promise<string[]> {
  const refused: string[] = [];
  const progress = new Progress(session.context, {
    silent: session.flags.quiet === true || session.flags.json === true,
  });
  const tell =
    (all: readonly unknown[], words: string) =>
    (done: number): void =>
      progress.tell(() => `${done.toLocaleString('en')} of ${count(all.length, 'watch')} ${words}`);
  try {
    // First: what is removed makes room for what is added.
    await inSteps(remove, async ({ id }) => watches.remove(id), tell(remove, 'removed'));
    const changing = async ({ id, url, edit }: Plan['change'][number]): Promise<string[]> => {
      const failed = (error: unknown): string[] => [sentenceOf(url, error)];
      return watches.change(id, edit).then(() => [], failed);
    };
    refused.push(...(await inSteps(change, changing, tell(change, 'changed'))).flat());
    for (let at = 0; at < add.length; at += WATCHES_A_REQUEST) {
      refused.push(...(await addSome(watches, add.slice(at, at + WATCHES_A_REQUEST))));
      tell(add, 'added')(Math.min(at + WATCHES_A_REQUEST, add.length));
    }
  } finally {
    progress.end();
  }
  return refused;
}

async function addSome(watches: WatchEndpoints, some: Plan['add']): Promise<string[]> {
  const report = await watches.addAll(
    some.map(({ url, frequency_minutes, paused, options = {} }) => ({
      url,
      frequency_minutes,
      ...(paused && { status: 'paused' as const }),
      options,
    })),
  );
  return [...report.known, ...report.refused].map(({ url, message }) => `${url}: ${message}`);
}

function sentenceOf(url: string, error: unknown): string {
  if (error instanceof Failure && error.exitCode !== exitCode.unreachable) return `${url}: ${error.message}`;
  throw error;
}

function summary({ add, change, remove }: Plan, would: string): string {
  const part = (steps: readonly unknown[], words: string): string[] =>
    steps.length === 0 ? [] : [`${steps.length.toLocaleString('en')} ${would}${words}`];
  return [...part(add, 'added'), ...part(change, 'changed'), ...part(remove, 'removed')].join(', ');
}
