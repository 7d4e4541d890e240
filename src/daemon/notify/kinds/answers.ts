import { STATUS_CODES } from 'node:http';
import {
  type Answered,
  type Configured,
  cutDetail,
  type HttpReply,
  isFailure,
  type Outcome,
  outcomeOf,
  type Texts,
} from '../sink-kind.ts';
import type { SinkFailure } from '../../../shared/api/notify.ts';

/** What a service means by an answer, where it means something else than HTTP does. */
export interface Meaning {
  readonly outcome: 'delivered' | SinkFailure;
  readonly detail?: string;
  readonly retryAfterMs?: number | undefined;
}

/** What came of a request. Nothing secret that the receiver repeats is in it. */
export function outcomeOfReply(
  reply: HttpReply,
  { options, secrets }: Pick<Configured, 'options' | 'secrets'>,
  meaningOf: (answer: Answered) => Meaning | undefined = () => undefined,
): Outcome {
  const clean = (text: string): string => withoutSecrets(text, secrets, options['user']);
  if (isFailure(reply)) return outcomeOf({ ...reply, failure: clean(reply.failure) });
  const { status } = reply;
  const answer = { ...reply, body: clean(reply.body) };
  const usual = outcomeOf(answer);
  const { outcome = usual.outcome, detail, retryAfterMs } = meaningOf(answer) ?? {};
  const said = { outcome, status, detail: cutDetail(detail ?? '') || usual.detail || phraseOf(status) };
  const waiting = bounded(retryAfterMs) ?? reply.retryAfterMs;
  return outcome === 'unavailable' && waiting !== undefined ? { ...said, retryAfterMs: waiting } : said;
}

/** As Retry-After is bounded. */
function bounded(ms: number | undefined): number | undefined {
  return ms === undefined || !Number.isFinite(ms) || ms < 0 ? undefined : Math.min(Math.ceil(ms), DAY_MS);
}

const DAY_MS = 24 * 3_600_000;

function phraseOf(status: number): string {
  if (status >= 300 && status < 400) {
    return `the server redirects (${status}), which is not followed; give the address that it leads to`;
  }
  return `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
}

/** The answer as JSON, as far as it is an object. */
export function jsonOf({ body }: Answered): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textIn(json: Readonly<Record<string, unknown>>, name: string): string {
  const value = json[name];
  return typeof value === 'string' ? value : '';
}

export function numberIn(json: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const value = json[name];
  return typeof value === 'number' ? value : undefined;
}

/** `user` and `password` as RFC 7617 has them. */
export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/**
 * A text that a receiver wrote, without the secrets that were sent to it: as they are, as they stand in a URL, in JSON and in
 * Basic authorization, and the parts of a secret address. Servers repeat a request in their errors.
 */
export function withoutSecrets(text: string, secrets: Texts, user = ''): string {
  const forms = [...new Set(Object.values(secrets).flatMap((value) => formsOf(value, user)))]
    .filter((form) => form !== '')
    .sort((one, other) => other.length - one.length);
  return withoutBeginning(
    forms.reduce((rest, form) => rest.replaceAll(form, HIDDEN), text),
    forms,
  );
}

const HIDDEN = '•••';
/** Characters of a part of an address that is no mere word of a path, and of the beginning of a secret. */
const PART = 6;
const BEGINNING = 4;

function formsOf(value: string, user: string): string[] {
  const parts = [value, ...partsOf(value)];
  return [
    ...parts.flatMap((part) => [part, encodeURIComponent(part), encodeURI(part), JSON.stringify(part).slice(1, -1)]),
    Buffer.from(value).toString('base64'),
    Buffer.from(`${user}:${value}`).toString('base64'),
    // As AUTH PLAIN has it (RFC 4616).
    Buffer.from(`\0${user}\0${value}`).toString('base64'),
  ];
}

/** Of what is an address, or a path: each piece that may be a secret by itself. */
function partsOf(value: string): string[] {
  const { host = '', hostname = '' } = URL.parse(value) ?? {};
  const pieces = value.replace(/^whsec_/, '').split(/[\s/?&=#:@,;]+/);
  const path = host === '' ? '' : value.slice(value.indexOf(host) + host.length);
  return [
    ...pieces.filter((piece) => piece.length >= PART && piece !== hostname && !/^[a-z]{1,11}$/.test(piece)),
    ...(path.length > 1 ? [path] : []),
  ];
}

/** An answer that was cut may end within a secret. */
function withoutBeginning(text: string, forms: readonly string[]): string {
  for (const form of forms) {
    for (let length = Math.min(form.length - 1, text.length); length >= BEGINNING; length -= 1) {
      if (text.endsWith(form.slice(0, length))) return `${text.slice(0, -length)}${HIDDEN}`;
    }
  }
  return text;
}
