import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Signing, SignIns } from '../../../src/daemon/requests/sign-ins.ts';
import type { RequestChange } from '../../../src/shared/api/own-request.ts';
import { ownRequests } from './own-requests.ts';

const requests = ownRequests();
const SECRET = 'secret-of-the-operator';

function signing(change: RequestChange, id = 'w'): Signing {
  const request = requests.changed(undefined, change);
  if (!request) throw new Error('nothing is set');
  return { id, url: 'https://a.test/page', request };
}

const never = (): AbortSignal => new AbortController().signal;
const signIns = (): SignIns => new SignIns(requests, { PATH: process.env['PATH'] ?? '' });

/** A program that prints what `script` says, and counts its runs in a file. */
function program(script: string): { readonly command: string; readonly runs: () => number } {
  const directory = mkdtempSync(join(tmpdir(), 'hydrant-headers-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const count = join(directory, 'count');
  writeFileSync(count, '');
  const file = join(directory, 'headers.sh');
  writeFileSync(file, `echo run >> ${count}\n${script}\n`);
  return { command: `sh ${file}`, runs: () => readFileSync(count, 'utf8').split('\n').length - 1 };
}

describe('a sign-in', () => {
  test('is for the origin of its page, and has what was set', async () => {
    const set = signing({ headers: { cookie: 'a=b' }, body: '{"q":1}', timeout_seconds: 7, user_agent: 'Mine/1' });
    expect(await signIns().of(set, never())).toMatchObject({
      isSignedIn: true,
      own: {
        origin: 'https://a.test',
        method: 'POST',
        headers: { cookie: 'a=b', 'content-type': 'application/json' },
        timeoutMs: 7_000,
        userAgent: 'Mine/1',
      },
    });
  });

  test.each([
    ['a form', 'a=1&b=2', {}, 'application/x-www-form-urlencoded'],
    ['what a header says', '{"q":1}', { 'Content-Type': 'text/plain' }, 'text/plain'],
  ])('sends a body as %s', async (_, body, headers, type) => {
    const found = await signIns().of(signing({ body, headers }), never());
    expect(found).toMatchObject({ own: { headers: { 'content-type': type } } });
  });

  test('with a route of its own alone is nobody’s login', async () => {
    const found = await signIns().of(signing({ timeout_seconds: 7 }), never());
    expect(found).toMatchObject({ isSignedIn: false });
  });

  test('that another instance has sealed is a failure that says what to do', async () => {
    const other = new SignIns(ownRequests(new Uint8Array(32).fill(8)), {});
    expect(await other.of(signing({ headers: { cookie: 'a=b' } }), never())).toMatchObject({
      reason: 'sealed',
      detail: expect.stringContaining('set them again') as string,
    });
  });
});

describe('a command that makes headers', () => {
  test('runs once, until what it made no longer lets in; then once more', async () => {
    const { command, runs } = program(`echo "Cookie: session=$(wc -l < "$(dirname "$0")/count" | tr -d ' ')"`);
    const set = signing({ headers: { 'x-key': '1' }, headers_from: command });
    const all = signIns();
    const cookie = async (): Promise<string | undefined> => {
      const found = await all.of(set, never());
      return 'own' in found ? found.own.headers['cookie'] : found.detail;
    };
    expect([await cookie(), await cookie(), runs()]).toEqual(['session=1', 'session=1', 1]);
    const found = await all.of(set, never());
    // It was made earlier: worth another try. What was made just now is not.
    expect('own' in found && found.expired()).toBe(true);
    const anew = await all.of(set, never());
    expect('own' in anew && [anew.own.headers['cookie'], anew.own.headers['x-key'], anew.expired()]).toEqual([
      'session=2',
      '1',
      false,
    ]);
    expect(await cookie()).toBe('session=3');
  });

  test('runs again for a request that was changed, and for each page by itself', async () => {
    const { command, runs } = program('echo "Cookie: a=b"');
    const all = signIns();
    for (const set of [
      signing({ headers_from: command }),
      signing({ headers_from: command }),
      signing({ headers_from: command }, 'v'),
    ]) {
      await all.of(set, never());
    }
    expect(runs()).toBe(3);
  });

  test.each([
    ['fails', `echo "Cookie: ${SECRET}"; echo ${SECRET} >&2; exit 3`, 'sh ended with exit code 3'],
    ['prints nothing', `echo ${SECRET} >&2`, 'it printed no header'],
    ['prints what is no header', `echo "Cookie: a=b"; echo ${SECRET}`, 'line 2 of its output is no header'],
    ['prints a header of the connection', `echo "Host: ${SECRET}"`, 'hydrant’s own'],
    ['prints without end', `yes "Cookie: ${SECRET}"  | head -c 100000`, 'more than 32768 bytes'],
  ])('that %s is a failure that repeats nothing of it', async (_, script, words) => {
    const found = await signIns().of(signing({ headers_from: program(script).command }), never());
    expect(found).toMatchObject({ reason: 'headers_from', detail: expect.stringContaining(words) as string });
    expect(JSON.stringify(found)).not.toContain(SECRET);
  });

  test('that there is none of is a failure that names it, and none of its arguments', async () => {
    const found = await signIns().of(signing({ headers_from: `no-such-program ${SECRET}` }), never());
    expect(found).toMatchObject({
      reason: 'headers_from',
      detail: expect.stringContaining('no-such-program') as string,
    });
    expect(JSON.stringify(found)).not.toContain(SECRET);
  });

  test('ends with the check that is called off', async () => {
    const end = new AbortController();
    const over = new Error('the check is over');
    const found = signIns().of(signing({ headers_from: 'sleep 600' }), end.signal);
    end.abort(over);
    await expect(found).rejects.toBe(over);
  });

  test('is given nothing of the environment but where programs are', async () => {
    const { command } = program(
      'env | grep -v "^\\(PATH\\|PWD\\|SHLVL\\|_\\|OLDPWD\\)=" | sed "s/=/: /" ; echo "X-End: 1"',
    );
    const found = await signIns().of(signing({ headers_from: command }), never());
    expect(found).toMatchObject({ own: { headers: { 'x-end': '1' } } });
    expect('own' in found && Object.keys(found.own.headers)).toEqual(['x-end']);
  });
});
