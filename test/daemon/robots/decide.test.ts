import { describe, expect, test } from 'vitest';
import { decide } from '../../../src/daemon/robots/robots.ts';
import { parseRobots } from '../../../src/daemon/robots/parse.ts';
import { type RobotsVector, robotsVectors } from './vectors.ts';

function isAllowed(robots: string | Uint8Array, path: string, agent = 'hydrant'): boolean {
  const file = typeof robots === 'string' ? Buffer.from(robots) : robots;
  return decide(parseRobots(file, agent), new URL(path, 'http://site.test/')).isAllowed;
}

function answer({ robots = '', robots_b64: base64, agent, url }: RobotsVector): boolean {
  const file = base64 === undefined ? Buffer.from(robots) : Buffer.from(base64, 'base64');
  return isAllowed(file, url, agent);
}

/** Where we decided against Google: see docs/crawl.md. */
const DECLINED = new Set(['g.index-html.1']);

describe('a rule decides', () => {
  test('there are vectors of each kind', () => {
    const count = (tag: RobotsVector['tags'][number]): number =>
      robotsVectors.filter(({ tags }) => tags.includes(tag)).length;
    expect([count('rfc') >= 79, count('google') >= 19, count('rfc-strict') >= 1]).toEqual([true, true, true]);
  });

  const agreed = robotsVectors.filter(({ id }) => !DECLINED.has(id));
  test.each(agreed.map((vector) => [vector.id, vector.url, vector] as const))('%s: %s', (_id, _url, vector) => {
    expect(answer(vector)).toBe(vector.allowed);
  });

  test.each(robotsVectors.filter(({ id }) => DECLINED.has(id)))('$id: declined, so not allowed', (vector) => {
    expect([vector.tags, vector.allowed, answer(vector)]).toEqual([['google'], true, false]);
  });
});

describe('paths are compared by what they mean', () => {
  test.each([
    ['/%7Ejoe/', '/~joe/x'],
    ['/~joe/', '/%7ejoe/x'],
    ['/foo/%62%61%7A', '/foo/baz'],
    ['/caf\u00e9', '/caf%c3%a9'],
    ['/caf%c3%a9', '/caf\u00e9'],
    ['/a b', '/a%20b'],
    ['/a*b', '/a/x/b'],
    ['/price%24', '/price$'],
    ['/a$b', '/a$b'],
    ['/star-%2A.html', '/star-*.html'],
    ["/*'", "/x?name='"],
    ['/\u00e0', '/%C3%A0'],
    ['*.pdf$', '/a/b.pdf'],
    ['/a/*$', '/a/'],
    ['/***/x', '/y/x'],
  ])('%s disallows %s', (rule, path) => expect(isAllowed(`User-agent: *\nDisallow: ${rule}`, path)).toBe(false));

  test.each([
    ['/a%2Fb', '/a/b'],
    ['/a%3Fb', '/a?b'],
    ['/star-%2A.html', '/star-x.html'],
    ['/price$', '/price$/list'],
    ['/a*bc$', '/abcd'],
    ['/aba*aba', '/ababa'],
    ['/ab*ba$', '/aba'],
    ['/x/', '/x'],
  ])('%s says nothing about %s', (rule, path) =>
    expect(isAllowed(`User-agent: *\nDisallow: ${rule}`, path)).toBe(true),
  );

  test('robots.txt itself is always allowed', () => {
    expect(isAllowed('User-agent: *\nDisallow: /', '/robots.txt')).toBe(true);
    expect(isAllowed('User-agent: *\nDisallow: /', '/robots.txt.html')).toBe(false);
  });

  test('the rule is told with its line and as it is compared', () => {
    const { rules } = parseRobots(Buffer.from('# ours\r\nUser-agent: *\r\nAllow: /\r\nDisallow: /a*b$'), 'hydrant');
    const { rule } = decide({ rules }, new URL('http://site.test/a/b'));
    expect(rule).toMatchObject({ allows: false, line: 4, pattern: { pieces: ['/a', 'b'], isAnchored: true } });
  });
});
