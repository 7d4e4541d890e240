import { isDeepStrictEqual } from 'node:util';
import { ROBOTS_SITEMAPS, URL_LENGTH } from '../src/shared/limits.ts';
import { decide } from '../src/daemon/robots/robots.ts';
import { comparablePath, parseRobots, type Pattern, type RobotsRules, type Rule } from '../src/daemon/robots/parse.ts';
import { attempt, type Broken, type Stopwatch, timed } from './fuzz-attempt.ts';
import { inputFrom } from './fuzz-mutation.ts';

const MATERIAL = {
  documents: [
    'User-agent: *\nDisallow: /private/\nAllow: /private/a$\nCrawl-delay: 2\n\nUser-agent: hydrant\nDisallow: /*?id=*\nSitemap: https://example.com/sitemap.xml\n',
    '\ufeffuser-agent:Hydrant/1.0 (a note)\nuser-agent: other # note\ndissallow /a b\ndisallow: /caf%C3%a9*/x$\nallow:\n',
    '\u00ff\u00feU\0s\0e\0r\0-\0a\0g\0e\0n\0t\0:\0*\0\n\0D\0i\0s\0a\0l\0l\0o\0w\0:\0/\0',
  ],
  pieces:
    'User-agent: user-agent:* hydrant Disallow: Allow: disalow sitemap: Sitemap:https://example.com/s.xml Crawl-delay: 1.5 999999999 : # * ** *a* $ $$ /*$ /a*b*c /%2A %zz %7e % / ? & ; \r \n \r\n\n'.split(
      ' ',
    ),
  heavyLength: 600_000,
};

/** Of processor time: for whatever is small, and more for each character. */
const LIMIT_MS = 50;
const MS_A_CHARACTER = 0.001;
const URLS = [
  '/',
  '/robots.txt',
  '/private/a',
  '/private/ab?id=1&x=a*b$',
  '/a/b/c/caf%C3%A9/x',
  `/${'ab'.repeat(900)}`,
];

export function inputOf(seed: number, number: number): string {
  return inputFrom(MATERIAL, seed, number);
}

/** Of a robots.txt, each character a byte, or those of its UTF-8: is always read, decides as its rules do one by one. */
export function check(input: string, stopwatch: Stopwatch = () => undefined): Broken | undefined {
  const bytes = Buffer.from(input, /^[\0-\xff]*$/.test(input) ? 'latin1' : 'utf8');
  const limit = LIMIT_MS + bytes.length * MS_A_CHARACTER;
  const read = attempt('throws', () => timed('parse', limit, stopwatch, () => parseRobots(bytes, 'hydrant')));
  if ('check' in read) return read;
  const robots = read.result;
  return limits(robots) ?? URLS.map((path) => decided(robots, path, limit, stopwatch)).find(Boolean);
}

function limits({ sitemaps, crawlDelay, rules }: RobotsRules): Broken | undefined {
  const isFit = sitemaps.length <= ROBOTS_SITEMAPS && sitemaps.every(({ length }) => length <= URL_LENGTH);
  if (!isFit) return { check: 'limits', detail: 'sitemaps' };
  if (crawlDelay !== undefined && !(crawlDelay >= 0 && crawlDelay <= 1e9)) {
    return { check: 'limits', detail: `delay ${crawlDelay}` };
  }
  const isOwn = rules.every(({ pattern }) => pattern.pieces.length > 0);
  return isOwn ? undefined : { check: 'limits', detail: 'an empty pattern' };
}

function decided(robots: RobotsRules, path: string, limit: number, stopwatch: Stopwatch): Broken | undefined {
  const url = new URL(path, 'https://example.com');
  const said = attempt('throws', () => timed('decide', limit, stopwatch, () => decide(robots, url)));
  if ('check' in said) return said;
  if (robots.rules.length > TWIN_RULES) return undefined;
  const twin = decidedByAll(robots.rules, url);
  if (isDeepStrictEqual(said.result.rule, twin)) return undefined;
  return { check: 'twin', detail: `${path}: ${JSON.stringify([said.result.rule, twin])}` };
}

/** The twin takes its time. */
const TWIN_RULES = 200;

function decidedByAll(rules: readonly Rule[], url: URL): Rule | undefined {
  const path = comparablePath(url);
  if (path === '/robots.txt') return undefined;
  const isBefore = (one: Rule, other: Rule): boolean =>
    one.pattern.length !== other.pattern.length
      ? one.pattern.length > other.pattern.length
      : one.allows !== other.allows
        ? one.allows
        : one.line < other.line;
  return rules
    .filter(({ pattern }) => matchesSlowly(pattern, path))
    .reduce<Rule | undefined>((best, rule) => (best && !isBefore(rule, best) ? best : rule), undefined);
}

/** All places that each piece can end at, one piece after another. */
function matchesSlowly({ pieces, isAnchored }: Pattern, path: string): boolean {
  const [first = '', ...rest] = pieces;
  let ends = path.startsWith(first) ? [first.length] : [];
  for (const piece of rest) {
    const least = Math.min(...ends);
    const all = Array.from({ length: path.length + 1 }, (_, at) => at);
    ends = all.filter((at) => at - piece.length >= least && path.slice(at - piece.length, at) === piece);
  }
  return isAnchored ? ends.includes(path.length) : ends.length > 0;
}
