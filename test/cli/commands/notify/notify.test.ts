import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ParkedMessage, SinkLogEntry } from '../../../../src/shared/api/notify.ts';
import { widthOf } from '../../../../src/cli/text/table.ts';
import { FakeDaemon, type Ran, run, type RunOptions } from '../../harness.ts';
import { KINDS, PHONE, TEAM } from './sink-sample.ts';

const ATTEMPT: SinkLogEntry = {
  n: 7,
  at: '2026-02-27T00:00:00.000Z',
  message_id: 'm_1',
  type: 'match',
  title: 'Ferry\u001b[31m at nine',
  attempt: 2,
  outcome: 'unavailable',
  status: 503,
  detail: 'busy',
  ms: 12,
};
const DELIVERED: SinkLogEntry = { ...ATTEMPT, n: 6, attempt: 1, outcome: 'delivered', status: 200, detail: '' };
const PARKED: ParkedMessage = {
  n: 3,
  message_id: 'm_2',
  type: 'change',
  title: 'Prices',
  url: 'https://example.org/prices',
  parked_at: '2026-02-27T00:00:00.000Z',
  error: { at: '2026-02-27T00:00:00.000Z', outcome: 'refused', status: 413, detail: 'too long' },
};

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = await FakeDaemon.onSocket();
  daemon.on('GET /admin/sinks', 200, { data: [PHONE, TEAM] });
});
afterEach(async () => daemon.stop());

const notify = (words: readonly string[], options: RunOptions = {}): Promise<Ran> =>
  run(['notify', ...words], { ...options, env: { HYDRANT_DATA_DIR: daemon.directory } });

/** What was sent that changes something. */
const changes = (): string[] =>
  daemon.received.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);

describe('hydrant notify list', () => {
  test('has those first that fail, on 80 columns', async () => {
    const { stdout } = await notify(['list', '--no-color'], { columns: 80 });
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/^\S* *team +slack +a webhook of S\S* +dead \d+ d.* 1,204 +2 /);
    expect(lines[2]).toMatch(/^\S* *phone +ntfy +https:\/\/ntf.* active +0/);
    expect(lines.filter((line) => widthOf(line) > 80)).toEqual([]);
  });

  test('is tab-separated in a pipe, with whole ids and instants', async () => {
    const { stdout } = await notify(['list', '--failing']);
    const cells = [TEAM.id, 'team', 'slack', 'a webhook of Slack', 'dead', '1204', '2', '2026-02-19T00:00:00.000Z'];
    expect(stdout).toBe(`${cells.join('\t')}\n`);
    expect((await notify(['list', '-q'])).stdout).toBe(`${TEAM.id}\n${PHONE.id}\n`);
    expect(JSON.parse((await notify(['list', '--json'])).stdout)).toEqual([TEAM, PHONE]);
  });

  test('says how to begin, and that none fails', async () => {
    const fresh = await FakeDaemon.onSocket();
    fresh.on('GET /admin/sinks', 200, { data: [] }).on('GET /admin/sinks', 200, { data: [PHONE] });
    const env = { HYDRANT_DATA_DIR: fresh.directory };
    expect((await run(['notify', 'list'], { env })).stderr).toContain('hydrant notify add phone ntfy https://ntfy.sh/');
    expect((await run(['notify', 'list', '--failing'], { env })).stderr).toBe('none of 1 sink is failing\n');
    await fresh.stop();
  });

  test('an answer of another form is not printed', async () => {
    const other = await FakeDaemon.onSocket();
    other.on('GET /admin/sinks', 200, { data: [{ ...PHONE, kind: 'pigeon' }] });
    const { code, stdout } = await run(['notify', 'list'], { env: { HYDRANT_DATA_DIR: other.directory } });
    expect([code, stdout]).toEqual([3, '']);
    await other.stop();
  });
});

describe('hydrant notify show', () => {
  test('says in words what it carries, what waits, and what to do', async () => {
    const { stdout, stderr } = await notify(['show', 'team']);
    expect(stdout.split('\n').slice(0, -1)).toEqual([
      `id\t${TEAM.id}`,
      'name\tteam',
      'kind\tslack',
      'sends to\ta webhook of Slack',
      'secrets\turl (set, never shown)',
      'carries\tmatches of news; changes of watches with the tags shop or eu',
      'sends\tone digest daily at 08:00; nothing from 22:00 to 07:00; at most 20/h, the last of them with all that waits; clock of Europe/Berlin',
      'state\tdead: failing since 2026-02-20T00:00:00.000Z; still tried',
      'sent\t1,204 messages, the last one 2026-02-19T00:00:00.000Z',
      'waiting\t12 events not looked at yet',
      'refused\t2 messages kept aside',
      'dropped\t31 events left the log before they could be sent; a message said so',
      'last error\t2026-02-27T00:00:00.000Z: refused 403: invalid_token',
      'created\t2026-02-27T00:00:00.000Z',
    ]);
    expect(stderr).toBe('see what was refused, and why\nnext: hydrant notify log team --parked\n');
    expect((await notify(['show', '5a11', '--json'])).stdout).toBe(`${JSON.stringify(TEAM)}\n`);
  });

  test('says until when it waits, and for what', async () => {
    const waiting = { until: '2026-02-27T07:00:00.000Z', why: 'quiet' };
    const paused = { ...PHONE, state: 'paused', waiting, taps: [], watches: 'none', problems: null };
    const other = (await FakeDaemon.onSocket()).on('GET /admin/sinks', 200, { data: [paused] });
    const { stdout, stderr } = await run(['notify', 'show', 'phone'], { env: { HYDRANT_DATA_DIR: other.directory } });
    expect(stdout).toContain('waits\t2026-02-27T07:00:00.000Z: the end of its quiet hours\n');
    expect(stdout).toContain('carries\tnothing: --taps, --watches and --problems are all none\n');
    expect(stderr).toBe('nothing is sent\nnext: hydrant notify resume phone\n');
    await other.stop();
  });
});

