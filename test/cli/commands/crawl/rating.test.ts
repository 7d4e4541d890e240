import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DomainRating, RatingStatus } from '../../../../src/shared/api/rating.ts';
import { RATINGS_A_REQUEST } from '../../../../src/shared/limits.ts';
import { FakeDaemon, type Ran, run, type RunOptions } from '../../harness.ts';

const IMPORTED = { name: 'list.csv', domains: 1_234, at: '2026-02-27T00:00:00+00:00' };
const OWN = { domains: 20, links: 35, at: '2026-02-27T01:00:00+00:00' };
const STATUS: RatingStatus = { imported: IMPORTED, own: OWN };
const RATING: DomainRating = { domain: 'a.example', rating: 57, imported: 57, own: 5, referring_domains: 1 };

let daemon: FakeDaemon;
let directory: string;
beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'hydrant-rating-'));
  daemon = await FakeDaemon.onSocket();
  daemon
    .on('GET /admin/ratings', 200, { data: STATUS })
    .on('DELETE /admin/ratings', 204)
    .on('GET /admin/ratings/domains/a.example', 200, { data: RATING })
    .on('POST /admin/ratings/imports', 201, { data: { id: '7', domains: 0 } })
    .on('POST /admin/ratings/imports/7/domains', 200, { data: { id: '7', domains: 1_234 } })
    .on('POST /admin/ratings/imports/7/publish', 200, { data: STATUS })
    .on('DELETE /admin/ratings/imports/7', 204);
});
afterEach(async () => {
  await daemon.stop();
  rmSync(directory, { recursive: true });
});

async function hydrant(words: string, options: RunOptions = {}): Promise<Ran> {
  return run([...words.split(' '), '--data-dir', daemon.directory], options);
}

function file(name: string, content: string | Uint8Array): string {
  const where = path.join(directory, name);
  writeFileSync(where, content);
  return where;
}

/** Domains with their ratings, as they were sent, in one list. */
function sent(): unknown[] {
  const bodies = daemon.sent('POST /admin/ratings/imports/7/domains').map(({ body }) => body as { domains: unknown[] });
  return bodies.flatMap(({ domains }) => domains);
}
const published = (): number => daemon.sent('POST /admin/ratings/imports/7/publish').length;
const givenUp = (): number => daemon.sent('DELETE /admin/ratings/imports/7').length;
const begun = (): unknown[] => daemon.sent('POST /admin/ratings/imports').map(({ body }) => body);

describe('hydrant rating import', () => {
  const list = 'rank,domain\r\n1,a.example\r\n"1000","www.b.example"\r\n';
  const rated = [
    ['a.example', 100],
    ['b.example', 57],
  ];

  test('sends a list and publishes it', async () => {
    const { code, stdout, stderr } = await hydrant(`rating import ${file('list.csv', list)}`);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toBe('1,234 domains rated from list.csv\nnext: hydrant rating show example.org\n');
    expect(begun()).toEqual([{ name: 'list.csv' }]);
    expect([sent(), published(), givenUp()]).toEqual([rated, 1, 0]);
  });

  test('reads stdin, and says with --json what it did', async () => {
    const { stdout, stderr } = await hydrant('rating import - --json', { input: `${list}20000000,far.example\n` });
    expect(JSON.parse(stdout)).toEqual({ name: 'stdin', domains: 1_234, lines: 4, beyond: 1, bad: 0 });
    expect([stderr, sent()]).toEqual(['', rated]);
  });

  test('unpacks gzip whatever the file is called, also of several members', async () => {
    const packed = Buffer.concat([gzipSync(list), gzipSync('1000,c.example\n')]);
    expect(await hydrant(`rating import ${file('list.csv', packed)}`)).toMatchObject({ code: 0 });
    expect(sent()).toEqual([...rated, ['c.example', 57]]);
  });

  test('gives up on gzip that ends too early, and what came before changes nothing', async () => {
    const packed = gzipSync(Array.from({ length: 20_000 }, (_, index) => `${index + 1},d${index}.example\n`).join(''));
    const { code, stderr } = await hydrant(`rating import ${file('list.csv.gz', packed.subarray(0, -9))}`);
    expect([code, published(), givenUp()]).toEqual([2, 0, 1]);
    expect(stderr).toContain('list.csv.gz: the gzip data is damaged or ends too early');
  });

  test('says how to unpack a zip file', async () => {
    const { code, stderr } = await hydrant(`rating import ${file('list.zip', 'PK\u0003\u0004 and so on')}`);
    expect([code, begun()]).toEqual([2, []]);
    expect(stderr).toContain('try:  unzip -p list.zip | hydrant rating import -');
  });

  test('sends a long list in parts', async () => {
    const lines = Array.from({ length: 2 * RATINGS_A_REQUEST + 1 }, (_, index) => `d${index}.example,${index % 101}`);
    await hydrant('rating import -', { input: lines.join('\n') });
    const parts = daemon
      .sent('POST /admin/ratings/imports/7/domains')
      .map(({ body }) => body as { domains: unknown[] });
    expect(parts.map(({ domains }) => domains.length)).toEqual([RATINGS_A_REQUEST, RATINGS_A_REQUEST, 1]);
    expect(sent()).toEqual(lines.map((_, index) => [`d${index}.example`, index % 101]));
  });

  test('names the first bad lines with their numbers, counts the others, and imports the rest', async () => {
    const bad = Array.from({ length: 7 }, (_, index) => `x${index},a.example\n`).join('');
    const good = Array.from({ length: 8 }, (_, index) => `${index + 1},d${index}.example\n`).join('');
    const { code, stderr } = await hydrant('rating import -', { input: `${good}\n${bad}` });
    expect([code, published()]).toEqual([0, 1]);
    const lines = stderr.split('\n');
    expect(lines[0]).toBe('warning: line 10: the rank `x0` is not a whole number from 1');
    expect(lines[4]).toBe('warning: line 14: the rank `x4` is not a whole number from 1');
    expect(lines[5]).toBe('and 2 more lines that cannot be read');
    expect(lines[6]).toBe('1,234 domains rated from stdin; 7 lines could not be read');
  });

  test.each([
    ['words\nand more words\n', 'stdin rates no domain; the ratings are as they were'],
    ['', 'stdin rates no domain'],
    ['1,a.example\nx,b\ny,c\n', '2 of the 3 lines of stdin cannot be read; the ratings are as they were'],
    [`1,a.example\n${'x'.repeat(5_000)}\n${'y'.repeat(5_000)}\n`, '2 of the 3 lines'],
  ])('refuses what is no list: %j', async (input, message) => {
    const { code, stderr } = await hydrant('rating import -', { input });
    expect([code, published()]).toEqual([2, 0]);
    expect(stderr).toContain(message);
  });

  test('gives up when it is interrupted, and says that nothing has changed', async () => {
    daemon = await FakeDaemon.onSocket();
    daemon
      .on('POST /admin/ratings/imports', 201, { data: { id: '7', domains: 0 } })
      .on('DELETE /admin/ratings/imports/7', 204)
      .reply('POST /admin/ratings/imports/7/domains', (_, response) => {
        interrupt();
        response.end(JSON.stringify({ data: { id: '7', domains: 2_000 } }));
      });
    const input = Array.from({ length: 3 * RATINGS_A_REQUEST }, (_, index) => `${index + 1},d${index}.example`).join(
      '\n',
    );
    const { code, stderr } = await hydrant('rating import -', { input });
    expect([code, stderr, published(), givenUp()]).toEqual([130, 'stopped; the ratings are as they were\n', 0, 1]);
  });

  test('gives up when the daemon refuses a part', async () => {
    daemon = await FakeDaemon.onSocket();
    daemon
      .on('POST /admin/ratings/imports', 201, { data: { id: '7', domains: 0 } })
      .on('DELETE /admin/ratings/imports/7', 204)
      .on('POST /admin/ratings/imports/7/domains', 422, { message: 'The list is too long.' });
    const { code, stderr } = await hydrant('rating import -', { input: list });
    expect([code, givenUp()]).toEqual([6, 1]);
    expect(stderr).toContain('The list is too long.');
  });

  test('says so when another import took its place', async () => {
    daemon = await FakeDaemon.onSocket();
    daemon
      .on('POST /admin/ratings/imports', 201, { data: { id: '7', domains: 0 } })
      .on('POST /admin/ratings/imports/7/domains', 404, { message: 'There is no such import.' });
    const { code, stderr } = await hydrant('rating import -', { input: list });
    expect([code, stderr]).toEqual([1, 'error: another import has begun meanwhile and took the place of this one\n']);
  });

  test('of a file that is not there disturbs nobody', async () => {
    const { code, stderr } = await hydrant(`rating import ${path.join(directory, 'nothing.csv')}`);
    expect([code, begun()]).toEqual([2, []]);
    expect(stderr).toContain('nothing.csv: no such file or directory (ENOENT)');
  });
});

