import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { stringify } from 'yaml';
import type { Rule, RuleChange } from '../../../shared/api/rule.ts';
import type { AcceptedRule } from '../../client/client.ts';
import { Refused } from '../../client/transport.ts';
import { Failure, systemReason, UsageError } from '../../runtime/failure.ts';
import { diagnosticLines } from '../../text/report.ts';
import { placed } from '../query-report.ts';
import type { Session } from '../session.ts';
import { YamlFields, YamlText } from '../yaml-text.ts';
import type { Environment } from '../../runtime/context.ts';
import { exitCode } from '../../runtime/exit-code.ts';

interface Place {
  /** The name of its tap, where it is known. */
  readonly tap: string | undefined;
  readonly save: (change: RuleChange) => Promise<AcceptedRule>;
}

const FIELDS = ['value', 'tag', 'quality', 'nsfw'] as const;
/** Begins each line that is ours; they are taken out before the text is read. */
const MARK = '#|';

/**
 * Edit, read, save, and again with what was wrong above the text until it is right. Nothing that was written is lost: a
 * text that is given up – closed as it was refused – stays in its file, which only its owner may read.
 * Undefined: nothing was changed. @throws {Failure} that names the file, where the text is kept in it
 */
export async function editRuleText(
  session: Session,
  rule: Rule,
  { tap, save }: Place,
): Promise<AcceptedRule | undefined> {
  const directory = await mkdtemp(path.join(tmpdir(), 'hydrant-rule-'));
  const file = path.join(directory, 'rule.yaml');
  const before = textOf(rule);
  let text = before;
  let complaint: Complaint | undefined;
  try {
    for (;;) {
      const shown = `${above(rule, tap, complaint?.lines)}${text}`;
      await writeFile(file, shown, { mode: 0o600 });
      // An editor that keeps a file's mode keeps this one; an umask cannot widen it.
      await chmod(file, 0o600);
      await openEditor(file, session.context.environment);
      const edited = without(await readFile(file, 'utf8'));
      if (edited.trim() === '' || edited.trim() === before.trim()) return await done(directory, undefined);
      if (complaint && edited.trim() === text.trim()) throw complaint.error;
      text = edited;
      const outcome = await attempt(rule, edited, save);
      if (!('lines' in outcome)) return await done(directory, outcome);
      complaint = outcome;
    }
  } catch (error) {
    const left = without(await readFile(file, 'utf8').catch(() => ''));
    if (left.trim() !== before.trim() && left.trim() !== '') throw keeping(error, file);
    await done(directory, undefined);
    throw error;
  }
}

interface Complaint {
  readonly lines: readonly string[];
  readonly error: Error;
}

/** What the text asks for, done; or what is wrong with it. Throws what no other text would put right. */
async function attempt(rule: Rule, text: string, save: Place['save']): Promise<AcceptedRule | Complaint> {
  let change: RuleChange = {};
  try {
    change = changeOf(rule, text);
    return await save(change);
  } catch (error) {
    if (error instanceof UsageError) return { lines: [error.message, error.details.hint ?? ''], error };
    if (!(error instanceof Refused) || error.status !== 422) throw error;
    const { value = rule.value } = change;
    const form = { json: false, stack: false, paint: (_: string, plain: string) => plain, width: 100 };
    const found = placed(error.diagnostics, value).flatMap((one) => diagnosticLines(one, value, form));
    return { lines: found.length > 0 ? found : [error.message], error };
  }
}

/** Only what differs is sent; a field that is gone has its default. */
function changeOf(rule: Rule, text: string): RuleChange {
  const yaml = new YamlText(text, 'rule.yaml');
  const fields = new YamlFields(yaml, [], yaml.value, FIELDS);
  const value = fields.required('value').trim();
  const tag = fields.text('tag') ?? '';
  const quality = fields.flag('quality') ?? true;
  const nsfw = fields.flag('nsfw') ?? false;
  return {
    ...(value !== rule.value && { value }),
    ...(tag !== (rule.tag ?? '') && { tag: tag === '' ? null : tag }),
    ...(quality !== rule.quality && { quality }),
    ...(nsfw !== rule.nsfw && { nsfw }),
  };
}

function textOf({ value, tag = '', quality, nsfw }: Rule): string {
  return stringify({ value, tag, quality, nsfw }, { lineWidth: 0, blockQuote: 'literal' });
}

function above(rule: Rule, tap: string | undefined, complaint: readonly string[] | undefined): string {
  const where = tap === undefined ? '' : ` of the tap ${tap.replaceAll(/\s/g, ' ')}`;
  const lines = [
    `Rule ${rule.id}${where}. Save and close to change it; an empty text changes nothing.`,
    ...(complaint ?? []).filter((line) => line !== '').flatMap((line) => line.split('\n')),
  ];
  return lines.map((line) => `${MARK} ${line}\n`).join('');
}

function without(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith(MARK))
    .join('\n');
}

async function done<Result>(directory: string, result: Result): Promise<Result> {
  await rm(directory, { recursive: true, force: true });
  return result;
}

function keeping(error: unknown, file: string): unknown {
  if (!(error instanceof Failure)) return error;
  const { hint, ...details } = error.details;
  const kept = `what you wrote is kept in ${file}`;
  return new Failure(error.code, error.exitCode, error.message, {
    ...details,
    hint: hint === undefined ? kept : `${hint}; ${kept}`,
    cause: error,
  });
}

/**
 * Opens a file in the editor of whoever asks: `$VISUAL`, else `$EDITOR`, else `vi` (`notepad` on Windows). Both may have
 * words of their own (`code --wait`), so a shell reads them. Resolved when it is closed. @throws {Failure}
 */
export async function openEditor(file: string, environment: Environment): Promise<void> {
  const isWindows = process.platform === 'win32';
  const editor = environment['VISUAL'] || environment['EDITOR'] || (isWindows ? 'notepad' : 'vi');
  const child = isWindows
    ? spawn(`${editor} "${file}"`, { stdio: 'inherit', shell: true })
    : spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject).once('exit', resolve);
  let code: number | null;
  try {
    code = await promise;
  } catch (error) {
    throw failed(`\`${editor}\` could not be started: ${systemReason(error)}`);
  }
  if (code !== 0) throw failed(`\`${editor}\` ended with ${code === null ? 'a signal' : `code ${code}`}`);
}

function failed(message: string): Failure {
  return new Failure('editor', exitCode.no, message, { hint: 'set EDITOR to an editor, such as EDITOR=nano' });
}
