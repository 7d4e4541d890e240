import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SinkReport, SinkTestReport } from '../../src/shared/api/notify.ts';
import { ChangingSite } from './changing-site.ts';
import { PhoneServer } from './phone-server.ts';
import { RealDaemon, until } from './real-daemon.ts';

/** `hydrant notify` as its operator uses it: the real program, a real daemon, and a stand-in of an ntfy server. */
let daemon: RealDaemon;
let site: ChangingSite;
let phone: PhoneServer;
let url: string;

beforeAll(async () => {
  daemon = await RealDaemon.start();
  site = await ChangingSite.start(1, 140, 'Ferry news');
  phone = await PhoneServer.start();
  [url = ''] = site.urls;
  await daemon.hydrant(['tap', 'create', 'news']);
  await daemon.hydrant(['rule', 'add', 'news', 'fox', '--no-quality', '--no-try', '--tag', 'foxes']);
  await daemon.hydrant(['crawl', 'add', url, '--every', '1d']);
  await visit();
});
afterAll(async () => {
  site.close();
  phone.close();
  await daemon.dispose();
});

/** Each of them is a change that the rule matches. */
const visit = async (): Promise<string> => daemon.hydrant(['crawl', 'visit', url, '--wait']);

const hydrant = async (...words: string[]) => daemon.run('hydrant', words);
const shown = async (name: string): Promise<SinkReport> =>
  JSON.parse(await daemon.hydrant(['notify', 'show', name, '--json'])) as SinkReport;
const secret = (name: string, text: string): string => {
  const file = join(daemon.dataDir, name);
  writeFileSync(file, `${text}\n`);
  return `@${file}`;
};

test('a sink is added and tested in one command, and what matches from then on arrives', async () => {
  const token = secret('token.txt', 'tk_hunter2');
  const added = await hydrant('notify', 'add', 'phone', 'ntfy', `${phone.origin}/ferries`, '--token', token, '--test');
  expect([added.exitCode, added.stdout]).toEqual([
    0,
    expect.stringMatching(`^phone: delivered \\(200\\) to ${phone.origin}/ferries in `),
  ]);
  expect(phone.of('ferries')).toHaveLength(1);
  expect(phone.headers[0]?.authorization).toBe('Bearer tk_hunter2');
  await visit();
  await until('the match is on the phone', () => phone.of('ferries').length > 1);
  expect(phone.of('ferries')[1]).toMatchObject({ title: expect.stringContaining('Ferry news'), click: url });
  expect(phone.of('ferries')[1]?.message).toContain('quick brown fox');
});

test('a secret is in nothing that is shown', async () => {
  const all = await Promise.all([
    daemon.hydrant(['notify', 'show', 'phone', '--json']),
    daemon.hydrant(['notify', 'log', 'phone', '--json']),
    daemon.hydrant(['notify', 'list', '--json']),
    daemon.hydrant(['export']),
    daemon.hydrant(['status', '--json']),
  ]);
  expect(all.filter((text) => text.includes('hunter2'))).toEqual([]);
  expect(daemon.log).not.toContain('hunter2');
  expect((await shown('phone')).secrets).toEqual(['token']);
});

test('what comes while it is paused waits, and is sent when it is resumed', async () => {
  await daemon.hydrant(['notify', 'pause', 'phone']);
  const before = phone.of('ferries').length;
  await visit();
  await until('the match waits', async () => (await shown('phone')).counts.behind > 0);
  expect([(await shown('phone')).state, phone.of('ferries').length]).toEqual(['paused', before]);
  await daemon.hydrant(['notify', 'resume', 'phone']);
  await until('it was sent', () => phone.of('ferries').length === before + 1);
});

test('it is edited: another target, its other fields and secrets stay', async () => {
  await daemon.hydrant(['notify', 'edit', 'phone', '--target', `${phone.origin}/harbour`, '-o', 'priority=5']);
  const { options, secrets } = await shown('phone');
  expect([options, secrets]).toEqual([{ url: phone.origin, topic: 'harbour', priority: '5' }, ['token']]);
  await daemon.hydrant(['notify', 'edit', 'phone', '--format', String.raw`{tap}/{rules}\n{title}`]);
  await visit();
  await until('the match is at the new topic', () => phone.of('harbour').length === 1);
  expect(phone.of('harbour')[0]?.message).toBe('news/foxes\nFerry news');
  await daemon.hydrant(['notify', 'edit', 'phone', '--format', 'none', '--query', 'NOT fox AND ferry']);
});

test('a replay sends what is kept once more, with the ids it had', async () => {
  await daemon.hydrant(['notify', 'edit', 'phone', '--query', 'none']);
  const [first] = phone.of('harbour');
  const { exitCode } = await hydrant('notify', 'replay', 'phone', '--since', '1h');
  expect(exitCode).toBe(0);
  await until(
    'it came again',
    () => phone.of('harbour').filter((one) => one.sequence_id === first?.sequence_id).length > 1,
  );
});

test('a receiver that refuses: test says so, the message is parked, and sent when it may be', async () => {
  phone.status = 403;
  const refused = await hydrant('notify', 'test', 'phone');
  expect([refused.exitCode, refused.stdout]).toEqual([1, expect.stringContaining('phone: refused (403) by ')]);
  const tested = await hydrant('notify', 'test', 'phone', '--json');
  expect(JSON.parse(tested.stdout) as SinkTestReport).toMatchObject({ outcome: 'refused', status: 403 });
  const log = await daemon.hydrant(['notify', 'log', 'phone', '--failures']);
  expect(log.split('\n')[0]).toMatch(/\trefused\t403\t1\ttest\t/);
  phone.status = 200;
});

