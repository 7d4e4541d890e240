import type { RequestChange, RequestReport } from '../../shared/api/own-request.ts';
import { OWN_TIMEOUT_SECONDS } from '../../shared/limits.ts';
import { UsageError } from '../runtime/failure.ts';
import { openFile, readAll } from '../runtime/input.ts';
import { warn } from './list-text.ts';
import type { RequestFlags } from './request-flags.ts';
import { askSecret, readSecret } from './secret-input.ts';
import type { Session } from './session.ts';

/**
 * What the flags say of how a page is asked for; undefined where they say nothing. Secrets are read from files, stdin or the
 * terminal; one that is a word of the command is taken, with a warning, since other users of the machine see it.
 * @throws {UsageError} for what is none, which repeats no value
 */
export async function requestOf(session: Session, flags: RequestFlags): Promise<RequestChange | undefined> {
  const { method, headersFrom, userAgent, requestTimeout: timeout } = flags;
  if (flags.request === false) return NONE;
  checkFlags(flags);
  const headers = await allHeaders(session, flags);
  const request = {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(method !== undefined && { method }),
    ...(flags.data !== undefined && { body: await bodyOf(session, flags.data) }),
    ...(headersFrom !== undefined && { headers_from: headersFrom }),
    ...(flags.proxy !== undefined && { proxy: await proxyOf(session, flags.proxy) }),
    ...(userAgent !== undefined && { user_agent: userAgent }),
    ...(timeout !== undefined && { timeout_seconds: timeout }),
  };
  return Object.keys(request).length > 0 ? request : undefined;
}

const NONE: RequestChange = {
  method: null,
  headers: null,
  body: null,
  headers_from: null,
  proxy: null,
  user_agent: null,
  timeout_seconds: null,
};

function checkFlags({ header = [], cookie, user, data, requestTimeout: timeout }: RequestFlags): void {
  const fromStdin = [...header, cookie, user?.replace(/^.*:/s, ''), data].filter((given) => given === '-');
  if (fromStdin.length > 1) throw new UsageError('stdin can be read once: give the others as @FILE');
  const { least, most } = OWN_TIMEOUT_SECONDS;
  if (timeout === undefined || (timeout >= least && timeout <= most)) return;
  throw new UsageError(`--request-timeout is from ${least} to ${most} seconds`);
}

/** A header that is to be taken away is null. */
async function allHeaders(
  session: Session,
  { header = [], user, cookie }: RequestFlags,
): Promise<Record<string, string | null>> {
  return {
    ...(await headersOf(session, header)),
    ...(user !== undefined && { authorization: await loginOf(session, user) }),
    ...(cookie !== undefined && { cookie: await cookiesOf(session, cookie) }),
  };
}

/** Whether it holds what is for one site alone. */
export function isForOneSite({ headers, body, headers_from: command }: RequestChange): boolean {
  return (headers ?? body ?? command ?? null) !== null;
}

/** Each is `Name: value`, `Name` alone to be asked for the value, or a file or stdin with one a line. `Name:` takes it away. */
async function headersOf(session: Session, given: readonly string[]): Promise<Record<string, string | null>> {
  const found: Record<string, string | null> = {};
  for (const one of given) {
    const isRead = one === '-' || one.startsWith('@');
    const lines = isRead ? (await readSecret(session.context, one, HEADER)).split(/\r?\n/) : [one];
    for (const line of lines.filter((text) => text.trim() !== '')) {
      const [name = '', ...rest] = line.split(':');
      const key = name.trim().toLowerCase();
      if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(key)) throw new UsageError('--header: write it as `Name: value`');
      const value = rest.join(':').trim();
      if (rest.length === 0) found[key] = await typed(session, `the value of ${key}`, '--header @FILE');
      else found[key] = value === '' ? null : value;
      if (!isRead && value !== '' && SECRET.test(key)) warnOfWords(session, `--header '${key}: …'`, '--header @FILE');
    }
  }
  return found;
}

const HEADER = { what: 'the header', flag: '--header ' };
const SECRET = /cookie|auth|token|key|secret|session|csrf|xsrf|passw|signature/i;

