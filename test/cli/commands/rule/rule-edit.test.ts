import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeDaemon, type Ran, RULE, run, TAP } from '../../harness.ts';

let daemon: FakeDaemon;
let directory: string;
beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'hydrant-editor-'));
  daemon = await FakeDaemon.onSocket();
  daemon.on('GET /v1/taps', 200, { data: [TAP] }).on('GET /v1/rules', 200, { data: [RULE] });
});
afterEach(async () => {
  rmSync(directory, { recursive: true, force: true });
  await daemon.stop();
});

/** An editor that keeps what it was shown, and leaves one text after another; the last again and again. */
function editorThat(...texts: (string | undefined)[]): string {
  const script = path.join(directory, 'editor.sh');
  texts.forEach((text, index) => {
    if (text !== undefined) writeFileSync(path.join(directory, `text${index + 1}`), text);
  });
  writeFileSync(
    script,
    `n=$(($(cat "${directory}/count" 2>/dev/null || echo 0) + 1)); echo $n > "${directory}/count"
cp -p "$1" "${directory}/shown$n"; echo "$1" > "${directory}/file"
if [ -e "${directory}/text$n" ]; then cat "${directory}/text$n" > "$1"; fi\n`,
  );
  chmodSync(script, 0o700);
  return `sh "${script}"`;
}

const shown = (turn: number): string => readFileSync(path.join(directory, `shown${turn}`), 'utf8');
const file = (): string => readFileSync(path.join(directory, 'file'), 'utf8').trim();
const edit = (editor: string): Promise<Ran> =>
  run(['rule', 'edit', 'linux'], { columns: 80, env: { HYDRANT_DATA_DIR: daemon.directory, EDITOR: editor } });

const PUT = `PUT /v1/rules/${RULE.id}`;
const found = { severity: 'error', code: 'unknown_field', message: 'unknown field `titel`', field: 'titel' };
const refusal = { message: 'no', diagnostics: [{ ...found, span: { start: 0, end: 5 } }] };

describe('hydrant rule edit without a flag', () => {
  test('opens the rule in the editor, in a file of its owner alone, and sends what differs', async () => {
    daemon.on(PUT, 200, { data: { ...RULE, value: 'title:kernel' } });
    const { code, stderr } = await edit(editorThat('value: title:kernel\ntag: linux\nquality: true\nnsfw: false\n'));
    expect([code, stderr]).toEqual([0, 'rule linux changed\n']);
    expect(daemon.sent(PUT)[0]?.body).toEqual({ value: 'title:kernel' });
    expect(shown(1)).toContain('value: title:release\ntag: linux\nquality: true\nnsfw: false\n');
    expect(shown(1)).toContain(`Rule ${RULE.id} of the tap news`);
    expect(statSync(path.join(directory, 'shown1')).mode & 0o777).toBe(0o600);
    expect(existsSync(file())).toBe(false);
  });

  test('shows a refused query again, with the place, until it is right', async () => {
    daemon.on(PUT, 422, refusal).on(PUT, 200, { data: RULE });
    const { code } = await edit(editorThat('value: titel:x\ntag: linux\n', 'value: title:x\n'));
    expect(code).toBe(0);
    expect(shown(2)).toContain('#| error: unknown field `titel`\n#|   titel:x\n#|   ^^^^^\n');
    expect(shown(2)).toContain('value: titel:x\ntag: linux\n');
    expect(daemon.sent(PUT).map(({ body }) => body)).toEqual([{ value: 'titel:x' }, { value: 'title:x', tag: null }]);
  });

  test('shows a text that is no rule again, without asking the daemon', async () => {
    daemon.on(PUT, 200, { data: RULE });
    await edit(editorThat('value: [\n', 'value: a\nquality: maybe\n', 'value: a\ntag: linux\n'));
    expect(shown(2)).toMatch(/^#\| rule\.yaml:\d+:\d+: /m);
    expect(shown(3)).toContain('#| rule.yaml:2: `quality` is not true or false');
    expect(daemon.sent(PUT)).toHaveLength(1);
  });

  test('changes nothing where nothing was, or all of it is gone', async () => {
    for (const text of [undefined, '', '#| a line of ours\n']) {
      const { code, stderr } = await edit(editorThat(text));
      expect([code, stderr]).toEqual([0, 'nothing was changed\n']);
    }
    expect(daemon.sent(PUT)).toEqual([]);
  });

  test('keeps what was written where it is given up, the editor fails or the daemon is gone', async () => {
    daemon.on(PUT, 422, refusal).on(PUT, 500, { message: 'Oh.' });
    const text = 'value: titel:x\ntag: linux\n';
    const givenUp = await edit(editorThat(text));
    const kept = (): string => `what you wrote is kept in ${file()}`;
    const said = ({ stderr }: Ran): string => stderr.replaceAll(/\s+/g, ' ');
    expect([givenUp.code, said(givenUp)]).toEqual([1, expect.stringContaining(kept())]);
    expect(readFileSync(file(), 'utf8')).toContain(text);
    rmSync(path.dirname(file()), { recursive: true });
    rmSync(path.join(directory, 'count'));
    const broken = await edit(editorThat(text));
    expect(said(broken)).toContain(kept());
    expect(readFileSync(file(), 'utf8')).toContain(text);
    rmSync(path.dirname(file()), { recursive: true });
    expect(await edit('false')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('`false` ended with code 1'),
    });
  });

  test('in a pipe names the flags instead', async () => {
    const { code, stderr } = await run(['rule', 'edit', 'linux'], { env: { HYDRANT_DATA_DIR: daemon.directory } });
    expect([code, stderr]).toEqual([2, expect.stringContaining('nothing to change')]);
  });
});
