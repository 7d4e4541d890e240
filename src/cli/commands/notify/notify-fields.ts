import type { SinkFieldReport, SinkKindReport } from '../../../shared/api/notify.ts';
import { SINK_KINDS, type SinkKindName } from '../../../shared/api/notify-values.ts';
import { misspelled } from '../../../shared/query/suggest/misspelling.ts';
import { UsageError } from '../../runtime/failure.ts';
import { openFile, readAll } from '../../runtime/input.ts';
import { readSecret } from '../secret-input.ts';
import type { Session } from '../session.ts';
import { targetWords, type Typed, type TypedValue } from './notify-targets.ts';

/** What a kind of sink is told: its fields, from the words behind the kind, `--option` and the flags of single fields. */
export type Texts = Readonly<Record<string, string>>;

export interface Fields {
  readonly options: Texts;
  readonly secrets: Texts;
}

/** What people call a kind that is called otherwise here. */
const KINDS_BY_OTHER_NAMES: Readonly<Record<string, SinkKindName>> = {
  mail: 'email',
  smtp: 'email',
  hook: 'webhook',
  http: 'webhook',
  https: 'webhook',
  url: 'webhook',
  script: 'exec',
  command: 'exec',
  cmd: 'exec',
  shell: 'exec',
};

/** @throws {UsageError} with the kind that was meant */
export function kindOf(word: string): SinkKindName {
  const wanted = word.toLowerCase();
  const kind = SINK_KINDS.find((one) => one === wanted);
  if (kind !== undefined) return kind;
  const near = KINDS_BY_OTHER_NAMES[wanted] ?? misspelled(wanted, SINK_KINDS);
  // A URL in its place may be a secret.
  const named = /^[\w-]{1,40}$/.test(word) ? `there is no kind \`${word}\` of sinks` : 'there is no such kind of sinks';
  throw new UsageError(named, {
    hint: near === undefined ? `kinds: ${SINK_KINDS.join(', ')}` : `did you mean ${near}?`,
  });
}

/** @throws {UsageError} where the daemon, an older one, has no such kind */
export function reportOf(kinds: readonly SinkKindReport[], wanted: SinkKindName): SinkKindReport {
  const found = kinds.find(({ kind }) => kind === wanted);
  if (found !== undefined) return found;
  throw new UsageError(`the daemon has no sinks of the kind ${wanted}`, {
    hint: `it has ${kinds.map(({ kind }) => kind).join(', ')}; a newer version of hydrant may have more`,
  });
}

/** `url (the address of the ntfy server); topic (needed: …)`: for who has to give them. */
export function fieldWords({ fields }: SinkKindReport): string {
  return fields.map((field) => `${field.name} (${meaningOf(field)})`).join('; ');
}

/** `needed, secret: the token of the bot`. */
export function meaningOf({ is_required: isRequired, is_secret: isSecret, description }: SinkFieldReport): string {
  const notes = [...(isRequired ? ['needed'] : []), ...(isSecret ? ['secret'] : [])];
  return notes.length === 0 ? description : `${notes.join(', ')}: ${description}`;
}

/** Fields with a flag of their own. */
const FIELD_FLAGS: ReadonlySet<string> = new Set(['to', 'from', 'smtp', 'user', 'password', 'token', 'secret']);

/** The flag that gives a field, up to its value. */
export function flagOf(field: string): string {
  if (field === 'host') return '--smtp ';
  return FIELD_FLAGS.has(field) ? `--${field} ` : `--option ${field}=`;
}

/** Checked before a value is read: nobody types a password for a field that there is not. @throws {UsageError} */
function checkFields(kind: SinkKindReport, typed: Typed): void {
  const wrong = Object.keys(typed).find((name) => !kind.fields.some((field) => field.name === name));
  if (wrong === undefined) return;
  const near = misspelled(
    wrong,
    kind.fields.map(({ name }) => name),
  );
  throw new UsageError(`${kind.kind} has no field \`${wrong}\``, {
    hint: near === undefined ? `its fields: ${fieldWords(kind)}` : `did you mean \`${near}\`?`,
  });
}

/** Reads secrets from where they are; what is not secret stands there itself. */
export async function readFields(session: Session, kind: SinkKindReport, typed: Typed): Promise<Fields> {
  checkFields(kind, typed);
  const options: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  for (const { name, is_secret: isSecret } of kind.fields) {
    const given = typed[name];
    if (given === undefined) continue;
    if (isSecret) secrets[name] = await secretOf(session, kind, name, given);
    else if (typeof given === 'string') options[name] = await optionOf(name, given);
    else throw new UsageError(`${flagOf(name).trim()} needs a value`);
  }
  return { options, secrets };
}

/** Fields that are the content of a file. Elsewhere a value may begin with an @: `@channel`. */
const CONTENTS: ReadonlySet<string> = new Set(['certificate']);

async function optionOf(name: string, given: string): Promise<string> {
  if (!CONTENTS.has(name) || !given.startsWith('@')) return given;
  return readAll(openFile(given.slice(1)), given.slice(1));
}

async function secretOf(session: Session, { kind }: SinkKindReport, name: string, given: TypedValue): Promise<string> {
  if (typeof given === 'object') return given.secret;
  return readSecret(session.context, given, { what: `the ${name} of ${kind}`, flag: flagOf(name) });
}

/**
 * The same for a new sink: what is needed and was not given is asked for where it is a secret and there is a terminal.
 * @throws {UsageError} for what is missing
 */
export async function readNewFields(session: Session, kind: SinkKindReport, typed: Typed): Promise<Fields> {
  checkFields(kind, typed);
  const completed = withUsual(kind, typed);
  const missing = kind.fields.filter(
    ({ name, is_required: isRequired }) => isRequired && completed[name] === undefined,
  );
  const { stdin, stderr } = session.context.io;
  const canAsk = stdin.isTTY === true && stderr.isTTY === true;
  const wanting = missing.find((field) => !field.is_secret || !canAsk);
  if (wanting !== undefined) {
    const { name, description, is_secret: isSecret } = wanting;
    const way = targetWords(kind.kind, name) ?? `${flagOf(name)}${isSecret ? '@FILE' : 'VALUE'}`;
    throw new UsageError(`${kind.kind} needs its ${name}: ${description}`, {
      hint: `give ${way}; all fields: hydrant notify kinds ${kind.kind}`,
    });
  }
  const asked = Object.fromEntries(missing.map(({ name }) => [name, true as const]));
  return readFields(session, kind, { ...completed, ...asked });
}

/** What nobody would say again: mails come from who has the account, and a user has a password. */
function withUsual({ kind, fields }: SinkKindReport, typed: Typed): Typed {
  const { user, to, from, password } = typed;
  const account = [user, to].find((one) => typeof one === 'string' && one.includes('@'));
  const sender = typeof account === 'string' ? account.split(',')[0]?.trim() : undefined;
  const hasPassword = fields.some(({ name, is_secret: isSecret }) => name === 'password' && isSecret);
  return {
    ...typed,
    ...(kind === 'email' && from === undefined && sender !== undefined && { from: sender }),
    ...(hasPassword && user !== undefined && password === undefined && { password: true }),
  };
}
