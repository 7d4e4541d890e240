import { readFileSync } from 'node:fs';

/** The package's version, read from its package.json: two levels up from src/cli and from dist/cli alike. */
export function readVersion(): string {
  const file = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  const found: unknown = JSON.parse(file);
  const isNamed = typeof found === 'object' && found !== null && 'version' in found;
  return isNamed && typeof found.version === 'string' ? found.version : 'unknown';
}
