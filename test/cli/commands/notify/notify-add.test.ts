import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeDaemon, type Ran, run, type RunOptions } from '../../harness.ts';
import { KINDS, PHONE, TEAM } from './sink-sample.ts';

let daemon: FakeDaemon;
let directory: string;
beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'hydrant-notify-'));
  daemon = await FakeDaemon.onSocket();
  daemon.on('GET /admin/sink-kinds', 200, { data: KINDS }).on('GET /admin/sinks', 200, { data: [PHONE, TEAM] });
  daemon.on('POST /admin/sinks', 201, { data: PHONE });
  daemon.on(`PATCH /admin/sinks/${PHONE.id}`, 200, { data: PHONE });
  daemon.on(`PATCH /admin/sinks/${TEAM.id}`, 200, { data: TEAM });
});
afterEach(async () => {
  rmSync(directory, { recursive: true, force: true });
  await daemon.stop();
});

const notify = (words: readonly string[], options: RunOptions = {}): Promise<Ran> =>
  run(['notify', ...words], { ...options, env: { HYDRANT_DATA_DIR: daemon.directory } });

/** What a sink is made of by these words. */
async function made(...words: string[]): Promise<unknown> {
  const { code, stderr } = await notify(['add', ...words]);
  expect([code, stderr]).toEqual([0, expect.stringContaining('phone sends to')]);
  return daemon.sent('POST /admin/sinks').at(-1)?.body;
}

/** What was sent that changes something. */
const changes = (): unknown[] => daemon.received.filter(({ method }) => method !== 'GET');

function file(text: string): string {
  const name = path.join(directory, 'secret.txt');
  writeFileSync(name, text);
  return name;
}

