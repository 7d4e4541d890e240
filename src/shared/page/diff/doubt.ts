import { contentLength, contentOf } from '../structure/content.ts';
import { type IsBoilerplate, Keys } from '../structure/boilerplate.ts';
import type { Page } from '../page.ts';

/**
 * What is hard to believe of a visit. Servers answer 200 with half a page, an empty frame or a question whether the
 * visitor is human; taken for the page, each would be a mass deletion now and a mass insertion at the next visit.
 */

/** A sentence, when most of the page's text is gone: to be looked at again before it is believed. */
export function massDeletion(
  before: Page | undefined,
  after: Page,
  isBoilerplate: IsBoilerplate = () => false,
): string | undefined {
  if (!before) return undefined;
  const was = ownLengthOf(before, isBoilerplate);
  const is = ownLengthOf(after, isBoilerplate);
  if (was < LEAST_LENGTH || is >= was * LEAST_SHARE) return undefined;
  return `Of ${was} characters of text ${is} are left; the page is visited again before this is accepted.`;
}

/** A sentence, when a page asks the visitor to prove or accept something instead of saying what it has to say. */
export function challenge(page: Page): string | undefined {
  const length = contentLength(page);
  if (length > CHALLENGE_LENGTH) return undefined;
  const content = contentOf(page);
  const headline = content.find(({ kind }) => kind === 'heading')?.text;
  const asksForConsent = content.some(({ text }) => /cookie/i.test(text));
  const isSaid = (text = ''): boolean =>
    CHALLENGES.test(text) ||
    (asksForConsent && CONSENTS.test(text)) ||
    (length <= BARE_LENGTH && WORDS_OF_OTHERS.test(text));
  const said = [page.title, headline].find(isSaid);
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
/** Characters of one that says little but its title; a page that explains a security check is longer. */
const BARE_LENGTH = 400;

/** As a whole title or headline, before or behind the name of a site; a news item may have such words inside. */
const whole = (...titles: readonly string[]): RegExp =>
  new RegExp(`^(?:[^|–—]{1,40} (?:[|–—]|-) )?(?:${titles.join('|')})(?:\\.{3}|[…!?.])*(?:$| (?:[|–—]|-) )`, 'iu');

/** Titles and headlines of the common ones, in the languages they are served in. */
const CHALLENGES = whole(
  'just a moment',
  '(?:(?:nur )?einen moment(?:,? bitte)?|un instant|un momento|um momento|un attimo|een moment(?: geduld)?|один момент|bir dakika(?: lütfen)?|しばらくお待ちください|请稍候|請稍候)(?:\\.{3}|…)',
  'attention required!?',
  'access to this page has been denied',
  '(?:are )?you (?:are )?(?:a )?(?:robot|human)',
  'robot or human',
  'human verification',
  "making sure you['’]re not a bot",
  'verify(?:ing)? (?:that )?you are (?:a )?human',
  'checking your browser',
  'ddos[- ]guard',
  'pardon our interruption',
  'bot verification',
  'client challenge',
  'request (?:blocked|unsuccessful)',
  'performing security verification',
);
/** Believed of a page that speaks of cookies: other pages begin so, too. */
const CONSENTS = whole(
  'before you continue(?: to .{1,40})?',
  'bevor sie .{1,40}(?:weitergehen|fortfahren)',
  "avant (?:de continuer|d['’]accéder à .{1,40})",
  'antes de (?:ir|continuar) a .{1,40}',
  'prima di continuare su .{1,40}',
  'voordat (?:je|u) verdergaat naar .{1,40}',
  'mit werbung (?:und tracking )?(?:weiterlesen|weitersurfen)',
  '(?:weiter)?lesen mit werbung(?: und tracking)?',
  '.{1,30} privacy gate',
);
/** Believed of a page that says little else. */
const WORDS_OF_OTHERS = whole(
  'access denied',
  'robot check',
  'security (?:check|verification)',
  'captcha',
  'one more step',
  'please wait',
);
const SENTENCES = new RegExp(
  `^(?:${[
    '(?:please )?(?:enable|turn on) (?:js|javascript|javascript and cookies|cookies) (?:and (?:disable any ad ?blocker|reload the page)|to continue)',
    'checking (?:if the site connection is secure|your browser before accessing)',
    '(?:please )?verify (?:that )?you are (?:a )?human',
    '(?:please )?(?:complete|solve) the (?:captcha|security check)',
    'our systems have detected unusual traffic',
    "we (?:just )?need to (?:make sure|verify) (?:that )?you(?:'re|’re| are) (?:not a robot|human)",
    'why have i been blocked\\?',
    'press (?:&|and) hold to confirm you are',
    'performance & security by cloudflare',
    'request unsuccessful\\.(?: incapsula|$)',
    'incapsula incident id',
    '.{1,30} is part of the yahoo family of brands',
    '.{1,30} ist teil der yahoo[- ]markenfamilie',
    '.{1,30} fait partie de la famille de marques yahoo',
  ].join('|')})`,
  'i',
);

/** Without what the site has on many pages, which an error page has, too. */
function ownLengthOf(page: Page, isBoilerplate: IsBoilerplate): number {
  const keys = new Keys(page);
  return contentOf(page).reduce(
    (sum, segment) => (isBoilerplate(keys.ofSegment(segment)) ? sum : sum + segment.text.length),
    0,
  );
}
