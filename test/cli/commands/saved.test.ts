import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SavedMatch } from '../../../src/shared/api/match.ts';
import { FakeDaemon, type Ran, run, type RunOptions } from '../harness.ts';

const MATCH: SavedMatch = {
  id: '7d0e0001-0000-4000-8000-000000000001',
  url: 'https://example.com/a',
  title: '=HYPERLINK("http://evil.example")',
  tap: { id: 't', name: 'news' },
  rules: [{ id: 'r', value: 'ferry', tag: 'boats' }, { id: 'gone' }],
  matched_at: '2026-02-27T00:00:00.123Z',
  saved_at: '2026-02-27T00:00:01+00:00',
  saved_by: 'admin',
  note: null,
  document: {
    url: 'https://example.com/a',
    language: 'en',
    diff: {
      chunks: [
        { typ: 'ins', text: 'It "sails", at nine.' },
        { typ: 'del', text: 'At ten.' },
      ],
    },
  },
};
const OTHER: SavedMatch = { ...MATCH, id: MATCH.id.replace('7d0e', '7d0f'), url: 'https://example.com/b', title: null };

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = await FakeDaemon.onSocket();
  daemon.on('GET /admin/matches', 200, { data: [MATCH] });
  daemon.on(`GET /admin/matches?after=${MATCH.id}`, 200, { data: [OTHER] });
  daemon.on(`GET /admin/matches?after=${OTHER.id}`, 200, { data: [] });
  daemon.on(`GET /admin/matches/${MATCH.id}`, 200, { data: MATCH });
});
afterEach(async () => daemon.stop());

async function hydrant(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return run(['saved', ...words], { ...options, env: { HYDRANT_DATA_DIR: daemon.directory } });
}

describe('hydrant saved', () => {
  test('add sends the tap, the event and the note', async () => {
    daemon.on('POST /admin/matches', 201, { data: MATCH });
    const { code, stderr } = await hydrant(['add', 'news', '0-42', '--note', 'for Monday']);
    expect([code, stderr]).toEqual([0, `${MATCH.url} is saved\nnext: hydrant saved show 7d0e0001\n`]);
    expect(daemon.sent('POST /admin/matches')[0]?.body).toEqual({ tap: 'news', event: '0-42', note: 'for Monday' });
    await hydrant(['add', 'news', '0-42']);
    expect(daemon.sent('POST /admin/matches')[1]?.body).toEqual({ tap: 'news', event: '0-42' });
  });

  test('list reads all parts, and asks for words', async () => {
    expect((await hydrant(['list', '-q'])).stdout).toBe(`${MATCH.id}\n${OTHER.id}\n`);
    daemon.on('GET /admin/matches?q=ferry+nine%25', 200, { data: [] });
    expect(await hydrant(['search', 'ferry', 'nine%'])).toMatchObject({ stdout: '', stderr: 'none found\n' });
  });

  test('show has the text, and finds a match by the beginning of its id or its address', async () => {
    for (const wanted of [MATCH.id, '7d0e', MATCH.url]) {
      const { stdout } = await hydrant(['show', wanted]);
      expect(stdout).toContain('rules\tboats, gone\n');
      expect(stdout).toContain('+ It "sails", at nine.\n- At ten.\n');
    }
    expect((await hydrant(['show', '7d0'])).code).toBe(2);
  });

  test('note writes and removes a note', async () => {
    daemon.on(`PATCH /admin/matches/${MATCH.id}`, 200, { data: MATCH });
    expect((await hydrant(['note', '7d0e', 'ask'])).stderr).toBe(`the note on ${MATCH.url} was saved\n`);
    expect((await hydrant(['note', '7d0e', ''])).stderr).toBe(`the note on ${MATCH.url} was removed\n`);
    const sent = daemon.sent(`PATCH /admin/matches/${MATCH.id}`).map(({ body }) => body);
    expect(sent).toEqual([{ note: 'ask' }, { note: '' }]);
  });

  test('remove looks all up before the first goes', async () => {
    daemon.on(`DELETE /admin/matches/${MATCH.id}`, 204);
    expect((await hydrant(['remove', '7d0e', 'none', '--yes'])).code).not.toBe(0);
    expect((await hydrant(['remove', '7d0e'])).stderr).toContain('add --yes');
    expect(daemon.sent(`DELETE /admin/matches/${MATCH.id}`)).toHaveLength(0);
    expect((await hydrant(['remove', '7d0e', '--yes'])).code).toBe(0);
  });

  test('export writes JSON lines, whole', async () => {
    const lines = (await hydrant(['export'])).stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([MATCH, OTHER]);
  });

  test('export goes on where the match that ended a part was removed meanwhile', async () => {
    const third: SavedMatch = { ...OTHER, id: OTHER.id.replace('7d0f', '7d10'), url: 'https://example.com/c' };
    daemon.on('GET /admin/matches?q=x', 200, { data: [MATCH, OTHER] });
    daemon.on(`GET /admin/matches?q=x&after=${OTHER.id}`, 404, { message: 'There is no such saved match.' });
    daemon.on(`GET /admin/matches?q=x&after=${MATCH.id}`, 200, { data: [third] });
    daemon.on(`GET /admin/matches?q=x&after=${third.id}`, 200, { data: [] });
    const { code, stdout } = await hydrant(['export', 'x']);
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as SavedMatch).url),
    ).toEqual([MATCH, OTHER, third].map(({ url }) => url));
  });

  test('export writes a table whose cells are quoted, and no formula', async () => {
    const { stdout } = await hydrant(['export', '--format', 'csv']);
    const [head, first] = stdout.split('\r\n');
    expect(head).toMatch(/^"id","saved_at",/);
    expect(first).toContain(`"https://example.com/a","'=HYPERLINK(""http://evil.example"")","","en",`);
    expect(first).toContain('"added: It ""sails"", at nine.\nremoved: At ten."');
    expect(stdout.endsWith('""\r\n')).toBe(true);
  });
});
