import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeDaemon, type Ran, run, TAP } from '../../harness.ts';
import { KINDS, PHONE, TEAM } from '../notify/sink-sample.ts';

let daemon: FakeDaemon;
let directory: string;
beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'hydrant-apply-'));
  daemon = await FakeDaemon.onSocket();
  daemon.on('GET /v1/taps', 200, { data: [TAP] }).on('GET /admin/sinks', 200, { data: [PHONE, TEAM] });
  daemon.on('GET /admin/sink-kinds', 200, { data: KINDS }).on('POST /admin/sinks', 201, { data: PHONE });
});
afterEach(async () => {
  rmSync(directory, { recursive: true, force: true });
  await daemon.stop();
});

const hydrant = (words: readonly string[]): Promise<Ran> => run(words, { env: { HYDRANT_DATA_DIR: daemon.directory } });

function apply(text: string, ...words: string[]): Promise<Ran> {
  const file = path.join(directory, 'hydrant.yaml');
  writeFileSync(file, text);
  return hydrant(['apply', file, ...words]);
}

/** What was sent that changes something. */
const changes = (): unknown[] =>
  daemon.received
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path: asked, body }) =>
      body === undefined ? [`${method} ${asked}`] : [`${method} ${asked}`, body],
    );

const EXPORTED = `# Made by hydrant export. Put in place with: hydrant apply FILE
sinks:
  - name: phone
    kind: ntfy
    options:
      url: https://ntfy.sh
      topic: my-topic
  - name: team
    kind: slack
    secrets:
      - url
    taps:
      - news
    watches: tag:shop,eu
    problems: none
    digest: 08:00
    quiet: 22:00-07:00
    zone: Europe/Berlin
    at_most: 20/h
`;

describe('sinks in a file', () => {
  test('are exported without their secrets, which is said', async () => {
    const { code, stdout, stderr } = await hydrant(['export', '--sinks']);
    expect([code, stdout, stderr]).toEqual([
      0,
      EXPORTED,
      'the secrets of 1 sink are left out: the file has their names only\n',
    ]);
  });

  test('of what was exported nothing is changed', async () => {
    const { code, stdout, stderr } = await apply(EXPORTED);
    expect([code, stdout, stderr]).toEqual([
      0,
      '',
      `nothing to do: ${daemon.directory} already matches hydrant.yaml\n`,
    ]);
    expect(changes()).toEqual([]);
  });

  test('change only what differs; secrets stay', async () => {
    daemon.on(`PATCH /admin/sinks/${PHONE.id}`, 200, { data: PHONE }).on(`PATCH /admin/sinks/${TEAM.id}`, 200, {
      data: TEAM,
    });
    daemon.on(`POST /admin/sinks/${PHONE.id}/pause`, 200, { data: PHONE });
    const { code, stdout } = await apply(
      `
sinks:
  - { name: phone, kind: ntfy, options: { topic: other, priority: 5 }, digest: 1h, paused: true }
  - { name: team, kind: slack, secrets: [url], taps: none, watches: "tag:eu,shop", problems: none, digest: 08:00,
      quiet: 22:00-07:00, at_most: 20/h }
`,
      '-y',
    );
    expect([code, stdout]).toEqual([0, '~ sink phone: options, digest, paused\n~ sink team: taps\n']);
    // Several at a time.
    expect(new Set(changes())).toEqual(
      new Set([
        [`PATCH /admin/sinks/${PHONE.id}`, { options: { topic: 'other', priority: '5' }, digest: '1h' }],
        [`POST /admin/sinks/${PHONE.id}/pause`],
        [`PATCH /admin/sinks/${TEAM.id}`, { taps: [] }],
      ]),
    );
  });

  test('a dry run says what would be, and which secrets are missing', async () => {
    const { code, stdout, stderr } = await apply(
      `
sinks:
  - { name: phone, kind: ntfy, options: { url: https://ntfy.sh, topic: my-topic }, secrets: [token] }
  - { name: attic, kind: ntfy, options: { topic: attic }, secrets: [token], taps: [news] }
`,
      '--dry-run',
    );
    expect([code, stdout]).toEqual([
      0,
      '+ sink attic: ntfy, without its secret token: hydrant notify edit attic --token @FILE\n',
    ]);
    expect(stderr).toBe(
      'phone has no secret token yet; set it with: hydrant notify edit phone --token @FILE\n' +
        'not in the file, and left unchanged: 1 sink; --prune removes them\n' +
        '+ 1  ~ 0  - 0; nothing was changed (--dry-run)\n',
    );
    expect(changes()).toEqual([]);
  });

  test('one that needs a secret keeps no other back, and says how it is made', async () => {
    daemon.on(`DELETE /admin/sinks/${TEAM.id}`, 204).on(`DELETE /admin/sinks/${PHONE.id}`, 204);
    const { code, stderr } = await apply(
      `
sinks:
  - { name: chat, kind: slack, secrets: [url] }
  - { name: phone, kind: slack, secrets: [url] }
  - { name: attic, kind: ntfy, options: { topic: attic } }
`,
      '-y',
      '--prune',
    );
    expect(code).toBe(6);
    expect(stderr).toContain('hydrant.yaml:3: + sink chat: slack needs its secret url, which no file has; add it by');
    expect(stderr).toContain('hydrant notify add chat slack --option url=@FILE');
    expect(stderr).toContain('hydrant.yaml:4: ~ sink phone: it is a sink of the kind ntfy, and a kind never changes');
    expect(changes()).toEqual([
      [`DELETE /admin/sinks/${TEAM.id}`],
      [
        'POST /admin/sinks',
        {
          name: 'attic',
          kind: 'ntfy',
          options: { topic: 'attic' },
          taps: 'all',
          query: null,
          watches: 'all',
          problems: { after: 3 },
          digest: null,
          quiet: null,
          at_most: null,
          template: null,
        },
      ],
    ]);
  });

  test.each([
    ['{ name: x, kind: pigeon }', /hydrant\.yaml:2: `kind` is not one of webhook, ntfy/],
    ['{ name: x }', /hydrant\.yaml:2: `kind` is missing/],
    ['{ name: x, kind: ntfy, options: [a] }', /hydrant\.yaml:2: `options` is not a map of texts/],
    ['{ name: x, kind: ntfy, secrets: { token: tk_1 } }', /hydrant\.yaml:2: `secrets` is not a list of names/],
    ['{ name: x, kind: ntfy, taps: [nope] }', /hydrant\.yaml:2: there is no tap `nope`/],
    ['{ name: x, kind: ntfy, digest: 2m }', /hydrant\.yaml:2: `digest` must be an interval from 5m to 7d/],
    ['{ name: x, kind: ntfy, at_most: 20 }', /hydrant\.yaml:2: `at_most` is not a text/],
    ['{ name: x, kind: ntfy, zone: Mars }', /hydrant\.yaml:2: `zone` must be an IANA time zone/],
    ['{ name: x, kind: ntfy, query: "titel:a" }', /hydrant\.yaml:2: `query`: There is no field titel/],
    ['{ name: x, kind: ntfy, template: "{titel}" }', /hydrant\.yaml:2: `template` has no field `titel`/],
  ])('%s is refused with its line', async (entry, error) => {
    const { code, stderr } = await apply(`sinks:\n  - ${entry}\n`);
    expect([code === 0, stderr]).toEqual([false, expect.stringMatching(error)]);
    expect(changes()).toEqual([]);
  });
});
