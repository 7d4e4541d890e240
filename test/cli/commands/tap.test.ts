import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeDaemon, OTHER_TAP, type Ran, run, type RunOptions, TAP } from '../harness.ts';

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = await FakeDaemon.onSocket();
  daemon.on('GET /v1/taps', 200, { data: [TAP, OTHER_TAP] });
});
afterEach(async () => daemon.stop());

async function hydrant(words: string, options: RunOptions = {}): Promise<Ran> {
  return run([...words.split(' '), '--data-dir', daemon.directory], options);
}

describe('hydrant tap list', () => {
  test('is a table on a terminal', async () => {
    const { stdout, stderr, code } = await hydrant('tap list', { columns: 80, env: { NO_COLOR: '1' } });
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^ID {8}NAME {2}STATUS {2}RULES {2}LAST USED {2}CREATED$/),
      expect.stringMatching(/^4f1c2ab8 {2}news {2}active {6}3 {2}never {6}.+ ago$/),
    ]);
    expect([stderr, code]).toEqual(['', 0]);
  });

  test('is tab-separated with whole ids and ISO times in a pipe', async () => {
    const { stdout } = await hydrant('taps ls');
    expect(stdout.split('\n')[0]).toBe(`${TAP.id}\tnews\tactive\t3\t\t2026-02-27T00:00:00+00:00`);
  });

  test('is one JSON array with --json, wherever the flag stands', async () => {
    const { token: _, ...shown } = TAP;
    for (const words of ['tap list --json', '--json tap list']) {
      const found = JSON.parse((await hydrant(words)).stdout) as object[];
      expect([found.length, found[0]]).toEqual([2, shown]);
    }
  });

  test('has the tokens with --json --tokens alone', async () => {
    expect(JSON.parse((await hydrant('tap list --json --tokens')).stdout)).toEqual([TAP, OTHER_TAP]);
    expect((await hydrant('tap list --json')).stdout).not.toContain(TAP.token);
  });

  test('is the ids with --quiet', async () => {
    expect((await hydrant('tap list -q')).stdout).toBe(`${TAP.id}\n${OTHER_TAP.id}\n`);
  });

  test('shows no control character of a name', async () => {
    daemon = await replaced({ ...TAP, name: 'a\u001b[2Jb' });
    for (const columns of [80, undefined]) {
      const { stdout } = await hydrant('tap list --no-color', columns === undefined ? {} : { columns });
      expect(stdout).toContain('a\u{fffd}[2Jb');
      expect(stdout).not.toContain('\u001b');
    }
  });

  test('that is empty says how to begin, on stderr', async () => {
    daemon = await replaced();
    const { stdout, stderr, code } = await hydrant('tap list');
    expect([stdout, code]).toEqual(['', 0]);
    expect(stderr).toContain('hydrant tap create news');
    expect((await hydrant('tap list --json')).stdout).toBe('[]\n');
  });
});

async function replaced(...taps: (typeof TAP)[]): Promise<FakeDaemon> {
  await daemon.stop();
  return (await FakeDaemon.onSocket()).on('GET /v1/taps', 200, { data: taps });
}

describe('hydrant tap create', () => {
  beforeEach(async () => {
    const { id, name, token_prefix, created_at, token } = TAP;
    daemon = await replaced();
    daemon.on('POST /v1/taps', 201, { data: { id, name, token_prefix, created_at }, token });
  });

  test('sends the name and says what to do next', async () => {
    const { stdout, stderr } = await hydrant('tap create news', { columns: 80 });
    expect(daemon.sent('POST /v1/taps')[0]?.body).toEqual({ name: 'news' });
    expect(stdout).toBe(`news · ${TAP.id} · token ${TAP.token}\n`);
    expect(stderr).toContain("hydrant rule add news 'title:release'");
  });

  test('gives a pipe the id, and --json everything', async () => {
    expect((await hydrant('tap add news')).stdout).toBe(`${TAP.id}\n`);
    expect(JSON.parse((await hydrant('tap add news --json')).stdout)).toMatchObject({ id: TAP.id, token: TAP.token });
  });

  test('refused says why, with the exit code of a refusal', async () => {
    daemon = await replaced();
    daemon.on('POST /v1/taps', 422, { message: 'Tap limit reached.', errors: { taps: ['Tap limit reached.'] } });
    expect(await hydrant('tap create news')).toEqual({ code: 6, stdout: '', stderr: 'error: Tap limit reached.\n' });
    const { stderr } = await hydrant('tap create news --json');
    expect(JSON.parse(stderr)).toEqual({ code: 'refused', message: 'Tap limit reached.', field: 'taps' });
  });
});