describe('hydrant notify test', () => {
  const path = (sink: typeof PHONE, verb: string): string => `POST /admin/sinks/${sink.id}/${verb}`;
  const report = { outcome: 'delivered', status: 200, detail: 'ok', ms: 87, message_id: 'test_1' };

  test('prints what came back', async () => {
    daemon.on(path(PHONE, 'test'), 200, { data: report });
    const { code, stdout, stderr } = await notify(['test', 'phone']);
    expect([code, stdout, stderr]).toEqual([
      0,
      'phone: delivered (200) to https://ntfy.sh/my-topic in 87 ms: ok\n',
      '',
    ]);
    const json = (await notify(['test', 'phone', '--json'])).stdout;
    expect(JSON.parse(json)).toEqual({ id: PHONE.id, name: 'phone', ...report });
  });

  test.each([
    ['refused', 403, 'refused (403) by a webhook of Slack in 87 ms: ok', 'look at the address'],
    ['unavailable', undefined, 'not accepted by a webhook of Slack in 87 ms: ok', 'tried again until'],
    ['gone', 410, 'gone for good (410) by a webhook of Slack in 87 ms: ok', 'no longer in use'],
  ])('%s ends with exit code 1, the others are tested all the same', async (outcome, status, line, advice) => {
    daemon.on(path(TEAM, 'test'), 200, { data: { ...report, outcome, status } });
    daemon.on(path(PHONE, 'test'), 200, { data: report });
    const { code, stdout, stderr } = await notify(['test', 'team', 'phone']);
    expect([code, stdout]).toEqual([1, expect.stringContaining(`team: ${line}\nphone: delivered`)]);
    expect(stderr).toContain(advice);
  });
});

describe('several sinks', () => {
  test('are paused, resumed and removed, each once', async () => {
    for (const { id } of [PHONE, TEAM]) {
      daemon.on(`POST /admin/sinks/${id}/pause`, 200, { data: { ...PHONE, state: 'paused' } });
      daemon.on(`POST /admin/sinks/${id}/resume`, 200, { data: PHONE }).on(`DELETE /admin/sinks/${id}`, 204);
    }
    expect((await notify(['pause', 'phone', 'team', '5a000001'])).stderr).toBe(
      'phone is paused; what comes waits as long as the log keeps it\n' +
        'team is paused; what comes waits as long as the log keeps it\n',
    );
    expect((await notify(['resume', 'team'])).stderr).toBe('team sends again, to https://ntfy.sh/my-topic\n');
    const refused = await notify(['remove', 'phone', 'team']);
    expect(refused.stderr).toContain(
      'Remove phone, team? Secrets and logs, and 2 messages that were refused are deleted permanently.',
    );
    expect((await notify(['remove', 'phone', 'team', '-y'])).code).toBe(0);
    const path = (sink: typeof PHONE): string => `/admin/sinks/${sink.id}`;
    expect(changes()).toEqual([
      `POST ${path(PHONE)}/pause`,
      `POST ${path(TEAM)}/pause`,
      `POST ${path(TEAM)}/resume`,
      `DELETE ${path(PHONE)}`,
      `DELETE ${path(TEAM)}`,
    ]);
  });

  test.each(['pause', 'resume', 'test', 'remove', 'replay --parked'])(
    '%s: a wrong name changes nothing',
    async (verb) => {
      const { code, stderr } = await notify([...verb.split(' '), 'phone', 'nope', '-q']);
      expect([code, stderr]).toEqual([5, expect.stringContaining('there is no sink `nope`')]);
      expect(stderr).toContain('known: phone (5a000001), team (5a110002)');
      expect(changes()).toEqual([]);
    },
  );
});

