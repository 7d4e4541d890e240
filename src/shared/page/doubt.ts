import { contentOf } from './content.ts';
import type { Page } from './page.ts';

/**
 * What is hard to believe of a visit. Servers answer 200 with half a page, an empty frame or a question whether the
 * visitor is human; taken for the page, each would be a mass deletion now and a mass insertion at the next visit.
 */

/** A sentence, when most of the page's text is gone: to be looked at again before it is believed. */
export function massDeletion(before: Page | undefined, after: Page): string | undefined {
  if (!before) return undefined;
  const was = lengthOf(before);
  const is = lengthOf(after);
  if (was < LEAST_LENGTH || is >= was * LEAST_SHARE) return undefined;
  return `Of ${was} characters of text ${is} are left; it is looked at again before that is believed.`;
}

/** A sentence, when a page asks the visitor to prove or accept something instead of saying what it has to say. */
export function challenge(page: Page): string | undefined {
  const content = contentOf(page);
  if (lengthOf(page) > CHALLENGE_LENGTH) return undefined;
  const headline = content.find(({ kind }) => kind === 'heading')?.text;
  const said = [page.title, headline].find((text) => text !== undefined && CHALLENGES.test(text));
  const first = content.find(({ text }) => SENTENCES.test(text))?.text;
  const found = said ?? first;
  return found === undefined
    ? undefined
    : `The page is a challenge or a consent form, not the page: "${found.slice(0, 100)}".`;
}

/** Characters: below them a page may well halve by one edit. */
const LEAST_LENGTH = 500;
const LEAST_SHARE = 0.2;
/** Characters of a challenge page; an article about captchas is longer. */
const CHALLENGE_LENGTH = 1_500;

/** Titles and headlines of the common ones, anchored: a news item may have such words inside. */
const CHALLENGES =
  /^(?:just a moment(?:\.\.\.|…)?|attention required!|access (?:to this page has been )?denied|(?:are )?you (?:are )?(?:a )?(?:robot|human)\??|robot (?:check|or human\?)|human verification|security (?:check|verification)|captcha|verify(?:ing)? (?:that )?you are (?:a )?human|checking your browser|one more step|please wait(?:\.\.\.|…)?|ddos[- ]guard|pardon our interruption|before you continue(?: to .{1,40})?|bot verification|request (?:blocked|unsuccessful)|performing security verification)(?:$| [|–-] )/i;
const SENTENCES =
  /^(?:(?:please )?(?:enable|turn on) (?:javascript(?: and cookies)?|cookies) (?:and (?:disable any ad ?blocker|reload the page)|to continue)|checking (?:if the site connection is secure|your browser before accessing)|(?:please )?verify (?:that )?you are (?:a )?human|(?:please )?(?:complete|solve) the (?:captcha|security check)|our systems have detected unusual traffic|we (?:just )?need to (?:make sure|verify) (?:that )?you(?:'re| are) (?:not a robot|human)|why have i been blocked\?|press (?:&|and) hold to confirm you are|performance & security by cloudflare)/i;

function lengthOf(page: Page): number {
  return contentOf(page).reduce((sum, { text }) => sum + text.length, 0);
}
