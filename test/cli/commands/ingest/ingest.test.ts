import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ArchiveQuestion, Ingested } from '../../../../src/shared/api/crawl.ts';
import { response, warc } from '../../../shared/archive/warc-bytes.ts';
import { members } from '../../archive/packed.ts';
import { FakeDaemon, type Ran, run, type RunOptions } from '../../harness.ts';

let daemon: FakeDaemon;
let directory: string;
/** `url at` of records that the daemon says it knows. */
let known: Set<string>;
beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'hydrant-ingest-'));
  daemon = await FakeDaemon.onSocket();
  known = new Set();
  daemon
    .on('POST /admin/ingest', 200, { data: { outcome: 'changed', events: 2 } satisfies Ingested })
    .reply('POST /admin/ingest/known', (_, answer, body) => {
      const { records } = JSON.parse(body) as ArchiveQuestion;
      const data = { known: records.map(({ url, at }) => known.has(`${url} ${new Date(at).toISOString()}`)) };
      answer.writeHead(200).end(JSON.stringify({ data }));
    });
});
afterEach(async () => {
  await daemon.stop();
  rmSync(directory, { recursive: true });
});

async function hydrant(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return run(['ingest', ...words, '--data-dir', daemon.directory], options);
}

function file(name: string, content: Uint8Array): string {
  const where = path.join(directory, name);
  writeFileSync(where, content);
  return where;
}

/** `url date` of the records that came, in their order. */
function sent(): string[] {
  return daemon.sent('POST /admin/ingest').map(({ body }) => {
    const field = (name: string): string => new RegExp(`^${name}: (.*)\r$`, 'm').exec(String(body))?.[1] ?? '';
    return `${field('WARC-Target-URI')} ${field('WARC-Date')}`;
  });
}

const a = 'http://a.example/';
const shot = (day: string, url = a): Buffer => response({ url, at: `2024-05-${day}T00:00:00Z`, body: `<p>Day ${day}` });
const may = (day: string, url = a): string => `${url} 2024-05-${day}T00:00:00Z`;
const info = warc('warcinfo', 'software: test');
const image = response({
  url: `${a}image`,
  at: '2024-05-01T00:00:00Z',
  body: 'GIF',
  head: 'Content-Type: image/gif\r\n',
});

