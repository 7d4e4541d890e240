import { isDeepStrictEqual } from 'node:util';
import type { WatchOptions } from '../src/shared/api/watch.ts';
import { NO_OPTIONS } from '../src/shared/api/watch-values.ts';
import { WATCH_IGNORES, WATCH_OPTION_LENGTH, WATCH_SELECTORS } from '../src/shared/limits.ts';
import { extract } from '../src/shared/page/read/extract.ts';
import { readFetched } from '../src/shared/page/select/watch-reading.ts';
import { Problem } from '../src/daemon/problem.ts';
import { emptyCatalog } from '../src/daemon/storage/catalog.ts';
import { analysisOptions, optionsWith } from '../src/daemon/watch/watches.ts';
import { attemptLater, type Broken, type Stopwatch, timedLater } from './fuzz-attempt.ts';
import { inputFrom } from './fuzz-mutation.ts';

const MATERIAL = {
  documents: [
    'select main > p.price:not(.old)\nignore nav, footer a[href^="/x" i]\nignore /^Updated \\d+/i',
    'select article :is(h1, h2) + p:nth-child(2n+1 of .a)\nselect #a~b:has(> img)\nignore :root',
    'trigger added:ferry AND NOT removed:"a b"~2\nignore /(a|b)*c{1,20}/',
    'select [data-x="\\"y"]:contains("Price")\ntrigger $none OR dr:[10 TO *]\nignore /[[:alpha:]]+\\b/',
  ],
  pieces:
    'select ignore trigger \nselect \nignore \ntrigger / /i /g * > + ~ | || , :: : :not( :is( :has( :has(*:has(* :nth-child( 2n+1 -0n+9999999999 of :first :eq(1) :contains(" :icontains(x) :parent :root :scope :empty :host ) ( [ ] [a [a=" i] s] = ^= $= *= != ~= " \' \\ \\0 \\110000 \\a0 #a .b 1 --x & @ ; { } /* */ a{1000}{1000} (?i) (?P<n> (?<=a) \\1 \\p{Han} \\pN \\C [^ [a-] [z-a] (((( a** .* $ ^ \\Q \\E added: AND NOT "a" TO $f'.split(
      ' ',
    ),
  heavyLength: 3_000,
};

/** Of processor time. Looking for what is selected is counted in steps, and those of a page may take a second. */
const OPTIONS_MS = 250;
const READING_MS = 3_000;

const PAGE = `<!doctype html><html><head><title>Prices</title></head><body><nav><a href=/x>Home</a></nav><main id=a>
<article class="a b"><h1>Rope</h1><p class="price old" data-x='"y'>Price: 3</p><p class=price>Price: 4 aac</p></article>
${'<div><ul><li class=a>Ferry <b>1</b><li>Tram <i>Updated 12</i></ul></div>'.repeat(30)}</main><footer><a href="/X1">x</a></footer></body></html>`;
const BODY = { url: 'https://www.example.com/', contentType: 'text/html', bytes: new TextEncoder().encode(PAGE) };

export function inputOf(seed: number, number: number): string {
  return inputFrom(MATERIAL, seed, number);
}

/** An option a line, its kind first: each is refused in a sentence with its place, or can be used on a page. */
export async function check(input: string, stopwatch: Stopwatch = () => undefined): Promise<Broken | undefined> {
  const given = optionsIn(input);
  const place = { catalog: emptyCatalog(), organizationId: 'o' };
  const made = await attemptLater('throws', () =>
    timedLater('options', OPTIONS_MS, stopwatch, () => accepted(given, place)),
  );
  if ('check' in made) return made;
  const { options, refusal } = made.result;
  if (refusal) return refused(refusal);
  const judged = analysisOptions(options, place.catalog, place.organizationId);
  const read = (): ReturnType<typeof readFetched> => readFetched(BODY, judged, 0, async (body) => extract(body));
  const page = await attemptLater('throws', () => timedLater('read', READING_MS, stopwatch, read));
  if ('check' in page) return page;
  if (
    page.result.outcome === 'failed' &&
    (page.result.detail === '' || page.result.detail.length > 2_000 + input.length)
  ) {
    return { check: 'detail', detail: page.result.detail.slice(0, 500) };
  }
  return isDeepStrictEqual(await read(), page.result) ? undefined : { check: 'twice', detail: 'another reading' };
}

/** As the schema of the request lets them through. */
function optionsIn(input: string): Partial<WatchOptions> {
  const lines = input.split('\n').map((line) => /^(select|ignore|trigger) ([\s\S]+)$/.exec(line) ?? []);
  const of = (kind: string, most: number): string[] =>
    lines
      .filter(([, found, text = '']) => found === kind && text.length <= WATCH_OPTION_LENGTH)
      .map(([, , text = '']) => text)
      .slice(0, most);
  const [trigger = NO_OPTIONS.trigger] = of('trigger', 1);
  return { select: of('select', WATCH_SELECTORS), ignore: of('ignore', WATCH_IGNORES), trigger };
}

type Accepted = { options: WatchOptions; refusal?: undefined } | { options?: undefined; refusal: Problem };

async function accepted(given: Partial<WatchOptions>, place: Parameters<typeof optionsWith>[1]): Promise<Accepted> {
  try {
    return { options: await optionsWith(given, place) };
  } catch (refusal) {
    if (refusal instanceof Problem) return { refusal };
    throw refusal;
  }
}

function refused({ code, facts }: Problem): Broken | undefined {
  const { field, message = 'x' } = facts as { field?: unknown; message?: string };
  const isNamed = ['select', 'ignore', 'trigger'].includes(String(field)) && message.length > 0;
  const isShort = message.length < 4 * WATCH_OPTION_LENGTH;
  if (isNamed && isShort) return undefined;
  return { check: 'refusal', detail: `${code} ${JSON.stringify(facts).slice(0, 500)}` };
}
