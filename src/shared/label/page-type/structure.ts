import type { Page } from '../../page/page.ts';
import type { Evidence } from './evidence.ts';
import type { Counts } from './counts.ts';
import { linkClues, offerClues } from './offers.ts';
import { forumClues } from './forum.ts';
import { decoded, type Written } from './path.ts';
import { type Signs, signsOf } from './signs.ts';

/**
 * Adds what the things on the page say, where nothing louder has spoken. What programs write around posts and
 * recipes is heard even at an address that says otherwise: a forum stands at `/` too.
 */
export function structureClues(
  page: Page,
  counts: Counts,
  evidence: Evidence,
  { isWritten, home }: { readonly isWritten: boolean; readonly home: boolean },
): void {
  if (evidence.has('/Core_Page', 8) && !home) return;
  const signs = signsOf(page);
  forumClues(page, signs, evidence, home);
  if (home) return;
  kindClues(page, counts, signs, evidence);
  mediaClues(page, counts, evidence);
  if (isWritten || evidence.has('/Article', 6)) return;
  if (evidence.has('/Article', 5) || evidence.has('/User_Generated_Content', 8)) return;
  offerClues(page, counts, signs, evidence);
  linkClues(page, evidence);
  if (!evidence.speaks) textClues(page, counts, evidence);
}

function kindClues(
  { links, facts }: Page,
  { amounts, prose, teasers }: Counts,
  signs: Signs,
  evidence: Evidence,
): void {
  const { article = 0, time = 0 } = facts.counts;
  if (signs.of('recipe heading') > 0 && amounts >= AMOUNTS)
    evidence.add({ value: '/Article/Recipe', points: 8, reason: `ingredients, ${amounts} with an amount` });
  if (signs.of('blog older') > 0 && Math.max(article, time, teasers) >= TEASERS)
    evidence.add({ value: '/Core_Page/Blog_Index', points: 6, reason: 'texts, and a link to older ones' });
  if (signs.distinct('docs') >= 2 && prose > 0)
    evidence.add({ value: '/Document/Manual', points: 7, reason: 'words around a page of documentation' });
  const edits = links.filter((href) => EDITS.test(href)).length;
  if (edits >= 2 && prose > 0)
    evidence.add({ value: '/Article/Wiki', points: 8, reason: `${edits} links to edit or to special pages` });
}

const AMOUNTS = 3;
/** Addresses that wikis have: to edit, and pages about pages. */
const EDITS =
  /[?&](?:action|do)=(?:edit|history|revisions)\b|\/(?:special|spezial|especial|spécial|speciale|speciaal|служебная|help|hilfe):/i;

function mediaClues(page: Page, { prose, anchors }: Counts, evidence: Evidence): void {
  const { audio = 0, video = 0, image = 0 } = page.facts.counts;
  const reason = podcastReason(page, audio);
  if (reason !== undefined) evidence.add({ value: '/Audio/Podcast', points: 9, reason });
  else if (audio > 0 && prose < LONG && video === 0 && image < MANY)
    evidence.add({ value: '/Audio', points: 6, reason: 'a recording, and little text' });
  if (video === 1 && prose < LONG / 2 && anchors < MANY)
    evidence.add({ value: '/Video', points: 6, reason: 'a video, and little text' });
}

/** The site calls itself one, or the page does beside a recording; an article about podcasts does neither. */
function podcastReason(page: Page, audio: number): string | undefined {
  const { url, title = '', facts, links } = page;
  const site = [URL.parse(url)?.hostname, facts.siteName, title.split(/\s[|–—·-]\s/).at(-1)].join(' ');
  const said = `${site} ${facts.description ?? ''} ${facts.sections.join(' ')}`;
  if (audio > 0 && PODCAST.test(said)) return 'a recording, and the word podcast';
  if (PODCAST.test(site)) return placesToHear(links) > 0 ? 'a site of podcasts' : undefined;
  const isHeard = isEpisode(page) && placesToHear(links) >= (audio > 0 ? 1 : 2);
  return isHeard ? 'an episode, and where to hear it' : undefined;
}

function isEpisode({ title = '', url }: Page): boolean {
  return EPISODE.test(title.toLowerCase()) || PODCAST.test(title) || EPISODE_PATH.test(url);
}

function placesToHear(links: Page['links']): number {
  const players = new Set(links.map((href) => PLAYERS.exec(href)?.[0]));
  players.delete(undefined);
  return players.size;
}

const EPISODE =
  /\b(?:episode|ep\.?|folge|episodio|épisode|episódio|puntata|aflevering|odcinek|avsnitt|выпуск|bölüm) ?#?\d+|\bs\d+ ?e\d+\b|第\d+回|^#?\d{1,4}\s?[:|–—-]\s/u;
const EPISODE_PATH = /\/(?:podcasts?|episodes?|folgen?|episodios?|aflevering(?:en)?|odcinki|shows?)\//i;

/** Where podcasts are heard, and their files. */
const PLAYERS =
  /podcasts\.apple\.com|itunes\.apple\.com\/[^?]*podcast|open\.spotify\.com\/(?:show|episode)|podcasts\.google|overcast\.fm|pca\.st|deezer\.com\/[^?]*show|castbox\.fm|stitcher\.com|soundcloud\.com|\.(?:mp3|m4a)(?:$|\?)/i;
const PODCAST = /podcast|подкаст|ポッドキャスト|播客/i;

function textClues(page: Page, counts: Counts, evidence: Evidence): void {
  const { article = 0, time = 0 } = page.facts.counts;
  if (counts.teasers >= TEASERS || (time >= TEASERS && counts.beside > BESIDE)) {
    const reason = `${article} beginnings of texts`;
    if (article >= TEASERS) evidence.add({ value: '/Core_Page/Blog_Index', points: 6, reason });
  } else if (isText(counts)) {
    const isOne = counts.priced < MANY && isSlug(page.url);
    const reason = page.publishTime ? 'long text with a date' : 'long text of one subject';
    if (page.publishTime || isOne) evidence.add({ value: '/Article', points: 5, reason });
  }
}

function isText({ prose, linked, beside }: Counts): boolean {
  return prose >= LONG && linked * LINKED <= prose && beside <= BESIDE + prose / PROSE_OF_ONE_BESIDE;
}

/** Things of a kind that make a list, and characters of prose that make an article. */
const MANY = 6;
const LONG = 900;
const TEASERS = 4;
/** Links beside an article at most, and how much longer its prose is than the links in it. */
const BESIDE = 24;
/** Characters of prose that allow one link beside it more: below a long article stand previews of many others. */
const PROSE_OF_ONE_BESIDE = 60;
const LINKED = 4;

/**
 * What says that the page is an article: its markup, date and text, or its date and text alone. Its folders are then
 * sections of a magazine.
 */
export function writtenBy(page: Page, counts: Counts, evidence: Evidence): Written | undefined {
  if (page.publishTime === undefined || counts.prose < LONG) return undefined;
  if (evidence.has('/Article', 5)) return 'markup';
  return isText(counts) && counts.priced < MANY ? 'text' : undefined;
}

/** An address that ends with a sentence: four words or more. */
function isSlug(url: string): boolean {
  return /(?:[\p{L}]{2,}[-_]){3,}[\p{L}]{2,}[^/]*\/?$/u.test(decoded(URL.parse(url)?.pathname ?? ''));
}
