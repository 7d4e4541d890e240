import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Manifest {
  readonly license?: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}
interface Lock {
  readonly packages: Readonly<
    Record<string, { license?: string; integrity?: string; hasInstallScript?: boolean; dev?: boolean; link?: boolean }>
  >;
}

const manifest = JSON.parse(read('package.json')) as Manifest;
const { packages } = JSON.parse(read('package-lock.json')) as Lock;
const rows = [
  ...read('docs/decisions/0012-dependencies.md').matchAll(/^\| `([^`]+)` \| (.+) \| (.+) \| (.+) \|$/gm),
].map(([, name = '', reason = '', licence = '', instead = '']) => ({ name, reason, licence, instead }));
const declared = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };

describe('dependencies', () => {
  test('each package has its reason, its licence and what would take its place', () => {
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(declared).sort());
    expect(rows.filter(({ reason, instead }) => reason.trim() === '' || instead.trim() === '')).toEqual([]);
    const licences = rows.map(({ name }) => ({ name, licence: packages[`node_modules/${name}`]?.license }));
    expect(rows.map(({ name, licence }) => ({ name, licence }))).toEqual(licences);
  });

  test('versions are exact, each file has its sum, and nothing runs at installation but what is known', () => {
    expect(Object.entries(declared).filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(version))).toEqual([]);
    const fetched = Object.entries(packages).filter(([path, { link }]) => path !== '' && link !== true);
    expect(fetched.length).toBeGreaterThan(100);
    expect(
      fetched.filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true).map(([path]) => path),
    ).toEqual([]);
    const scripts = fetched.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path);
    expect(scripts).toEqual(['node_modules/node']);
  });

  test('no package that is delivered has a licence that binds the rest', () => {
    const delivered = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
    const free = /^\(?(?:MIT|ISC|Apache-2\.0|BSD-[23]-Clause|PSF-2\.0|0BSD|BlueOak-1\.0\.0|CC0-1\.0)\b/;
    expect(delivered.filter(([, { license = '' }]) => !free.test(license)).map(([path]) => path)).toEqual([]);
  });
});