describe('a name that another tap has', () => {
  test.each(['create news', 'rename jobs news', 'edit jobs --name news'])('is refused by %s', async (words) => {
    const { code, stderr } = await hydrant(`tap ${words}`);
    expect([code, stderr]).toEqual([
      6,
      'error: there is a tap news already (4f1c2ab8)\n  see it with: hydrant tap show news; or choose another name\n',
    ]);
  });
});

describe('the other verbs of hydrant tap', () => {
  test('show prints one tap, never its token', async () => {
    const { stdout } = await hydrant('tap show jobs');
    expect(stdout).toContain('name\tjobs\n');
    expect(stdout).not.toContain(OTHER_TAP.token);
  });

  test('token prints the token alone', async () => {
    expect((await hydrant('tap token news')).stdout).toBe(`${TAP.token}\n`);
    expect((await hydrant('tap token news -q')).stdout).toBe(`${TAP.token}\n`);
  });

  test.each([
    ['pause news', { status: 'paused' }],
    ['resume news', { status: 'active' }],
    ['rename news headlines', { name: 'headlines' }],
    ['edit news --name headlines', { name: 'headlines' }],
  ])('%s changes just that', async (words, body) => {
    daemon.on(`PUT /v1/taps/${TAP.id}`, 200, { data: { ...TAP, ...body } });
    const { code, stdout, stderr } = await hydrant(`tap ${words}`);
    expect(daemon.sent(`PUT /v1/taps/${TAP.id}`)[0]?.body).toEqual(body);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('tap ');
  });

  test('a tap that is not there is the exit code of a 404, with those that are', async () => {
    const { code, stderr } = await hydrant('tap show nws');
    expect(code).toBe(5);
    expect(stderr).toBe('error: there is no tap `nws`\n  known: news (4f1c2ab8), jobs (4f1c9999)\n');
  });
});

describe('hydrant tap revoke', () => {
  beforeEach(() => void daemon.on(`DELETE /v1/taps/${TAP.id}`, 204));

  test('needs --yes where nobody can be asked', async () => {
    const { code, stderr } = await hydrant('tap revoke news');
    expect(code).toBe(2);
    expect(stderr).toContain('This deletes 3 rules');
    expect(stderr).toContain('--yes');
    expect(daemon.sent(`DELETE /v1/taps/${TAP.id}`)).toHaveLength(0);
  });

  test('with --yes does it and says so', async () => {
    const { code, stderr } = await hydrant('tap rm news --yes');
    expect([code, stderr]).toEqual([0, 'tap news revoked, with 3 rules\n']);
    expect(daemon.sent(`DELETE /v1/taps/${TAP.id}`)).toHaveLength(1);
  });

  test('asks on a terminal, and takes only a yes for one', async () => {
    expect(await hydrant('tap revoke news', { columns: 80, input: '\n' })).toMatchObject({ code: 1 });
    expect(await hydrant('tap revoke news', { columns: 80, input: '' })).toMatchObject({ code: 1 });
    expect(daemon.sent(`DELETE /v1/taps/${TAP.id}`)).toHaveLength(0);
    expect(await hydrant('tap revoke news', { columns: 80, input: 'y\n' })).toMatchObject({ code: 0 });
    expect(daemon.sent(`DELETE /v1/taps/${TAP.id}`)).toHaveLength(1);
  });
});
