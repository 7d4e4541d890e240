import type { Page } from '../../page/page.ts';
import type { Evidence } from './evidence.ts';
import type { Signs } from './signs.ts';

/**
 * Adds what makes a forum: words for replies, views, who wrote last and who joined when, and links to threads and to
 * those who write. The first page of a forum (`home`) is that before it is a home page.
 */
export function forumClues(page: Page, signs: Signs, evidence: Evidence, home: boolean): void {
  const forum = forumOf(page, signs);
  const isLinked = linked(forum, home, evidence.speaks);
  if (!isLinked && !forum.isWorded && !(forum.named && agreed(forum, home))) return;
  const isThread = !home && (signs.of('forum joined') >= 2 || signs.of('forum quote') >= 2);
  const value = `/User_Generated_Content/${isThread ? 'Forum_Thread' : 'Discussions'}`;
  const reason = forum.isWorded ? `${forum.words} words of a forum` : `links to ${forum.threads} threads`;
  evidence.add({ value, points: home ? HOME : isLinked ? 9 : 8, reason });
}

interface Forum extends Linked {
  readonly words: number;
  /** Whether the words suffice, and whether the site or the title says forum. */
  readonly isWorded: boolean;
  readonly named: boolean;
}

function forumOf(page: Page, signs: Signs): Forum {
  const words = signs.distinct('forum');
  const isWorded = words >= WORDS && signs.total('forum') >= 2 * WORDS;
  const names = [URL.parse(page.url)?.hostname, page.title, page.facts.siteName].join(' ');
  return { ...linksOf(page), words, isWorded, named: NAMED.test(names.toLowerCase()) };
}

/** A magazine links to topics and to threads too: where the page is something else, something must agree. */
function linked({ threads, members, share, words, named }: Forum, home: boolean, isOther: boolean): boolean {
  if (threads < THREADS || (home && share < SHARE)) return false;
  return named || words > 0 || members >= MEMBERS || (!home && !isOther);
}

function agreed({ words, threads, members }: Forum, home: boolean): boolean {
  return (home || members >= MEMBERS) && (words >= 2 || threads >= MEMBERS);
}

/** Signs of a forum, and links to threads, that make one. */
const WORDS = 3;
const THREADS = 6;
const MEMBERS = 3;
/** Part of all links of a home page: a magazine shows some threads too. */
const SHARE = 0.25;
/** More than those of a home page. */
const HOME = 12;
const LINKS = 400;

interface Linked {
  /** Different threads and boards, and people, that the page leads to; and the threads' part of all its links. */
  readonly threads: number;
  readonly members: number;
  readonly share: number;
}

function linksOf({ anchors }: Page): Linked {
  const [threads, members] = [new Set<string>(), new Set<string>()];
  const content = anchors.filter(({ zone }) => zone !== 'chrome').slice(0, LINKS);
  for (const { href } of content) {
    const thread = THREAD.exec(href)?.[0];
    if (thread !== undefined) threads.add(thread);
    const member = MEMBER.exec(href)?.[0];
    if (member !== undefined) members.add(member);
  }
  const targets = new Set(content.map(({ href }) => href)).size;
  return { threads: threads.size, members: members.size, share: threads.size / Math.max(1, targets) };
}

/** Addresses that programs of forums give to threads and to boards. */
const THREAD =
  /\/(?:discussions?|threads?)\/[^/?#]+|\/questions?\/(?:\d+|[^/?#]+-[^/?#]+-[^/?#]+)|\/topics?\/[^/?#]*\d[^/?#]*|\/(?:forumdisplay|viewforum)\.php\?[^#]+|\/(?:viewtopic|showthread)\.php\?[^#]+|\/t\/[^/]+\/\d+|\/index\.php\?(?:topic|board|showtopic|showforum)=[^#]+|\/(?:forums?|boards?)\/[^/?#]+|[/_-](?:topic|thread|forum)[-_]?\d+[^/?#]*|\/[ft]\d+[-/][^?#]*/i;
const MEMBER =
  /\/(?:members?|users?|u|profiles?|memberlist|author)(?:\.php\?[^#]*\bu=\d+|\/[^/?#]+)|\/[^/]*\buser-?\d+|[?&;](?:u|user|mid|showuser)=\d+/i;
const NAMED =
  /forums?(?!\p{L}{3})|\bcommunity\b|\bboards?\b|\bquestions\b|\banswers\b|\bforen\b|\bforo\b|форум|掲示板|フォーラム|论坛/u;