describe('hydrant ingest', () => {
  test('sends the pages of all files, oldest first, as they stand in the archive', async () => {
    const one = file('one.warc.gz', members(info, shot('03'), shot('01')));
    const two = file('two.warc', Buffer.concat([shot('02'), shot('04')]));
    const { code, stdout, stderr } = await hydrant([one, two]);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toBe('4 pages in 2 files; 4 new or changed, 0 unchanged; 8 matches\n');
    expect(sent()).toEqual([may('01'), may('02'), may('03'), may('04')]);
    expect(daemon.sent('POST /admin/ingest')[0]?.body).toBe(shot('01').toString().slice(0, -4));
  });

  test('sends what comes on stdin in its order', async () => {
    const input = Buffer.concat([shot('03'), shot('01')]).toString();
    const { stderr } = await hydrant(['-'], { input });
    expect(stderr).toBe('2 pages in stdin; 2 new or changed, 0 unchanged; 4 matches\n');
    expect(sent()).toEqual([may('03'), may('01')]);
  });

  test('asks before it sends: what is known already is skipped, and a second run sends nothing', async () => {
    const one = file('one.warc', Buffer.concat([shot('01'), shot('02'), shot('03')]));
    known = new Set([`${a} 2024-05-01T00:00:00.000Z`, `${a} 2024-05-02T00:00:00.000Z`]);
    expect((await hydrant([one])).stderr).toContain('2 skipped (2 known already)');
    expect(sent()).toEqual([may('03')]);
  });

  test('tells with --json what became of each page', async () => {
    daemon
      .on('POST /admin/ingest', 200, { data: { outcome: 'failed', events: 0, reason: 'challenge' } })
      .on('POST /admin/ingest', 200, { data: { outcome: 'skipped', events: 0, reason: 'known' } })
      .on('POST /admin/ingest', 200, { data: { outcome: 'unchanged', events: 0 } });
    const moved = Buffer.from(shot('09').toString().replace('200 OK', '301 No'));
    const one = file('one.warc', Buffer.concat([info, shot('01'), shot('02'), shot('03'), shot('04'), image, moved]));
    const { stdout, stderr } = await hydrant([one, '--json']);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      records: 7,
      pages: 6,
      changed: 1,
      unchanged: 1,
      failed: { challenge: 1 },
      skipped: { type: 1, status: 1, known: 1 },
      matches: 2,
      damaged: 0,
      from: '2024-05-01T00:00:00.000Z',
      to: '2024-05-04T00:00:00.000Z',
      stopped: false,
    });
  });

  test('a file that is packed as a whole is sent in its own order, at the time of its first page', async () => {
    const filler = response({ url: `${a}filler`, at: '2024-05-20T00:00:00Z', body: 'x'.repeat(1_500_000) });
    const whole = file('whole.warc.gz', gzipSync(Buffer.concat([shot('05'), filler, shot('02', `${a}b`)])));
    const other = file('other.warc', Buffer.concat([shot('04'), shot('01')]));
    await hydrant([whole, other]);
    expect(sent()).toEqual([may('01'), may('04'), may('05'), `${a}filler 2024-05-20T00:00:00Z`, may('02', `${a}b`)]);
  });

  test('--dry-run reads, counts, and asks no daemon', async () => {
    const one = file('one.warc', Buffer.concat([shot('01'), image]));
    const { code, stderr } = await run(['ingest', one, '-n', '--data-dir', directory]);
    expect([code, stderr]).toEqual([0, '2 pages in 1 file; 1 would be sent; 1 skipped (1 no text)\n']);
  });

  test('damage is told with file and place, and what is whole is sent', async () => {
    const broken = members(shot('01'));
    broken[40] = (broken[40] ?? 0) ^ 0xff;
    const one = file('one.warc.gz', Buffer.concat([members(info), broken, members(shot('02'))]));
    const { code, stderr } = await hydrant([one]);
    expect([code, sent()]).toEqual([0, [may('02')]]);
    expect(stderr).toMatch(/^warning: .*one\.warc\.gz, byte \d+.*: the gzip data is damaged\n/);
    expect(stderr).toContain('1 damaged place');
  });

  test('damage in a file that is not packed is told with its byte', async () => {
    const whole = Buffer.concat([shot('01'), warc('resource', 'x'.repeat(200_000))]);
    const one = file('one.warc', Buffer.concat([whole, Buffer.from('no record\n'), shot('02')]));
    const { stderr } = await hydrant([one]);
    expect([sent(), stderr.split('\n', 1)[0]]).toEqual([
      [may('01'), may('02')],
      `warning: ${one}, byte ${whole.length}: this is not a WARC record`,
    ]);
  });

  test('many damaged places are told by their number', async () => {
    const lines = 'WARC/1.1\r\nno length\r\n\r\n'.repeat(9);
    const { stderr } = await hydrant([file('one.warc', Buffer.concat([Buffer.from(lines), shot('01')]))]);
    expect(stderr.match(/^warning:/gm)).toHaveLength(5);
    expect(stderr).toContain('and 4 more damaged places');
  });

  test('pages of one host come one after another, those of others meanwhile', async () => {
    const busy: string[] = [];
    const seen: string[][] = [];
    daemon.reply('POST /admin/ingest', (_, answer, body) => {
      const host = /WARC-Target-URI: http:\/\/([^/]*)/.exec(body)?.[1] ?? '';
      busy.push(host);
      seen.push([...busy]);
      setTimeout(() => {
        busy.splice(busy.indexOf(host), 1);
        answer.writeHead(200).end(JSON.stringify({ data: { outcome: 'changed', events: 0 } }));
      }, 5);
    });
    const shots = Array.from({ length: 30 }, (_, index) =>
      response({ url: `http://${'abc'[index % 3]}.example/`, at: `2024-05-01T00:00:${10 + index}Z`, body: 'x' }),
    );
    const { code } = await hydrant([file('one.warc', Buffer.concat(shots))]);
    expect([code, sent().length]).toEqual([0, 30]);
    expect(seen.filter((hosts) => new Set(hosts).size < hosts.length)).toEqual([]);
    expect(seen.some((hosts) => hosts.length > 1)).toBe(true);
  });

  test('Ctrl-C lets what is under way arrive, says so, and sends no more', async () => {
    daemon.reply('POST /admin/ingest', (_, answer) => {
      process.emit('SIGINT');
      answer.writeHead(200).end(JSON.stringify({ data: { outcome: 'changed', events: 0 } }));
    });
    const one = file('one.warc', Buffer.concat([shot('01'), shot('02'), shot('03'), shot('04')]));
    const { code, stderr } = await hydrant([one]);
    expect([code, sent().length]).toEqual([130, 2]);
    expect(stderr).toBe(
      'stopped: 4 pages in 1 file; 2 new or changed, 0 unchanged; 2 matches\nnext: run the same command again to continue\n',
    );
  });
});

describe('hydrant ingest refuses', () => {
  test.each([
    ['a file that is not there', ['/nowhere/a.warc'], 2, /cannot read \/nowhere\/a\.warc: no such file/],
    ['a directory', ['/'], 2, /\/ is not a file/],
    ['stdin beside files', ['-', 'a.warc'], 2, /stands alone/],
    ['nothing', [], 2, /missing required argument/],
  ])('%s', async (_, words, code, message) => {
    const ran = await hydrant(words);
    expect(ran.code).toBe(code);
    expect(ran.stderr).toMatch(message);
    expect(sent()).toEqual([]);
  });

  test('what is no archive, and sends nothing of the others', async () => {
    const ran = await hydrant([file('a.warc', shot('01')), file('b.warc', Buffer.from('<html>no archive</html>'))]);
    expect([ran.code, sent()]).toEqual([2, []]);
    expect(ran.stderr).toContain('b.warc holds no WARC record');
  });

  test('an empty stdin', async () => {
    expect(await hydrant(['-'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('stdin holds no WARC record') as string,
    });
  });

  test('to go on without a daemon, and says how far it came', async () => {
    daemon
      .on('POST /admin/ingest', 200, { data: { outcome: 'changed', events: 0 } })
      .on('POST /admin/ingest', 500, { message: 'Internal error.' });
    const one = file('one.warc', Buffer.concat([shot('01'), shot('02'), shot('03'), shot('04')]));
    const { code, stderr } = await hydrant([one]);
    expect(code).toBe(70);
    expect(stderr).toContain('2 pages had been imported; run the command again to continue');
    expect(sent()).toHaveLength(3);
  });
});
