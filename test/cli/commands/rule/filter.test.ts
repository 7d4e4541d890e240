import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Filter } from '../../../../src/shared/api/rule.ts';
import { validate } from '../../../../src/shared/query/validate.ts';
import { FakeDaemon, type Ran, run, type RunOptions } from '../../harness.ts';

const FILTER: Filter = { id: 'f-0001', name: 'junk', value: 'title:x', created_at: '2026-02-27T00:00:00+00:00' };
const USE = { rule_id: 'r-0001', tap_id: 't', tag: 'news', value: 'ferry AND NOT $junk' };

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = await FakeDaemon.onSocket();
  daemon.on('GET /admin/filters', 200, { data: [FILTER] }).on('GET /admin/filters/junk', 200, { data: FILTER });
  for (const name of ['junk', FILTER.id]) daemon.on(`GET /admin/filters/${name}/uses`, 200, { data: [USE] });
});
afterEach(async () => daemon.stop());

async function hydrant(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return run(['filter', ...words], { ...options, env: { HYDRANT_DATA_DIR: daemon.directory } });
}

describe('hydrant filter', () => {
  test('list has a filter a line', async () => {
    expect((await hydrant(['ls'])).stdout).toBe(`f-0001\tjunk\ttitle:x\t${FILTER.created_at}\n`);
    expect((await hydrant(['list'], { columns: 80 })).stdout).toContain('$junk');
    expect((await hydrant(['list', '-q'])).stdout).toBe('f-0001\n');
  });

  test('show tells the text and how many rules refer to it, uses which', async () => {
    expect((await hydrant(['show', 'junk'])).stdout).toContain('text\ttitle:x\n');
    expect((await hydrant(['show', 'junk'])).stdout).toContain('in use by\t1 rule\n');
    const json = JSON.parse((await hydrant(['show', 'junk', '--json'])).stdout) as unknown;
    expect(json).toEqual({ ...FILTER, rules: ['r-0001'] });
    expect((await hydrant(['uses', 'junk'])).stdout).toBe('r-0001\tnews\tferry AND NOT $junk\n');
  });

  test('add sends the name and the text, from the command line or stdin, and tells warnings', async () => {
    const { diagnostics } = validate('ferry and tram');
    daemon.on('POST /admin/filters', 201, { data: FILTER, diagnostics });
    const { code, stdout, stderr } = await hydrant(['add', 'junk', 'title:x']);
    expect([code, stdout]).toEqual([0, 'f-0001\n']);
    expect(stderr).toContain('warning');
    await hydrant(['add', 'junk', '-'], { input: 'title:y\n' });
    expect(daemon.sent('POST /admin/filters').map(({ body }) => body)).toEqual([
      { name: 'junk', value: 'title:x' },
      { name: 'junk', value: 'title:y' },
    ]);
  });

  test('add shows what is wrong with the text in the text', async () => {
    const { diagnostics } = validate('titel:x');
    daemon.on('POST /admin/filters', 422, { message: 'no', errors: { value: ['no'] }, diagnostics });
    const { code, stderr } = await hydrant(['add', 'junk', 'titel:x']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/titel:x\n\s*\^\^\^\^\^/);
  });

  test('edit sends what was named, and says how many rules change with it', async () => {
    daemon.on('PATCH /admin/filters/junk', 200, { data: FILTER });
    expect(await hydrant(['edit', 'junk', '--value', 'title:x'])).toMatchObject({
      code: 0,
      stderr: 'filter $junk changed, and with it 1 rule\n',
    });
    await hydrant(['edit', 'junk', '--name', 'unwanted']);
    expect(daemon.sent('PATCH /admin/filters/junk').map(({ body }) => body)).toEqual([
      { value: 'title:x' },
      { name: 'unwanted' },
    ]);
    expect((await hydrant(['edit', 'junk'])).code).toBe(2);
  });

  test('edit that would break a rule says the daemon’s sentence, and points into nothing', async () => {
    const { diagnostics } = validate('titel:x');
    const message = 'With this, 1 rule with a reference to the filter junk would be refused: news.';
    daemon.on('PATCH /admin/filters/junk', 422, { message, errors: { filter: [message] }, diagnostics });
    const { code, stderr } = await hydrant(['edit', 'junk', '--value', 'title:x']);
    expect([code, stderr]).toEqual([1, `error: ${message}\n`]);
  });

  test('remove looks all up before the first goes', async () => {
    daemon.on('DELETE /admin/filters/f-0001', 204).on('GET /admin/filters/none', 404, { message: 'no such filter' });
    expect(await hydrant(['rm', 'junk', 'none', '-y'])).toMatchObject({
      code: 5,
      stderr: 'error: there is no filter `none`\n  known: junk (f-0001)\n',
    });
    expect((await hydrant(['rm', 'junk'])).stderr).toContain('add --yes');
    expect(daemon.sent('DELETE /admin/filters/f-0001')).toHaveLength(0);
    expect(await hydrant(['rm', 'junk', '-y'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('filter $junk removed; it was: '),
    });
  });

  test('is the operator’s alone', async () => {
    const { code, stderr } = await run(['filter', 'list'], {
      env: { HYDRANT_URL: 'http://127.0.0.1:1', HYDRANT_KEY: `svcm_${'k'.repeat(40)}` },
    });
    expect(code).toBe(2);
    expect(stderr).toContain('`hydrant filter` works on the daemon’s own machine'.replace('’', "'"));
  });
});
