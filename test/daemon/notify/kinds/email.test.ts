import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { email } from '../../../../src/daemon/notify/kinds/email.ts';
import type { Outcome } from '../../../../src/daemon/notify/sink-kind.ts';
import { Transports } from '../../../../src/daemon/notify/transport.ts';
import { type Answer, type Received, type Receiver, sinkKindContract } from '../../../contract/sink-kind.ts';
import { SELF_SIGNED, Site } from '../../fetch/site.ts';
import { ofMail, readHtml } from '../html-reading.ts';
import { type Mail, readMail } from '../mail-reading.ts';
import { itemOf, messageOf } from '../messages.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/.exec(SELF_SIGNED)?.[0] ?? '';
const PASSWORD = 'a páss word';

class SmtpRefusal extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

interface Mailbox {
  readonly port: number;
  /** What the server says to the next mail; undefined: it is taken. */
  refusal: SmtpRefusal | undefined;
  readonly mails: {
    readonly raw: string;
    readonly to: readonly string[];
    readonly isSecure: boolean;
    readonly user: string | undefined;
  }[];
  readonly close: () => Promise<void>;
}

/** A real mail server on loopback, whose certificate is its own. */
async function mailbox(options: SMTPServerOptions = {}): Promise<Mailbox> {
  const mails: Mailbox['mails'] = [];
  const server = new SMTPServer({
    key: SELF_SIGNED,
    cert: SELF_SIGNED,
    logger: false,
    disableReverseLookup: true,
    onAuth: ({ username, password }, _, callback) => {
      if (username === 'me' && password === PASSWORD) callback(null, { user: username });
      else callback(new SmtpRefusal(535, `5.7.8 no ${String(password)} for ${String(username)}`));
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString();
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ raw, to, isSecure: session.secure, user: session.user as string | undefined });
        callback(box.refusal ?? null);
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  const box: Mailbox = {
    port,
    refusal: undefined,
    mails,
    close: () =>
      (closed ??= new Promise((resolve) => {
        server.close(resolve);
      })),
  };
  return box;
}

const HEADERS = 'from to subject message-id date mime-version content-type auto-submitted x-auto-response-suppress';

function read(mail: Mail, fault: (what: string) => void): Received {
  const names = [...mail.headers.keys()].filter((name) => !HEADERS.split(' ').includes(name));
  if (names.length > 0) fault(`headers ${names.join()}`);
  if (mail.headers.get('from') !== 'hydrant <hydrant@site.test>') fault(`from ${mail.headers.get('from') ?? ''}`);
  if (mail.headers.get('to') !== 'a@site.test, b@site.test') fault(`to ${mail.headers.get('to') ?? ''}`);
  if (!/^<msg_[^<>@\s]+@site\.test>$/.test(mail.headers.get('message-id') ?? '')) fault('message-id');
  const subject = mail.headers.get('subject') ?? '';
  if (subject === '' || subject.length > 200) fault('subject');
  const { text, links, alive } = readHtml(mail.html, ofMail);
  return { text: [subject, mail.text, text].join('\n'), links, alive };
}

const REFUSALS: Partial<Record<Answer, SmtpRefusal>> = {
  refuse: new SmtpRefusal(552, '5.3.4 message too big'),
  fail: new SmtpRefusal(451, '4.3.0 try again later'),
  repeat: new SmtpRefusal(550, `you said ${PASSWORD} ${Buffer.from(`\0me\0${PASSWORD}`).toString('base64')}`),
};

/** STARTTLS, a login, and two receivers. */
async function receiver(): Promise<Receiver> {
  let answer: Answer = 'accept';
  const box = await mailbox({
    onConnect: (_, callback) => callback(answer === 'hang up' ? new SmtpRefusal(421, 'bye') : undefined),
  });
  const faults: string[] = [];
  const received: Received[] = [];
  let seen = 0;
  const look = (): Received[] => {
    for (const { raw, to, isSecure, user } of box.mails.slice(seen)) {
      seen += 1;
      if (to.join() !== 'a@site.test,b@site.test') faults.push(`for ${to.join()}`);
      if (!isSecure || user !== 'me') faults.push('no TLS, or no login');
      received.push(read(readMail(raw), (what) => void faults.push(what)));
    }
    return received;
  };
  return {
    configured: {
      sinkId: 'snk1',
      name: 'mail',
      options: {
        host: 'site.test',
        port: String(box.port),
        from: 'hydrant@site.test',
        to: 'a@site.test, b@site.test',
        user: 'me',
        certificate: CERTIFICATE,
      },
      secrets: { password: PASSWORD },
    },
    get answer() {
      return answer;
    },
    set answer(next) {
      answer = next;
      box.refusal = REFUSALS[next];
    },
    get received() {
      return look();
    },
    get faults() {
      look();
      return faults;
    },
    cannot: ['gone', 'later'],
    isProgram: false,
    runs: 40,
    close: box.close,
  };
}

sinkKindContract('email', () => Promise.resolve(email), receiver);

const transports = new Transports({
  outside: { now: () => Date.now() },
  userAgent: 'hydrant/test',
  environment: {},
  resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
});

function send(
  port: number,
  different: { options?: Record<string, string>; secrets?: Record<string, string> } = {},
  message = messageOf(),
): Promise<Outcome> {
  const options = {
    host: 'site.test',
    port: String(port),
    from: 'hydrant@site.test',
    to: 'a@site.test',
    certificate: CERTIFICATE,
    ...different.options,
  };
  const configured = { sinkId: 's', name: 'n', options, secrets: different.secrets ?? {} };
  return email.send(message, configured, transports.open(new AbortController().signal));
}

async function opened(options?: SMTPServerOptions): Promise<Mailbox> {
  const box = await mailbox(options);
  onTestFinished(() => box.close());
  return box;
}

const anonymous = { authOptional: true };

describe('a mail', () => {
  test('goes over STARTTLS unless it is said otherwise', async () => {
    const box = await opened(anonymous);
    expect(await send(box.port)).toMatchObject({ outcome: 'delivered', status: 250 });
    expect(box.mails).toMatchObject([{ isSecure: true, to: ['a@site.test'] }]);
  });

  test('goes over TLS from the start', async () => {
    const box = await opened({ ...anonymous, secure: true });
    expect(await send(box.port, { options: { security: 'tls' } })).toMatchObject({ outcome: 'delivered' });
    expect(box.mails[0]?.isSecure).toBe(true);
  });

  test('goes without encryption only where that is said', async () => {
    const box = await opened({ ...anonymous, disabledCommands: ['STARTTLS'] });
    expect(await send(box.port)).toMatchObject({ outcome: 'unavailable' });
    expect(box.mails).toEqual([]);
    expect(await send(box.port, { options: { security: 'none' } })).toMatchObject({ outcome: 'delivered' });
    expect(box.mails[0]?.isSecure).toBe(false);
  });

  test('does not go to a server whose certificate is not trusted, or is for another name', async () => {
    const box = await opened(anonymous);
    const untrusted = await send(box.port, { options: { certificate: '' } });
    expect(untrusted).toMatchObject({
      outcome: 'unavailable',
      detail: 'the certificate of site.test is self-signed; if it is yours, set the field certificate to it',
    });
    expect(await send(box.port, { options: { host: 'other.test' } })).toMatchObject({ outcome: 'unavailable' });
    const byAddress = await send(box.port, { options: { host: '::1' } });
    expect(byAddress).toMatchObject({ outcome: 'unavailable', detail: expect.stringContaining('[::1]') as unknown });
    expect(box.mails).toEqual([]);
  });

  test('whose login is refused is refused, and the password in no word of it', async () => {
    const box = await opened();
    const outcome = await send(box.port, { options: { user: 'me' }, secrets: { password: 'wróng word' } });
    expect(outcome).toMatchObject({ outcome: 'refused', status: 535 });
    expect(outcome.detail).not.toContain('wróng');
  });

  test.each([
    [421, '4.3.2 closing', 'unavailable'],
    [450, '4.2.1 mailbox busy', 'unavailable'],
    [452, '4.3.1 disk full', 'unavailable'],
    [550, '5.1.1 no such user', 'refused'],
    [552, '5.3.4 too big', 'refused'],
    [552, '5.2.2 mailbox full', 'unavailable'],
    [554, '5.7.1 spam', 'refused'],
  ])('that is answered %d %s is %s', async (code, said, outcome) => {
    const box = await opened(anonymous);
    box.refusal = new SmtpRefusal(code, said);
    expect(await send(box.port)).toMatchObject({
      outcome,
      status: code,
      detail: expect.stringContaining(said) as unknown,
    });
  });

  test('that some receivers refuse is delivered to the others, and that is said', async () => {
    const box = await opened({
      ...anonymous,
      onRcptTo: ({ address }, _, callback) =>
        callback(address === 'b@site.test' ? new SmtpRefusal(550, 'no such user') : undefined),
    });
    const outcome = await send(box.port, { options: { to: 'a@site.test, b@site.test' } });
    expect(outcome).toMatchObject({
      outcome: 'delivered',
      detail: expect.stringContaining('not to 1 of the receivers') as unknown,
    });
  });

  test.each([
    ['closes at once', (_: (text: string) => void, end: () => void) => end()],
    ['speaks another language', (write: (text: string) => void) => write('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['answers without end', (write: (text: string) => void) => write(`220-${'x'.repeat(100_000)}`)],
  ])('to a server that %s is unavailable', async (_, answer) => {
    const site = await Site.listening((socket) =>
      answer(
        (text) => void socket.write(text),
        () => void socket.destroy(),
      ),
    );
    expect(await send(site.port)).toMatchObject({
      outcome: 'unavailable',
      detail: expect.stringMatching(/\w/) as unknown,
    });
  });

  test('to a server that says nothing is over with its time', async () => {
    const site = await Site.listening(() => undefined);
    const hasty = new Transports({
      outside: { now: () => 0 },
      userAgent: 'x',
      environment: {},
      attemptMs: 100,
      resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    });
    const configured = {
      sinkId: 's',
      name: 'n',
      options: { host: 'site.test', port: String(site.port), from: 'a@site.test', to: 'a@site.test' },
      secrets: {},
    };
    const outcome = await email.send(messageOf(), configured, hasty.open(new AbortController().signal));
    expect(outcome).toEqual({
      outcome: 'unavailable',
      detail: expect.stringContaining('was not done within 0.1 s') as unknown,
    });
    await site.vacated();
  });

  test('that is sent again has the id that it had', async () => {
    const box = await opened(anonymous);
    await send(box.port);
    await send(box.port);
    const ids = box.mails.map(({ raw }) => readMail(raw).headers.get('message-id'));
    expect(ids).toEqual(['<msg_snk1-0-42@site.test>', '<msg_snk1-0-42@site.test>']);
  });

  test('of several pieces is the digest: problems first, and pages that say the same as one story', async () => {
    const box = await opened(anonymous);
    const said = [{ typ: 'ins' as const, text: 'Copper rises to a new high after the strike ended in the north' }];
    const items = [
      itemOf({ lines: said, url: 'https://one.example/a' }),
      itemOf({ type: 'problem', title: 'The source fails', lines: [], labels: {} }),
      itemOf({ lines: said, url: 'https://two.example/b' }),
      itemOf({ title: 'Tin', url: 'https://tin.example/', labels: { tap: 'metals', rules: ['tin'] } }),
    ];
    await send(box.port, {}, messageOf({ type: 'digest', title: '4 pieces of news', items, more: 9 }));
    const { html, text } = readMail(box.mails[0]?.raw ?? '');
    const page = readHtml(html, ofMail);
    expect(page.text).toContain('The source fails');
    expect(page.text.indexOf('The source fails')).toBeLessThan(page.text.indexOf('Prices of copper'));
    expect(page.text).toContain('2 stories from 3 matches');
    expect(page.text.match(/Prices of copper/g)).toHaveLength(1);
    expect(page.links).toEqual([
      'https://news.example/copper?id=7',
      'https://one.example/a',
      'https://two.example/b',
      'https://tin.example/',
    ]);
    for (const form of [page.text, text]) expect(form).toContain('and 9 more');
    expect(text).toContain('2 stories from 3 matches');
  });

  test.each([
    ['from', 'me@example.com\r\nBcc: evil@evil.example'],
    ['from', 'Me <me@example.com>'],
    ['from', 'a@b@example.com'],
    ['to', 'a@example.com, "b" <c@example.com>'],
    ['to', 'a@example.com\nBcc: b@example.com'],
    ['to', Array.from({ length: 21 }, (_, index) => `a${index}@example.com`).join()],
    ['host', 'mail.example:25'],
    ['host', 'evil\r\nEHLO x'],
    ['certificate', 'no certificate'],
    ['security', 'ssl'],
  ])('a %s like %j is refused', (name, value) => {
    expect(email.fields.find((one) => one.name === name)?.check?.(value)).toContain('must');
  });

  test('a password goes nowhere without encryption, nor without a user', () => {
    const fault = (options: Record<string, string>, secrets: Record<string, string>) =>
      email.fault?.({ sinkId: 's', name: 'n', options, secrets });
    expect(fault({ user: 'me', security: 'none' }, { password: 'x' })).toContain('not sent without encryption');
    expect(fault({ user: 'me' }, {})).toBe('user and password belong together');
    expect(fault({ user: 'me' }, { password: 'x' })).toBeUndefined();
  });
});
