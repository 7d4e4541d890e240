import { hash } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import type { Configured, Message, MessageItem, Outcome, SinkKind, Texts } from '../sink-kind.ts';
import { cutDetail, isFailure } from '../sink-kind.ts';
import { networkProblem } from '../../fetch/network-error.ts';
import { withoutSecrets } from './answers.ts';
import { aNumber, field, oneOf, secret, words } from './fields.ts';
import {
  characters,
  cut,
  fittedLines,
  linesOf,
  linesOfPiece,
  type MessageLine,
  moreOf,
  plain,
  plainly,
  type Rendered,
  titleOf,
  webUrl,
} from '../message-lines.ts';
import { SINK_ATTEMPT_MS } from '../../../shared/limits.ts';
import { type Digest, digestOf } from '../../../shared/digest/digest.ts';
import { htmlOf, STYLE, toText } from '../../../shared/digest/forms.ts';
import { Fold } from '../../../shared/digest/stories.ts';
import { escaped, htmlPage } from '../../../shared/documents/markup.ts';

/** Characters of a subject (RFC 5322 asks for lines of at most 78) and of a text; receivers. */
const SUBJECT = 200;
const TEXT = 60_000;
const RECEIVERS = 20;
/** Stories of a digest, the newest; it says how many there are. */
const STORIES = 500;
const PORTS: Texts = { starttls: '587', tls: '465', none: '25' };

/**
 * A mail over SMTP, as text and as HTML; several pieces of news are the digest of `hydrant digest`. The connection is made by our
 * own guard, TLS and SMTP by nodemailer. `Message-ID` is made of the id of the message: servers put away a mail that comes twice.
 *
 * https://nodemailer.com/smtp
 * https://www.rfc-editor.org/rfc/rfc5321#section-4.2.1 (reply codes), https://www.rfc-editor.org/rfc/rfc3463 (enhanced codes)
 */
export const email: SinkKind = {
  name: 'email',
  fields: [
    field('host', 'the SMTP server', { isRequired: true, check: aHost }),
    field('port', 'its port; 587 unless given, 465 with tls, 25 with none', { check: aNumber(1, 65_535) }),
    field('security', 'starttls (unless given), tls from the start, or none', {
      check: oneOf('starttls', 'tls', 'none'),
    }),
    field('from', 'the address that mails are from', { isRequired: true, check: anAddress }),
    field('to', 'the addresses that they are for, parted by commas', { isRequired: true, check: addresses }),
    field('user', 'the user, where the server asks for one', { check: aLogin }),
    secret('password', 'the password of the user', { check: aLogin }),
    field('certificate', 'the certificate of a server that no authority signed, or of its own authority, as PEM', {
      isMultiline: true,
      check: aCertificate,
    }),
  ],
  target: ({ to = '', host = '' }) => `${to} by ${host}`,
  escape: plain,
  fault: ({ options, secrets }) => {
    if ((options['user'] === undefined) !== (secrets['password'] === undefined))
      return 'user and password belong together';
    return options['security'] === 'none' && options['user'] !== undefined
      ? 'a password is not sent without encryption: leave security out, or user and password'
      : undefined;
  },
  send: async (message, configured, transport) => {
    const { options } = configured;
    const { host = '', security = 'starttls' } = options;
    const socket = await transport.connect(host, Number(options['port'] ?? PORTS[security]));
    if (isFailure(socket)) return { outcome: 'unavailable', detail: cutDetail(socket.failure) };
    try {
      return await sent(message, configured, socket);
    } finally {
      socket.destroy();
      transport.signal.throwIfAborted();
    }
  },
};

