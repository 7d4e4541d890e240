/**
 * The publication date that a JSON-LD block names (schema.org). The graph of a page also dates its comments, reviews
 * and embedded videos, so it matters whose date it is; a comment's is left out.
 */
export interface DatedByJsonLd {
  readonly written: string;
  readonly of: 'article' | 'page' | 'upload';
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
const ARTICLE = /Article$|^(?:BlogPosting|LiveBlogPosting|Report|Recipe|HowTo|DiscussionForumPosting)$/;
const FOREIGN = /^(?:Comment|Review|UserReview|Answer|Rating|Person|Organization|ImageObject)$/;

function isForeign(node: object): boolean {
  return typesOf(node).some((type) => FOREIGN.test(type));
}

function datesOf(node: object, values: readonly [string, unknown][]): DatedByJsonLd[] {
  const published = typesOf(node).some((type) => ARTICLE.test(type)) ? 'article' : 'page';
  return values.flatMap(([key, value]): DatedByJsonLd[] => {
    const written: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof written !== 'string') return [];
    if (key === 'datePublished') return [{ written, of: published }];
    return key === 'datePosted' || key === 'uploadDate' ? [{ written, of: 'upload' }] : [];
  });
}

function typesOf(node: object): string[] {
  const type: unknown = '@type' in node ? node['@type'] : undefined;
  const types: unknown[] = Array.isArray(type) ? type : [type];
  return types.filter((name) => typeof name === 'string').map((name) => name.replace(/^.*[/:#]/, ''));
}

/**
 * Old templates wrap scripts in comments or CDATA, and broken ones put raw line ends into strings. So only what lies
 * between the outermost braces is read; taking wrappers away by a pattern is a trap of backtracking, in a script of
 * thousands of spaces. The brackets are for the lists of objects that some scripts are.
 */
function parsed(script: string): unknown {
  const objects = `[${script.slice(script.indexOf('{'), script.lastIndexOf('}') + 1)}]`;
  try {
    return JSON.parse(objects);
  } catch {
    try {
      return JSON.parse(objects.replace(/[\n\r\t]+/g, ' '));
    } catch {
      return undefined;
    }
  }
}
