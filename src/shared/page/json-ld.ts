/**
 * The publication date that a JSON-LD block names (schema.org). The graph of a page also dates its comments, reviews
 * and embedded things, so an article's date counts first, a page's next, and a comment's never.
 */
export interface DatedByJsonLd {
  readonly written: string;
  readonly ofArticle: boolean;
}

export function datesInJsonLd(script: string): DatedByJsonLd[] {
  const dates: DatedByJsonLd[] = [];
  const waiting: unknown[] = [parsed(script)];
  for (let seen = 0; waiting.length > 0 && seen < NODES; seen += 1) {
    const node = waiting.pop();
    if (typeof node !== 'object' || node === null) continue;
    if (isForeign(node)) continue;
    const values: [string, unknown][] = Object.entries(node);
    dates.push(...datesOf(node, values));
    // The last is taken first: reversed, the first of the document comes first.
    waiting.push(
      ...values
        .map(([, value]) => value)
        .slice(0, NODES)
        .reverse(),
    );
  }
  return dates;
}

/** Objects looked at in one script: thousands are a catalogue, not an article. */
const NODES = 5_000;
const DATES: ReadonlySet<string> = new Set(['datePublished', 'datePosted', 'uploadDate']);
const ARTICLE = /Article$|^(?:BlogPosting|LiveBlogPosting|Report|Recipe|HowTo|DiscussionForumPosting)$/;
const FOREIGN = /^(?:Comment|Review|UserReview|Answer|Rating|Person|Organization|ImageObject)$/;

function isForeign(node: object): boolean {
  return typesOf(node).some((type) => FOREIGN.test(type));
}

function datesOf(node: object, values: readonly [string, unknown][]): DatedByJsonLd[] {
  const ofArticle = typesOf(node).some((type) => ARTICLE.test(type));
  return values.flatMap(([key, value]) => {
    const written: unknown = Array.isArray(value) ? value[0] : value;
    return DATES.has(key) && typeof written === 'string' ? [{ written, ofArticle }] : [];
  });
}

function typesOf(node: object): string[] {
  const type: unknown = '@type' in node ? node['@type'] : undefined;
  const types: unknown[] = Array.isArray(type) ? type : [type];
  return types.filter((name) => typeof name === 'string').map((name) => name.replace(/^.*[/:#]/, ''));
}

/** Old templates wrap scripts in comments or CDATA, and broken ones put raw line ends into strings. */
function parsed(script: string): unknown {
  const bare = script.trim().replace(OPENING, '').replace(CLOSING, '');
  try {
    return JSON.parse(bare);
  } catch {
    try {
      return JSON.parse(bare.replace(/[\n\r\t]+/g, ' '));
    } catch {
      return undefined;
    }
  }
}

const OPENING = /^(?:(?:\/\/|\/\*)?\s*(?:<!\[CDATA\[|<!--)\s*(?:\*\/)?\s*)+/;
const CLOSING = /(?:\s*(?:\/\/|\/\*)?\s*(?:\]\]>|-->)\s*(?:\*\/)?)+;?$/;