async function sent(message: Message, { options, secrets }: Configured, socket: Socket): Promise<Outcome> {
  const { host = '', security = 'starttls', from = '' } = options;
  const clean = (text: string): string => cutDetail(withoutSecrets(text, secrets, options['user']));
  const mailer = createTransport({
    host,
    // Of a connection that stands: what is called by that name is never looked up again.
    getSocket: (_: unknown, callback: (error: Error | null, socket?: { connection: Socket }) => void) => {
      callback(null, { connection: socket });
    },
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    name: domainOf(from),
    tls: {
      minVersion: 'TLSv1.2',
      ...(isIP(host) === 0 && { servername: host }),
      ...(options['certificate'] !== undefined && { ca: options['certificate'] }),
    },
    ...(options['user'] !== undefined && { auth: { user: options['user'], pass: secrets['password'] ?? '' } }),
    connectionTimeout: SINK_ATTEMPT_MS,
    greetingTimeout: SINK_ATTEMPT_MS,
    socketTimeout: SINK_ATTEMPT_MS,
    maxResponseSize: ANSWER_BYTES,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { response, rejected } = await mailer.sendMail(mailOf(message, options));
    const left = rejected.length > 0 ? `; not to ${rejected.length} of the receivers` : '';
    return { outcome: 'delivered', status: codeIn(response) ?? 250, detail: clean(`${response}${left}`) };
  } catch (error) {
    return failureOf(error, host, clean);
  } finally {
    mailer.close();
  }
}

/** Bytes of one reply of a server. */
const ANSWER_BYTES = 16 * 1_024;

interface SmtpError extends Error {
  readonly code?: string;
  /** Of the network or of TLS, where nodemailer has put its own in its place. */
  readonly originalCode?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

/**
 * 4yz is tried again, and so is a full mailbox (552 5.2.2), which is emptied some day, and a server without TLS: neither is about
 * this mail. What has no reply is the network.
 */
function failureOf(error: unknown, host: string, clean: (text: string) => string): Outcome {
  if (!(error instanceof Error)) throw error;
  const { responseCode: status, response = '', code }: SmtpError = error;
  if (status === undefined) return { outcome: 'unavailable', detail: clean(reasonOf(error, host)) };
  const isFinal = status >= 500 && status !== 503 && code !== 'ETLS' && !/\b5\.2\.2\b/.test(response);
  return { outcome: isFinal ? 'refused' : 'unavailable', status, detail: clean(response) };
}

/** In our words where it is one of those that requests end with, too. */
function reasonOf({ code, originalCode, message }: SmtpError, host: string): string {
  const server = new URL(`smtp://${isIP(host) === 6 ? `[${host}]` : host}`);
  const cause = Object.assign(new Error(message), { code: originalCode });
  const problem = originalCode === undefined ? undefined : networkProblem(cause, server);
  if (problem?.reason === 'tls') return `${problem.message}; if it is yours, set the field certificate to it`;
  return problem?.message ?? `${host}: ${message} (${code ?? 'no code'})`;
}

function codeIn(response: string): number | undefined {
  const [code] = /^\d{3}/.exec(response) ?? [];
  return code === undefined ? undefined : Number(code);
}

function mailOf(message: Message, options: Texts) {
  const { from = '', to = '' } = options;
  return {
    // Objects: nothing in them is read as a list of addresses.
    from: { name: 'hydrant', address: from },
    to: words(to).map((address) => ({ name: '', address })),
    subject: titleOf(message, SUBJECT),
    messageId: `<${message.id}@${domainOf(from)}>`,
    text: textOf(message),
    html: htmlMail(message),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

function textOf(message: Message): string {
  const room = { most: TEXT, lengthOf: characters };
  if (message.text !== undefined) return cut(message.text, room);
  const { others, stories } = partsOf(message);
  if (stories.length === 0) {
    const url = webUrl(message.url);
    const lines = fittedLines(linesOf(message), plainly, room).map(plainly);
    return [titleOf(message), ...(url === undefined ? [] : [url]), '', ...lines].join('\n');
  }
  const about = fittedLines(others.flatMap(linesOfPiece), plainly, room).map((line) => `${plainly(line)}\n`);
  return cut(`${about.join('')}\n${toText(digest(message, stories))}${moreOf(message)}`.trimStart(), room);
}

/** Stories are those of a digest: what is alone is told with all its lines. */
function partsOf({ items }: Message): {
  readonly others: readonly MessageItem[];
  readonly stories: readonly MessageItem[];
} {
  const stories = items.length < 2 ? [] : items.filter(isStory);
  // Problems come first: they are about us, and not about a page.
  return { others: items.filter((item) => !stories.includes(item)), stories };
}

function htmlMail(message: Message): string {
  const title = titleOf(message, SUBJECT);
  return htmlPage({ title, language: 'en', style: `${STYLE}${MORE_STYLE}`, body: bodyOf(message) });
}

const MORE_STYLE =
  'ins { text-decoration: none; background: #dfd; } del { background: #fdd; } .template { white-space: pre-wrap; }\n';

function bodyOf(message: Message): string {
  if (message.text !== undefined) {
    const lines = cut(message.text, { most: TEXT, lengthOf: characters }).split('\n').map(escaped);
    return `<div class="template">${lines.join('\n')}</div>`;
  }
  const { others, stories } = partsOf(message);
  if (stories.length === 0) {
    const url = webUrl(message.url);
    const title = htmlLine({ kind: 'item', text: titleOf(message), ...(url !== undefined && { url }) });
    return `<h1>${title}</h1>\n${paragraphs(linesOf(message))}`;
  }
  const about = paragraphs(others.flatMap(linesOfPiece));
  return [about, htmlOf(digest(message, stories)), `<p class="about">${moreOf(message)}</p>`].join('\n');
}

function paragraphs(lines: readonly MessageLine[]): string {
  const shown = fittedLines(lines, htmlLine, { most: TEXT, lengthOf: characters });
  return shown.map((line) => `<p>${htmlLine(line)}</p>`).join('\n');
}

const htmlLine: Rendered = ({ kind, text, url }) => {
  const said = escaped(text);
  if (kind === 'item') return url === undefined ? said : `<a href="${escaped(url)}">${said}</a>`;
  if (kind === 'about') return `<span class="about">${said}</span>`;
  return kind === 'ins' ? `<ins>+ ${said}</ins>` : `<del>- ${said}</del>`;
};

function isStory(item: MessageItem): boolean {
  return (item.type === 'match' || item.type === 'change') && webUrl(item.url) !== undefined;
}

/** Those of `hydrant digest`: pages that say the same are one story. */
function digest(message: Message, items: readonly MessageItem[]): Digest {
  const fold = new Fold((data) => hash('sha1', data));
  for (const [index, item] of items.entries()) {
    const { url = '', at, lines, labels, type } = item;
    const tags = type === 'match' ? labels.rules : labels.tags;
    const tap = labels.tap ?? 'watches';
    fold.add({
      id: `${message.id}-${index}`,
      tapId: tap,
      tap,
      at,
      url: webUrl(url) ?? url,
      title: titleOf(item),
      tags: tags && tags.length > 0 ? tags : [tap],
      categories: [],
      chunks: lines,
    });
  }
  const times = items.map(({ at }) => Date.parse(at)).filter((at) => !Number.isNaN(at));
  const facts = {
    title: titleOf(message),
    since: Math.min(...times),
    until: Math.max(...times),
    keptFrom: undefined,
    matches: items.filter(({ type }) => type === 'match').length,
    olderMatches: 0,
  };
  return digestOf(fold, facts, { by: 'tag', limit: STORIES });
}

function aHost(value: string): string | undefined {
  const isName = /^(?=.{1,253}$)[A-Za-z0-9](?:[-A-Za-z0-9.]*[A-Za-z0-9])?\.?$/.test(value);
  return isName || isIP(value) !== 0 ? undefined : 'must be the name or the address of a server, without a port';
}

/** Stricter than RFC 5321: what is left out is in no address that is in use, and hides other addresses in headers. */
function anAddress(value: string): string | undefined {
  const isOne =
    value.length <= 254 &&
    /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[-A-Za-z0-9.]*[A-Za-z0-9])?$/.test(value);
  return isOne ? undefined : 'must be an address of mail, without a name: me@example.com';
}

function addresses(value: string): string | undefined {
  const all = words(value);
  const areWell = all.length >= 1 && all.length <= RECEIVERS && all.every((one) => anAddress(one) === undefined);
  return areWell ? undefined : `must be at most ${RECEIVERS} addresses of mail, parted by commas`;
}

function aLogin(value: string): string | undefined {
  return /^\P{Cc}{1,1000}$/u.test(value) ? undefined : 'must be one line of at most 1,000 characters';
}

function aCertificate(value: string): string | undefined {
  return /^-----BEGIN CERTIFICATE-----\r?\n[\s\S]+\r?\n-----END CERTIFICATE-----\s*$/.test(value)
    ? undefined
    : 'must be PEM, from BEGIN CERTIFICATE to END CERTIFICATE';
}
