import { describe, expect, test } from 'vitest';
import { browse, browserOf } from '../../../src/cli/runtime/browser.ts';

describe('the browser', () => {
  test.each([
    [{}, 'linux', ['xdg-open', 'https://example.org/']],
    [{}, 'darwin', ['open', 'https://example.org/']],
    [{ BROWSER: 'firefox' }, 'linux', ['firefox', 'https://example.org/']],
    [{ BROWSER: 'w3m -T %s -o x:lynx' }, 'linux', ['w3m', '-T', 'https://example.org/', '-o', 'x']],
    [{ BROWSER: ' ' }, 'linux', ['xdg-open', 'https://example.org/']],
  ] as const)('with %j on %s is %j', (environment, platform, words) => {
    expect(browserOf('https://example.org/', environment, platform)).toEqual(words);
  });

  test.each(['javascript:alert(1)', 'file:///etc/passwd', '-version', ''])('is not handed %j', (address) => {
    expect(() => browserOf(address, {}, 'linux')).toThrow('no page for a browser');
  });

  test('that cannot be run is said to be none', async () => {
    const environment = { BROWSER: '/nowhere/browser' };
    await expect(browse('https://example.org/', environment, 'linux')).rejects.toThrow(
      'no browser: /nowhere/browser cannot be run; set BROWSER',
    );
  });

  test('takes a URL as one word, whatever is in it', () => {
    expect(browserOf('https://example.org/a b;$(reboot)', {}, 'linux')).toEqual([
      'xdg-open',
      'https://example.org/a%20b;$(reboot)',
    ]);
  });
});