describe('hydrant notify add', () => {
  test('says what it made and how to try it', async () => {
    const { code, stdout, stderr } = await notify(['add', 'phone', 'ntfy', 'https://ntfy.sh/my-topic']);
    expect([code, stdout, stderr]).toEqual([
      0,
      '',
      'phone sends to https://ntfy.sh/my-topic: matches of all taps; changes of all watches; ' +
        'problems after 3 failures in a row, and their end; as it comes\nnext: hydrant notify test phone\n',
    ]);
    expect((await notify(['add', 'phone', 'ntfy', 'my-topic', '--json'])).stdout).toBe(`${JSON.stringify(PHONE)}\n`);
  });

  test.each([
    [['https://ntfy.sh/my-topic'], { url: 'https://ntfy.sh', topic: 'my-topic' }],
    [['ntfy.sh/my-topic'], { url: 'https://ntfy.sh', topic: 'my-topic' }],
    [['http://ntfy.lan:8080/base/my-topic/'], { url: 'http://ntfy.lan:8080/base', topic: 'my-topic' }],
    [['my-topic'], { topic: 'my-topic' }],
    [['my-topic', '--option', 'url=http://ntfy.lan'], { url: 'http://ntfy.lan', topic: 'my-topic' }],
    [['-o', 'topic=my-topic', '-o', 'priority=5'], { topic: 'my-topic', priority: '5' }],
  ])('ntfy takes %j', async (words, options) => {
    expect(await made('phone', 'ntfy', ...words)).toEqual({ name: 'phone', kind: 'ntfy', options, secrets: {} });
  });

  test('email takes addresses and a server, and is from whose account it is', async () => {
    const secret = file('hunter2\n');
    const words = ['--smtp', 'smtp.example.org:465', '--user', 'me@example.org', '--password', `@${secret}`];
    expect(await made('mail', 'email', 'you@example.org', 'him@example.org', ...words)).toMatchObject({
      options: {
        host: 'smtp.example.org',
        port: '465',
        security: 'tls',
        from: 'me@example.org',
        to: 'you@example.org, him@example.org',
        user: 'me@example.org',
      },
      secrets: { password: 'hunter2' },
    });
    const certificate = `certificate=@${file('-----BEGIN\nCERTIFICATE-----\n')}`;
    expect(await made('mail', 'email', 'a@b.example', '--smtp', 'localhost', '-o', certificate)).toMatchObject({
      options: { certificate: '-----BEGIN\nCERTIFICATE-----\n' },
    });
    const alone = ['--to', 'you@example.org', '--to', 'him@example.org', '--smtp', 'localhost'];
    expect(await made('mail', 'email', ...alone)).toMatchObject({
      options: { host: 'localhost', from: 'you@example.org', to: 'you@example.org, him@example.org' },
      secrets: {},
    });
  });

  test('exec names a program by its whole path, and keeps words apart', async () => {
    expect(await made('script', 'exec', './on-match.sh')).toMatchObject({
      options: { command: path.resolve('on-match.sh') },
    });
    expect(await made('script', 'exec', '--', '/usr/bin/logger', '-t', 'two words')).toMatchObject({
      options: { command: '["/usr/bin/logger","-t","two words"]' },
    });
    expect(await made('script', 'exec', 'logger --tag hydrant')).toMatchObject({
      options: { command: 'logger --tag hydrant' },
    });
  });

  test('a URL of a webhook from a file stays a secret', async () => {
    expect(await made('hook', 'webhook', 'https://ha.lan:8123/hook')).toMatchObject({
      options: { url: 'https://ha.lan:8123/hook' },
    });
    const secret = file('https://ha.lan:8123/api/webhook/abc?x=1\n');
    expect(await made('hook', 'webhook', `@${secret}`)).toMatchObject({
      options: { url: 'https://ha.lan:8123' },
      secrets: { path: '/api/webhook/abc?x=1' },
    });
    expect(await made('team', 'slack', `@${secret}`)).toMatchObject({
      options: {},
      secrets: { url: 'https://ha.lan:8123/api/webhook/abc?x=1' },
    });
  });

  test('matrix takes the server and the room in either order; pushover nothing', async () => {
    const token = ['--token', `@${file('t')}`];
    const options = { url: 'https://matrix.example.org', room: '!a:example.org' };
    expect(await made('m', 'matrix', options.url, options.room, ...token)).toMatchObject({ options });
    expect(await made('m', 'matrix', options.room, options.url, ...token)).toMatchObject({ options });
    expect(await made('p', 'pushover', '--user', `@${file('u')}`, ...token)).toMatchObject({
      options: {},
      secrets: { token: 'u', user: 'u' },
    });
  });

  test('reads a secret from stdin', async () => {
    await notify(['add', 'phone', 'ntfy', 'my-topic', '--token', '-'], { input: 'tk_1\n' });
    expect(daemon.sent('POST /admin/sinks')[0]?.body).toMatchObject({ secrets: { token: 'tk_1' } });
  });

  test('what it carries and when', async () => {
    const words = ['--taps', 'news, jobs', '--query', 'ferry', '--watches', 'tag:shop,eu', '--problems', 'none'];
    const when = ['--digest', '08:00', '--quiet-hours', '22:00-07:00', '--zone', 'Europe/Berlin', '--at-most', '20/h'];
    expect(await made('phone', 'ntfy', 'x', ...words, ...when, '--format', String.raw`{title}\n{url}`)).toEqual({
      name: 'phone',
      kind: 'ntfy',
      options: { topic: 'x' },
      secrets: {},
      taps: ['news', 'jobs'],
      query: 'ferry',
      watches: { tags: ['shop', 'eu'] },
      problems: null,
      digest: '08:00',
      quiet: '22:00-07:00',
      zone: 'Europe/Berlin',
      at_most: '20/h',
      template: '{title}\n{url}',
    });
    expect(await made('phone', 'ntfy', 'x', '--taps', 'none', '--watches', 'all', '--problems', '5')).toMatchObject({
      taps: [],
      watches: 'all',
      problems: { after: 5 },
    });
  });

  test('--test sends a message, and its outcome is the exit code', async () => {
    const delivered = { outcome: 'delivered', status: 200, detail: '', ms: 87.4, message_id: 'test_1' };
    daemon.on(`POST /admin/sinks/${PHONE.id}/test`, 200, { data: delivered });
    expect(await notify(['add', 'phone', 'ntfy', 'x', '--test'])).toMatchObject({
      code: 0,
      stdout: 'phone: delivered (200) to https://ntfy.sh/my-topic in 87 ms\n',
    });
    const json = (await notify(['add', 'phone', 'ntfy', 'x', '--test', '--json'])).stdout;
    expect(JSON.parse(json)).toEqual({ ...PHONE, test: delivered });
  });

  test('a secret is never a word of the command, and is in no error', async () => {
    for (const words of [
      ['phone', 'ntfy', 'x', '--token', 'tk_hunter2'],
      ['phone', 'ntfy', 'x', '--option', 'token=tk_hunter2'],
      ['team', 'slack', 'https://hooks.slack.com/services/hunter2'],
    ]) {
      const { code, stdout, stderr } = await notify(['add', ...words]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/is a secret, and words of a command are seen by other users/);
      expect(stderr).toMatch(/@FILE reads it from a file/);
      expect(stderr).not.toContain('hunter2');
    }
    expect(changes()).toEqual([]);
  });

  test.each([
    'phone ntfy https://me:hunter2@ntfy.sh/',
    'team slack a https://hooks.slack.com/services/hunter2',
    'team slack https://hooks.slack.com/hunter2 -o url=hunter2',
    'p pushover hunter2',
    'slack https://hooks.slack.com/services/hunter2',
    'team https://hooks.slack.com/services/hunter2 slack',
    'phone ntfy x --option hunter2',
  ])('what may be a secret is not repeated: %s', async (words) => {
    const { code, stdout, stderr } = await notify(['add', ...words.split(' ')]);
    expect([code, stdout, stderr]).toEqual([2, '', expect.not.stringContaining('hunter2')]);
    expect(changes()).toEqual([]);
  });

  test('what is missing is named with the way to give it', async () => {
    const rows: readonly (readonly [readonly string[], RegExp, RegExp])[] = [
      [
        ['phone', 'ntfy'],
        /^error: ntfy needs its topic: the topic/,
        /give the address of a topic, .*, behind ntfy; all/,
      ],
      [['mail', 'email', 'a@example.org'], /^error: email needs its host: the SMTP server/, /give --smtp VALUE;/],
      [['team', 'slack'], /^error: slack needs its url/, /@FILE, or - for stdin, behind slack;/],
      [['p', 'pushover'], /^error: pushover needs its token/, /give --token @FILE;/],
    ];
    for (const [words, error, hint] of rows) {
      const { code, stderr } = await notify(['add', ...words]);
      expect(code).toBe(2);
      expect(stderr).toMatch(error);
      expect(stderr).toMatch(hint);
    }
  });

  test('what the daemon refuses of a field is told with the fields', async () => {
    const refused = await FakeDaemon.onSocket();
    refused.on('GET /admin/sink-kinds', 200, { data: KINDS });
    refused.on('POST /admin/sinks', 422, { message: 'The topic is none.', errors: { 'options.topic': ['…'] } });
    const env = { HYDRANT_DATA_DIR: refused.directory };
    const { code, stderr } = await run(['notify', 'add', 'phone', 'ntfy', 'x'], { env });
    expect([code, stderr]).toEqual([6, expect.stringContaining('error: The topic is none.')]);
    expect(stderr).toContain('fields of ntfy: url (the address of the ntfy server); topic (needed: ');
    await refused.stop();
  });
});