test('a receiver that is away: status and doctor name the sink until it is back, and nothing is lost', async () => {
  const { length } = phone.of('harbour');
  phone.status = 503;
  await visit();
  await until('it fails', async () => (await shown('phone')).failing_since !== null);
  expect(await daemon.hydrant(['status'])).toMatch(
    /^sink {5}ntfy phone has failed for .*; see hydrant notify show phone$/m,
  );
  expect((await hydrant('doctor')).stdout).toMatch(/^warn {2}sinks {11}ntfy phone has failed for /m);
  expect(await daemon.hydrant(['notify', 'list', '--failing'])).toMatch(/\tphone\t.*\tfailing\t/);
  phone.status = 200;
  await daemon.hydrant(['notify', 'resume', 'phone']);
  await until('the match is on the phone', () => phone.of('harbour').length > length);
  await until('it is well', async () => (await shown('phone')).failing_since === null);
});

test('export, remove and apply put it back, without its secret, which is said', async () => {
  const exported = await daemon.hydrant(['export', '--sinks']);
  expect(exported).toMatch(/secrets:\n {6}- token$/);
  const nothing = await daemon.run('hydrant', ['apply', '-', '--dry-run'], exported);
  expect([nothing.stdout, nothing.stderr]).toEqual(['', expect.stringContaining('nothing to do')]);
  expect((await hydrant('notify', 'remove', 'phone', '--yes')).exitCode).toBe(0);
  expect((await hydrant('notify', 'list')).stdout).toBe('');
  const applied = await daemon.run('hydrant', ['apply', '-', '--yes'], exported);
  expect([applied.exitCode, applied.stdout]).toEqual([
    0,
    '+ sink phone: ntfy, without its secret token: hydrant notify edit phone --token @FILE',
  ]);
  await daemon.hydrant(['notify', 'edit', 'phone', '--token', secret('token.txt', 'tk_other')]);
  expect(await daemon.hydrant(['export', '--sinks'])).toBe(exported);
});

test('what is wrong is refused by the daemon as by the command line', async () => {
  const wrong = await hydrant('notify', 'add', 'other', 'ntfy', `${phone.origin}/a b`);
  expect([wrong.exitCode, wrong.stderr]).toEqual([6, expect.stringContaining('fields of ntfy: url (')]);
  const taken = await hydrant('notify', 'add', 'phone', 'ntfy', 'x');
  expect([taken.exitCode, taken.stderr]).toEqual([6, expect.stringContaining('phone')]);
  const tap = await hydrant('notify', 'add', 'other', 'ntfy', 'x', '--taps', 'nope');
  expect([tap.exitCode, tap.stderr]).toEqual([5, expect.stringContaining('known: news')]);
  for (const { stderr } of [wrong, taken, tap]) expect(stderr).not.toContain('this is a bug');
});

test('kinds lists what each is told', async () => {
  const kinds = (await daemon.hydrant(['notify', 'kinds'])).split('\n').map((line) => line.split('\t')[0]);
  expect(kinds).toContain('ntfy');
  expect(await daemon.hydrant(['notify', 'kinds', 'email'])).toMatch(/^email\thost,/);
});

test('a mail goes by the server that --smtp names, from who gets it unless another is said', async () => {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, { envelope: { mailFrom, rcptTo } }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = mailFrom === false ? '' : mailFrom.address;
        mails.push([from, ...rcptTo.map(({ address }) => address), Buffer.concat(chunks).toString()].join('\n'));
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const to = ['you@example.org', 'them@example.org', '--smtp', `127.0.0.1:${port}`, '-o', 'security=none'];
  expect(await daemon.hydrant(['notify', 'add', 'mail', 'email', ...to, '--taps', 'none', '--test'])).toMatch(
    /^mail: delivered \(250\) to you@example\.org, them@example\.org by 127\.0\.0\.1/,
  );
  expect(mails).toEqual([expect.stringMatching(/^you@example\.org\nyou@example\.org\nthem@example\.org\n/)]);
  expect(mails[0]).toMatch(/^Subject: .*mail/m);
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

test.each([
  ['README.md', ['npm ci', 'npm run hydrant -- serve']],
  ['docs/notifications.md', ['npm ci', 'npm run hydrant -- serve']],
  ['docs/quickstart.md', ['', '```sh']],
])('the commands of %s lead to a message on a phone', async (document, before) => {
  const page = readFileSync(join(import.meta.dirname, '../..', document), 'utf8');
  const added = /^(?:npm run hydrant -- |hydrant )(notify add (\S+) ntfy https:\/\/ntfy\.sh\/(\S+) --test)$/m.exec(
    page,
  );
  const [, command = '', name = '', topic = ''] = added ?? [];
  // Those before it are what installs and starts the daemon; the quickstart has them on its way there.
  expect(page.slice(0, added?.index).split('\n').slice(-3, -1)).toEqual(before);
  await hydrant('notify', 'remove', name, '--yes');
  const words = command.replace('https://ntfy.sh', phone.origin).split(' ');
  expect(await daemon.hydrant(words)).toMatch(/^phone: delivered \(200\) to /);
  expect(phone.of(topic).at(-1)?.title).toContain('phone');
});
