import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { defaultConfigFile, defaultDataDir } from '../../src/shared/directories.ts';
import { configName, environmentName, type Setting, settings } from '../../src/shared/settings.ts';

const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');

/** The row that docs/configuration.md must have for a setting, word for word. */
function row(setting: Setting): string {
  const standard =
    setting.default === '' || setting.default.toString() === '' ? '' : `\`${setting.default.toString()}\``;
  const choices = setting.choices ? ` (${setting.choices.join(', ')})` : '';
  const names = [`\`--${setting.name} ${setting.value}\``, `\`${environmentName(setting.name)}\``];
  return `| ${[...names, `\`${configName(setting.name)}\``, standard, `${setting.doc}${choices}`].join(' | ')} |`;
}

describe('the settings table', () => {
  test.each(settings.map((setting) => [setting.name, setting] as const))(
    'docs/configuration.md tells of %s',
    (_, setting) => {
      expect(page).toContain(row(setting));
    },
  );

  test('the page tells of no setting that is gone', () => {
    const told = [...page.matchAll(/^\| `--([a-z-]+) /gm)].map((found) => found[1]);
    expect(told).toEqual(settings.map((setting) => setting.name));
  });

  test('names follow from one another', () => {
    expect(environmentName('crawl-host-delay')).toBe('HYDRANT_CRAWL_HOST_DELAY');
    expect(configName('crawl-host-delay')).toBe('crawlHostDelay');
  });

  test('the data directory follows XDG, and a relative XDG path is ignored as the specification of XDG wants', () => {
    expect(defaultDataDir({ XDG_DATA_HOME: '/data', HOME: '/home/a' })).toBe('/data/hydrant');
    expect(defaultDataDir({ XDG_DATA_HOME: 'data', HOME: '/home/a' })).toBe('/home/a/.local/share/hydrant');
    expect(defaultDataDir({})).toBeUndefined();
    expect(defaultConfigFile({ HOME: '/home/a' }, 'hydrantd.json')).toBe('/home/a/.config/hydrant/hydrantd.json');
  });
});
