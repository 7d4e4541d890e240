import { describe, expect, test } from 'vitest';
import { configName, environmentName, settings } from '../../../../src/shared/settings.ts';
import { run, type RunOptions } from '../../harness.ts';

async function served(argv: readonly string[], options: RunOptions = {}): Promise<unknown> {
  let flags: unknown = 'not served';
  const serve: RunOptions['serve'] = async (given) => {
    flags = given;
    return 0;
  };
  const { code, stderr } = await run(argv, { ...options, serve });
  return code === 0 ? flags : stderr;
}

describe('hydrant serve', () => {
  test('passes nothing on that was not typed', async () => {
    expect(await served(['serve'])).toEqual({});
  });

  test('passes what was typed, by its name in the config file', async () => {
    const argv = ['serve', '--data-dir', '/d', '--port', '0', '--config', 'c.json', '--crawl-host-delay', '0.5'];
    const lists = ['--allow-private', '10.0.0.0/8', '--allow-private', '192.168.0.0/16', '--log-level', 'warn'];
    expect(await served([...argv, ...lists])).toEqual({
      dataDir: '/d',
      port: 0,
      config: 'c.json',
      crawlHostDelay: 0.5,
      allowPrivate: ['10.0.0.0/8', '192.168.0.0/16'],
      logLevel: 'warn',
    });
  });

  test('takes a choice that the flag alone makes, and one that is named', async () => {
    expect(await served(['serve', '--ui'])).toEqual({ ui: 'on' });
    expect(await served(['serve', '--ui', '--port', '0'])).toEqual({ ui: 'on', port: 0 });
    expect(await served(['serve', '--ui', 'off'])).toEqual({ ui: 'off' });
  });

  test('is what hydrantd is', async () => {
    expect(await served(['--port', '8080', '--data-dir', '/d'], { name: 'hydrantd' })).toEqual({
      port: 8080,
      dataDir: '/d',
    });
    expect(await served([], { name: 'hydrantd' })).toEqual({});
    expect(await served(['status'], { name: 'hydrantd' })).toContain('too many arguments');
  });

  test('gives the exit code of the daemon on', async () => {
    expect(await run(['serve'], { serve: async () => 78 })).toMatchObject({ code: 78 });
  });

  test.each([
    [['--port', '65536'], 'It must be a whole number from 0 to 65535.'],
    [['--port', 'http'], 'It must be a whole number'],
    [['--crawl-concurrency', '0'], 'It must be a whole number from 1 to 256.'],
    [['--log-level', 'loud'], 'Allowed choices are debug, info, warn, error.'],
    [['--prot', '1'], 'did you mean --port?'],
    [['--port'], 'argument missing'],
  ])('%j is a usage error before anything starts', async (flags, message) => {
    expect(await served(['serve', ...flags])).toContain(message);
  });

  test('explains each setting, with its default and its variable', async () => {
    const { stdout } = await run(['serve', '--help'], { columns: 400 });
    for (const setting of settings) {
      expect(stdout).toContain(`--${setting.name} ${setting.value}`);
      expect(stdout).toContain(environmentName(setting.name));
      expect(configName(setting.name)).toMatch(/^[a-z]+([A-Z][a-z]+)*$/);
    }
  });
});
