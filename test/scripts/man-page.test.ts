import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ManPage, manPage } from '../../scripts/man-page.ts';

const page: ManPage = {
  path: 'hydrant sail',
  usage: '[options] <island>',
  description: 'go to an island',
  about: '\nWith --fast it is \\quick.\nSecond line:\n  {"a": 1}\n    deeper\n\n.Net is no macro.\n',
  terms: [{ term: '-f, --fast', description: 'do not stop … at all' }],
  examples: ['  $ hydrant sail --fast'],
  version: '1.2.3',
  verbs: [],
  sections: [],
  seeAlso: ['hydrant'],
};

describe('a manual page', () => {
  const text = manPage(page);

  test('begins with its name, and has the sections that others have', () => {
    expect(text).toContain('.TH HYDRANT-SAIL 1 "" "hydrant 1.2.3"');
    const titles = [...text.matchAll(/^\.SH (.*)$/gm)].map(([, title]) => title);
    expect(titles).toEqual(['NAME', 'SYNOPSIS', 'DESCRIPTION', 'OPTIONS', 'EXAMPLES', 'SEE ALSO']);
  });

  test('keeps what is indented as it is, without the common indent', () => {
    expect(text).toContain('.nf\n{"a": 1}\n  deeper\n.fi');
  });

  test('lets no text become a macro or an escape', () => {
    expect(text).toContain('\\&.Net is no macro.');
    expect(text).toContain('it is \\equick.');
    expect(text).toContain('.B \\-f, \\-\\-fast\ndo not stop \\[u2026] at all');
  });
});

const isMissing = spawnSync('groff', ['--version']).error !== undefined;
test.skipIf(isMissing)(`groff accepts the manual as it is built${isMissing ? ' (skipped: no groff)' : ''}`, () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'hydrant-man-'));
  execFileSync(process.execPath, ['scripts/man.ts', directory]);
  const files = readdirSync(directory).map((name) => path.join(directory, name));
  expect(files.length).toBeGreaterThan(25);
  const { stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww', ...files], { encoding: 'utf8' });
  expect(stderr).toBe('');
  rmSync(directory, { recursive: true });
});