/** What Ctrl-C does to the command line: its own listener hears it, and no other one of this process. */
function interrupt(): void {
  const listener = process.listeners('SIGINT').at(-1);
  listener?.('SIGINT');
}

describe('hydrant rating show', () => {
  test('tells what is known of each domain', async () => {
    const unknown = { domain: 'b.example', rating: null, imported: null, own: null, referring_domains: 0 };
    daemon.on('GET /admin/ratings/domains/b.example', 200, { data: unknown });
    const words = 'rating show a.example b.example';
    expect((await hydrant(words)).stdout).toBe('a.example\t57\t57\t5\t1\nb.example\t\t\t\t0\n');
    expect(JSON.parse((await hydrant(`${words} --json`)).stdout)).toEqual([RATING, unknown]);
    expect(
      (await hydrant(`${words} --no-color`, { columns: 80 })).stdout.split('\n').map((line) => line.trimEnd()),
    ).toEqual([
      'DOMAIN     RATING  IMPORTED  OWN  LINKED FROM',
      'a.example      57        57    5  1 domain',
      'b.example    none                 0 domains',
      '',
    ]);
  });
});

describe('hydrant rating status', () => {
  test('tells which list holds, and what the own links amount to', async () => {
    expect((await hydrant('rating status')).stdout).toBe(
      'imported  1,234 domains from list.csv · 2026-02-27T00:00:00+00:00\n' +
        'own       20 domains with 35 links from others · counted 2026-02-27T01:00:00+00:00\n',
    );
    expect(JSON.parse((await hydrant('rating status --json')).stdout)).toEqual(STATUS);
  });

  test('says how to import a list where there is none', async () => {
    daemon = await FakeDaemon.onSocket();
    daemon.on('GET /admin/ratings', 200, { data: { imported: null, own: null } });
    const { stdout } = await hydrant('rating status');
    expect(stdout).toContain('imported  nothing; import a list with: hydrant rating import <file>\n');
    expect(stdout).toContain('not counted yet');
  });
});

describe('hydrant rating clear', () => {
  test('needs a yes', async () => {
    const cleared = (): number => daemon.sent('DELETE /admin/ratings').length;
    expect(await hydrant('rating clear')).toMatchObject({ code: 2 });
    expect(cleared()).toBe(0);
    expect(await hydrant('rating clear --yes')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'the list list.csv with 1,234 domains deleted\n',
    });
    expect(cleared()).toBe(1);
    expect((await hydrant('rating clear --yes --json')).stdout).toBe('{"cleared":1234}\n');
  });
});