describe('hydrant notify replay', () => {
  test('sends again what is kept since a time, or what was refused', async () => {
    daemon.on(`POST /admin/sinks/${PHONE.id}/replay`, 200, { data: { replayed: 12 } });
    const since = await notify(['replay', 'phone', '--since', '2026-02-27T00:00:00Z']);
    expect(since.stderr).toBe(
      'phone: 12 events looked at again; what is carried of them is sent with the ids it had\n' +
        'next: hydrant notify log phone\n',
    );
    expect((await notify(['replay', 'phone', '--since', '999999999d'])).code).toBe(0);
    expect((await notify(['replay', 'phone', '--parked'])).stderr).toContain('phone: 12 messages tried again\n');
    const sent = daemon.sent(`POST /admin/sinks/${PHONE.id}/replay`).map(({ body }) => body);
    expect(sent).toEqual([
      { since: '2026-02-27T00:00:00.000Z' },
      { since: '1970-01-01T00:00:00.000Z' },
      { parked: true },
    ]);
  });

  test.each([
    [[], /what is to be sent again is missing/],
    [['--since', '2h', '--parked'], /exclude each other/],
    [['--since', 'lunch'], /--since: `lunch` is not a time/],
  ])('%j is refused', async (words, error) => {
    const { code, stderr } = await notify(['replay', 'phone', ...words]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(error)]);
    expect(changes()).toEqual([]);
  });
});

describe('hydrant notify log', () => {
  const log = `/admin/sinks/${PHONE.id}/log?limit=100`;

  test('has an attempt a line, harmless for a terminal', async () => {
    daemon.on(`GET ${log}`, 200, { data: [ATTEMPT, DELIVERED] });
    const plain = await notify(['log', 'phone']);
    expect(plain.stdout.split('\n')[0]?.split('\t')).toEqual([
      '7',
      ATTEMPT.at,
      'unavailable',
      '503',
      '2',
      'match',
      'Ferry\u{fffd}[31m at nine',
      'busy',
      '12',
      'm_1',
    ]);
    const lines = (await notify(['log', 'phone', '--no-color'], { columns: 80 })).stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^ {5}7 {2}.* not accepted 503, attempt 2: busy {2}match {2}F/);
    expect(lines[1]).toMatch(/^ {5}6 {2}.* delivered 200 {2}match {2}Ferry/);
    expect(lines.filter((line) => widthOf(line) > 80)).toEqual([]);
    expect((await notify(['log', 'phone', '--failures', '-q'])).stdout).toBe('7\n');
    const json = (await notify(['log', 'phone', '--limit', '1', '--json'])).stdout;
    expect(JSON.parse(json)).toEqual(ATTEMPT);
  });

  test('reads on where a page ends', async () => {
    const page = Array.from({ length: 100 }, (_, index) => ({ ...ATTEMPT, n: 200 - index }));
    daemon.on(`GET ${log}`, 200, { data: page }).on(`GET ${log}&before=101`, 200, { data: [DELIVERED] });
    const lines = (await notify(['log', 'phone', '-q', '--limit', '1000'])).stdout.trimEnd().split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([101, '6']);
  });

  test('has what was refused, and how to send it', async () => {
    daemon.on(`GET /admin/sinks/${PHONE.id}/parked?limit=100`, 200, { data: [PARKED] });
    const { stdout, stderr } = await notify(['log', 'phone', '--parked']);
    expect(stdout.trimEnd().split('\t')).toEqual([
      '3',
      PARKED.parked_at,
      'refused',
      '413',
      'change',
      'Prices',
      'https://example.org/prices',
      'too long',
      'm_2',
    ]);
    expect(stderr).toContain('next: hydrant notify replay phone --parked\n');
  });

  test('says where there is nothing', async () => {
    daemon.on(`GET ${log}`, 200, { data: [] });
    daemon.on(`GET /admin/sinks/${PHONE.id}/parked?limit=100`, 200, { data: [] });
    expect((await notify(['log', 'phone'])).stderr).toContain(
      'nothing was sent yet\nnext: hydrant notify test phone\n',
    );
    expect((await notify(['log', 'phone', '--failures'])).stderr).toBe('phone: no attempt failed\n');
    expect((await notify(['log', 'phone', '--parked'])).stderr).toBe('phone: nothing was refused\n');
  });
});

describe('hydrant notify kinds', () => {
  test('lists the fields, of one kind or of all', async () => {
    daemon.on('GET /admin/sink-kinds', 200, { data: KINDS });
    const { stdout } = await notify(['kinds', 'pushover', '--no-color'], { columns: 80 });
    expect(stdout).toBe(
      'pushover\n  token needed, secret: the API token\n  user  needed, secret: the key of the user\n',
    );
    const all = (await notify(['kinds', '--no-color'], { columns: 40 })).stdout.trimEnd().split('\n');
    expect(all.slice(0, 3)).toEqual([
      'webhook',
      '  url         needed: the address that',
      '              messages are sent to',
    ]);
    expect((await notify(['kinds', 'slack'])).stdout).toBe('slack\turl\n');
    expect(JSON.parse((await notify(['kinds', '--json'])).stdout)).toEqual(KINDS);
    expect((await notify(['kinds', 'telegramm'])).stderr).toContain('did you mean telegram?');
    expect((await notify(['kinds', 'gotify'])).stderr).toContain('the daemon has no sinks of the kind gotify');
  });
});