describe('wrong words', () => {
  test.each([
    ['phone ntfi x', /there is no kind `ntfi` of sinks/, /did you mean ntfy\?/],
    ['ntfy my-topic', /the name is missing: it stands before the kind/, /try: {2}hydrant notify add my-ntfy ntfy …/],
    ['phone mail x', /there is no kind `mail`/, /did you mean email\?/],
    ['phone pigeon x', /there is no kind `pigeon`/, /kinds: webhook, ntfy, exec/],
    ['phone ntfy https://ntfy.sh/', /has no topic/, /looks like https:\/\/ntfy\.sh\/my-topic/],
    ['phone ntfy a b', /more words behind the kind than it takes/, /see: hydrant notify add --help/],
    ['phone ntfy https://me:pw@ntfy.sh/x', /a password is a secret/, /--user NAME --password @FILE/],
    ['phone ntfy x --option topik=y', /ntfy has no field `topik`/, /did you mean `topic`\?/],
    ['phone ntfy x --smtp mail.lan', /ntfy has no field `host`/, /its fields: url \(/],
    ['phone ntfy x --option topic', /--option takes FIELD=VALUE/, /hydrant notify kinds/],
    ['phone ntfy x --option topic=y', /the field topic is given twice/, /./],
    ['phone pushover x', /nothing stands behind pushover/, /hydrant notify kinds pushover/],
    ['m email a@b.c --smtp x@y', /is not a mail server/, /smtp\.example\.org:587/],
    ['phone ntfy x --zone berlin', /--zone must be an IANA time zone/, /did you mean Europe\/Berlin\?/],
    ['phone ntfy x --zone Europe/Berlln', /IANA/, /did you mean Europe\/Berlin\?/],
    ['phone ntfy x --zone +02:00', /--zone must be an IANA time zone/, /./],
    ['phone ntfy x --quiet-hours 22-7', /--quiet-hours must be a window such as 22:00-07:00/, /./],
    ['phone ntfy x --quiet-hours 22:00-22:00', /must not begin and end at the same time/, /./],
    ['phone ntfy x --quiet 22:00-07:00', /--quiet prints ids only/, /--quiet-hours 22:00-07:00/],
    ['phone ntfy x --template {title}', /--template forms what this command prints/, /--format/],
    ['phone ntfy x --digest 2m', /--digest must be an interval from 5m to 7d/, /./],
    ['phone ntfy x --digest 8:00', /or a time of day such as 08:00/, /./],
    ['phone ntfy x --at-most 20', /--at-most must be a number of messages in a time, from 1 to 200/, /./],
    ['phone ntfy x --problems 0', /--problems must be none, or failures in a row from 1/, /./],
    ['phone ntfy x --watches shop', /--watches must be all, none, or tag:a,b/, /--watches tag:shop/],
    ['phone ntfy x --format {titel}', /--format has no field `titel`; fields are title, url/, /./],
    ['phone ntfy x --format {title', /has a `\{` that stands alone; a brace is written `\{\{`/, /./],
    ['phone ntfy x --taps ,', /--taps must be all, none, or names of taps/, /./],
    ['phone ntfy x --password', /ntfy: there is no terminal to ask on/, /--password @FILE/],
  ])('%s', async (words, error, hint) => {
    const { code, stdout, stderr } = await notify(['add', ...words.split(' ')]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(error);
    expect(stderr).toMatch(hint);
    expect(changes()).toEqual([]);
  });

  test('a query is shown with what is wrong in it', async () => {
    const { code, stderr } = await notify(['add', 'phone', 'ntfy', 'x', '--query', 'titel:ferry']);
    expect(code).toBe(1);
    expect(stderr).toContain('error: --query: There is no field titel.');
    expect(stderr).toContain('titel:ferry\n  ^^^^^\n');
    expect(daemon.received).toEqual([]);
  });

  test('a saved filter that there is not is shown in its place, for new sinks and for old ones', async () => {
    const other = await FakeDaemon.onSocket();
    const span = { start: 10, end: 15 };
    const found = {
      severity: 'error',
      code: 'unknown_filter',
      message: 'There is no filter $junk.',
      field: null,
      span,
    };
    const body = { message: 'There is no filter $junk.', errors: { query: ['…'] }, diagnostics: [found] };
    other.on('GET /admin/sink-kinds', 200, { data: KINDS }).on('GET /admin/sinks', 200, { data: [PHONE] });
    other.on('POST /admin/sinks', 422, body).on(`PATCH /admin/sinks/${PHONE.id}`, 422, body);
    for (const words of [
      ['add', 'phone', 'ntfy', 'x'],
      ['edit', 'phone'],
    ]) {
      const env = { HYDRANT_DATA_DIR: other.directory };
      const { code, stderr } = await run(['notify', ...words, '--query', 'ferry NOT $junk'], { env });
      expect([code, stderr]).toEqual([1, expect.stringContaining('  ferry NOT $junk\n            ^^^^^\n')]);
    }
    await other.stop();
  });

  test('with a management key it says where it works', async () => {
    const env = { HYDRANT_URL: 'http://127.0.0.1:1', HYDRANT_KEY: 'svcm_x' };
    const { code, stderr } = await run(['notify', 'list'], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining("`hydrant notify` works on the daemon's own machine")]);
    expect(stderr).toContain('hydrant context add NAME ssh://user@host');
  });
});

describe('hydrant notify edit', () => {
  const sent = (sink: typeof PHONE): unknown => daemon.sent(`PATCH /admin/sinks/${sink.id}`).at(-1)?.body;

  test('changes settings of several sinks, and takes them away', async () => {
    const { code, stderr } = await notify(['edit', 'phone', 'team', '--digest', 'none', '--at-most', '5/m']);
    expect(code).toBe(0);
    expect(stderr).toContain('next: hydrant notify show team\n');
    const change = { digest: null, at_most: '5/m' };
    expect([sent(PHONE), sent(TEAM)]).toEqual([change, change]);
  });

  test('keeps the fields that were not named', async () => {
    await notify(['edit', 'phone', '-o', 'priority=5', '--token', `@${file('tk_2')}`, '--name', 'mobile']);
    const { options } = PHONE;
    expect(sent(PHONE)).toEqual({ name: 'mobile', options: { ...options, priority: '5' }, secrets: { token: 'tk_2' } });
    await notify(['edit', 'phone', '--target', 'http://ntfy.lan/other']);
    expect(sent(PHONE)).toEqual({ options: { url: 'http://ntfy.lan', topic: 'other' } });
  });

  test.each([
    [['phone'], /nothing to change/],
    [['phone', 'nope', '--digest', '1h'], /there is no sink `nope`/],
    [['phone', 'team', '--name', 'x'], /--name names one sink, and these are 2/],
    [['phone', 'team', '-o', 'url=x'], /sinks of several kinds, which have no fields in common: ntfy, slack/],
  ])('%j is refused and changes nothing', async (words, error) => {
    const { code, stderr } = await notify(['edit', ...words]);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(error);
    expect(changes()).toEqual([]);
  });
});