async function loginOf(session: Session, given: string): Promise<string> {
  const [name = '', ...rest] = given.split(':');
  const word = rest.length === 0 ? undefined : rest.join(':');
  const asked = { what: `the password of ${name}`, flag: `--user ${name}:` };
  const isRead = word === '-' || word?.startsWith('@') === true;
  if (word !== undefined && !isRead) warnOfWords(session, '--user', `${asked.flag}@FILE`);
  const password = word === undefined || isRead ? await readSecret(session.context, word ?? true, asked) : word;
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
}

async function cookiesOf(session: Session, given: string | true): Promise<string> {
  const isRead = given === true || given === '-' || given.startsWith('@');
  if (!isRead) warnOfWords(session, '--cookie', '--cookie @FILE');
  const text = isRead ? await readSecret(session.context, given, { what: 'the cookies', flag: '--cookie ' }) : given;
  const cookies = text.replace(/^cookie:/i, '').trim();
  if (/\t/.test(cookies))
    throw new UsageError('--cookie: write them as `name=value; other=value`, as a browser sends them');
  return cookies.replaceAll(/\s*[\r\n]+\s*/g, '; ');
}

async function bodyOf(session: Session, given: string): Promise<string> {
  if (given === '-') return session.context.readInput('the body');
  if (given.startsWith('@')) return readAll(openFile(given.slice(1)), given.slice(1));
  if (SECRET.test(given)) warnOfWords(session, '--data', '--data @FILE');
  return given;
}

async function proxyOf(session: Session, given: string): Promise<string> {
  if (given === '-' || given.startsWith('@')) {
    return readSecret(session.context, given, { what: 'the proxy', flag: '--proxy ' });
  }
  if (given.includes('@')) warnOfWords(session, '--proxy', '--proxy @FILE');
  return given;
}

async function typed({ context }: Session, what: string, instead: string): Promise<string> {
  const value = await askSecret(context, what, instead);
  if (value === undefined) throw new UsageError(`${what} is empty, so nothing was changed`, { hint: instead });
  return value;
}

function warnOfWords(session: Session, flag: string, instead: string): void {
  const seen = 'other users of this machine see words of a command, and the shell keeps them';
  warn(session, 'secret_in_words', [`${flag}: ${seen}; ${instead} reads it from a file`]);
}

/** `signs in with cookie: ••••`: what there is, for a line of a list; none of it is a value. */
export function requestWords(request: RequestReport | undefined): string[] {
  if (!request) return [];
  const {
    headers,
    body_bytes: bytes,
    headers_from: command,
    proxy,
    user_agent: name,
    timeout_seconds: seconds,
  } = request;
  return [
    ...(request.method === 'GET' ? [] : [request.method]),
    ...headers.map((header) => `${header}: ••••`),
    ...(bytes === null ? [] : [`a body of ${bytes} bytes`]),
    ...(command === null ? [] : [`headers from ${command}`]),
    ...(proxy === null ? [] : [`proxy ${proxy}`]),
    ...(name === null ? [] : [`user agent ${name}`]),
    ...(seconds === null ? [] : [`timeout ${seconds} s`]),
  ];
}

/** The same of what is asked for: before it is sent, nothing of it is shown either. */
export function askedWords({ method, headers, body, headers_from: command, ...others }: RequestChange): string[] {
  const names = Object.keys(headers ?? {}).map((name) => `${name.toLowerCase()}: ••••`);
  const isSent = typeof body === 'string' && body !== '';
  return [
    ...(method === 'POST' || (isSent && method !== 'GET') ? ['POST'] : []),
    ...names,
    ...(isSent ? [`a body of ${Buffer.byteLength(body)} bytes`] : []),
    ...(command ? ['headers from a command'] : []),
    ...(others.proxy ? ['a proxy'] : []),
    ...(others.user_agent ? [`user agent ${others.user_agent}`] : []),
    ...(others.timeout_seconds ? [`timeout ${others.timeout_seconds} s`] : []),
  ];
}
