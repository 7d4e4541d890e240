import type { Known } from './schema.ts';
import { folderNamed, pageNamed } from './slugs.ts';
import type { Clue } from './evidence.ts';

/** An address, taken apart for the tables of words. */
export interface Address {
  readonly host: string;
  /** The names of its path without extensions, and those in its query, folded: `/Über-uns.html` is `uber-uns`. */
  readonly slugs: readonly string[];
  readonly extension: string;
  readonly path: string;
  readonly query: string;
}

export function addressOf(written: string): Address {
  const url = URL.parse(written);
  const path = decoded(url?.pathname ?? '');
  const names = path.split('/', NAMES).filter((name) => name !== '');
  const extension = /\.([a-z]{2,5}\d?)$/i.exec(names.at(-1) ?? '')?.[1] ?? '';
  const query = url?.search ?? '';
  const routes = [...query.slice(0, ROUTES_LENGTH).matchAll(ROUTE)].flatMap((match) =>
    decoded(match[1] ?? '').split('/', NAMES),
  );
  return {
    host: url?.hostname ?? '',
    slugs: [...names, ...routes].map(slugOf),
    extension: extension.toLowerCase(),
    path,
    query,
  };
}

/** Names of a path that are looked at. */
const NAMES = 12;
const ROUTES_LENGTH = 300;
/** Programs that put the path into the query: `?route=information/contact`. */
const ROUTE = /[?&](?:route|page|p|view|section|action|do|pagename|r)=([\p{L}%][^&]*)/giu;
/** A query that picks one of many things: `?id=12`. */
const PICKS = /[?&](?:[a-z]*_?(?:id|idx|no|nr)|v|f|t|tid|article|story|item)=[^&]/i;
const TRACKING = /(?<=[?&])(?:utm_\w+|[gf]clid|mc_[ce]id|ref|source|lang|hl|locale)(?:=[^&]*)?(?=&|$)/gi;

/** As it was meant; as it was written where that is broken. */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A name of a path, or a phrase of a title, as the tables write it: lower case, no accents, words joined by `-`. */
export function slugOf(name: string): string {
  return name
    .slice(0, SLUG_LENGTH)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .normalize('NFC')
    .replace(/\.(?:x?html?|php\d?|aspx?|jsp|do|cfm|action|shtml)$/, '')
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}&]+/gu, '-')
    .replace(/^(?:\d+-)+|^-|(?:-\d+)+$|-$/g, '');
}

const SLUG_LENGTH = 120;

/** Whether the address is that of a whole site, or of one of its languages. */
export function isHome({ slugs, path, query }: Address): boolean {
  const asks = query.replace(TRACKING, '').replace(/^[?&]+/, '') !== '';
  if (asks || path === '' || slugs.length > 2) return false;
  const rest = slugs.filter((slug, at) => !(at === 0 && LOCALE.test(slug)));
  return path === '/' || rest.every((slug) => HOME.has(slug));
}

const LOCALE = /^(?:[a-z]{2}|[a-z]{2}-[a-z]{2}|en-int|global|int)$/;
const HOME: ReadonlySet<string> = new Set([
  'index',
  'home',
  'homepage',
  'default',
  'startseite',
  'inicio',
  'accueil',
  'hjem',
  'start',
  'welcome',
  'hem',
  'forside',
  'strona-glowna',
  'glavnaya',
  'main',
  ...`hauptseite pagina-inicial pagina-principal principal portada etusivu domov domu uvod pocetna naslovnica kezdolap
  fooldal acasa anasayfa ana-sayfa beranda trang-chu startsida hjemmeside thuis главная головна начало αρχικη หน้าแรก
  الرئيسية خانه בית 首页 首頁 ホーム 홈 homepage-1 index-1`.split(/\s+/),
]);

const EXTENSIONS: ReadonlyMap<string, readonly [value: string, points: number]> = new Map([
  ['pdf', ['/Document', 7]],
  ['doc', ['/Document', 7]],
  ['docx', ['/Document', 7]],
  ['odt', ['/Document', 7]],
  ['ppt', ['/Document/Slide_Deck', 9]],
  ['pptx', ['/Document/Slide_Deck', 9]],
  ['odp', ['/Document/Slide_Deck', 9]],
  ['epub', ['/Document/Ebook', 9]],
  ['mobi', ['/Document/Ebook', 9]],
  ['dotx', ['/Document/Template', 9]],
  ['xltx', ['/Document/Template', 9]],
]);

/** Whole addresses that say what they lead to, whatever the names in them. */
const SHAPES: readonly (readonly [shape: RegExp, value: string, points: number, words: string])[] = [
  [
    /\/page[/-]\d+\/?(?:\?|$)|\/(?:seite|pagina|strona)[/-]\d+\/?(?:\?|$)/i,
    '/Core_Page/Blog_Index',
    9,
    'numbered page',
  ],
  [/^\/(?:[\w-]+\/)?(?:19|20)\d\d(?:\/\d\d)?(?:\/\d\d)?\/?(?:\?|$)/, '/Core_Page/Blog_Index', 8, 'archive of a time'],
  [/[-_/.]p[-_]?\d{3,}(?:[-_./?]|$)|[?&]product_?id=\d/i, '/Listing/Product', 6, 'number of a product'],
  [
    /\/@[\w.]+\/(?:(?:video|photo|post|status)\/)?\d{8,}|\/status(?:es)?\/\d{8,}|\/posts\/\d{8,}|\/profile\/[^/]+\/post\/|activity[:-]\d{10,}|\/wall-?\d+_\d+|\/pin\/\d+|\/(?:p|reel)\/(?=[\w-]*[A-Z])[\w-]{11}\/?(?:\?|$)|\/permalink\b|^\/[\w.]+\/(?:photos|videos)\/(?:[a-z]+\.[\d.]+\/)?\d{8,}/,
    '/User_Generated_Content/Social_Media_Post',
    9,
    'number of a post',
  ],
  [
    /\/viewtopic\b|\/showthread\b|\/t\/[^/]+\/\d+|[/_-](?:thread|topic)s?[-_/]?\d+|[?&](?:topic|showtopic|tid|thread)=\d/i,
    '/User_Generated_Content/Forum_Thread',
    9,
    'number of a thread',
  ],
  [
    /\/viewforum\b|\/forumdisplay\b|\/forum\.php(?:\?|$)|[?&](?:board|showforum|forumid)=\d/i,
    '/User_Generated_Content/Discussions',
    9,
    'address of a forum',
  ],
  [
    /\/[a-z-]*(?:forum|phpbb|vbulletin|\bsmf\b|\bbbs\b)[a-z-]*\/./i,
    '/User_Generated_Content/Discussions',
    7,
    'a forum',
  ],
  [/\/10\.\d{4,9}\//, '/Document/Research_Paper', 8, 'a DOI'],
  [/^\/(?:index\.\w+)?\?(?:page|paged|p|pg)=\d{1,4}$/, '/Core_Page/Blog_Index', 7, 'numbered page'],
  [/\/comments\/[a-z0-9]{5,}\//i, '/User_Generated_Content/Discussions', 8, 'number of a discussion'],
  [/\/(?:19|20)\d\d[/-]?(?:\d\d|[a-z]{3})[/-]?\d\d[/-]./i, '/Article', 5, 'dated address'],
  [/\/(?:19|20)\d\d\/\d\d\/(?!page\b)[^/?]*[a-z]{3}[^/?]*-/i, '/Article', 5, 'dated address'],
];

/** Words that say what a page is also inside a longer name: `/privacy-policy-eu`. */
const INSIDE: readonly (readonly [word: RegExp, value: string, points: number])[] = [
  [
    /(?:^|-)(?:privacy-(?:policy|notice|statement)|datenschutz(?:erklarung|erklaerung)?|politica-de-privacidade?|politique-de-confidentialite|privacybeleid)(?:-|$)/,
    '/Core_Page/Privacy_Policy_Page',
    8,
  ],
  [/(?:^|-)(?:legal-)?privacy(?:-\p{L}{2}){0,2}$/u, '/Core_Page/Privacy_Policy_Page', 8],
  [
    /(?:^|-)(?:terms-(?:of|and)-(?:use|service|services|conditions|sale)|nutzungsbedingungen|agb|tos)(?:-|$)/,
    '/Core_Page/T&C_Page',
    8,
  ],
  [/(?:^|-)(?:contact-us|kontaktformular)(?:-|$)/, '/Core_Page/Contact_Page', 7],
  [/^about-(?:us|our)-|-about-us$/, '/Core_Page/About_Page', 7],
];

/** What says that a page is an article. */
export type Written = 'markup' | 'text';

/** Where the page is an article a folder names a section of a magazine, and no thing on offer. */
export function pathClues(address: Address, written: Written | undefined): Clue[] {
  const { extension, path, query } = address;
  const clues: Clue[] = isHome(address) ? [{ value: '/Core_Page/Homepage', points: 10, reason: 'path /' }] : [];
  const file = EXTENSIONS.get(extension);
  if (file) clues.push({ value: file[0], points: file[1], reason: `file .${extension}` });
  for (const [shape, value, points, words] of SHAPES)
    if (shape.test(path + query)) clues.push({ value, points, reason: `${words} in the path` });
  return [...clues, ...namedIn(address, written)];
}

const SECTIONS =
  /^\/(?:Listing|Listing_Collection|Landing_Page|Interactive_Tools|Image|Core_Page)(?:\/|$)|\/(?:Discussions|Report|Manual|Research_Paper)$/;
const SECTION = 3;
/** Names of hosts that say what stands on them: `forum.example.com`. */
const ROOMS: ReadonlySet<string> = new Set(
  'forum forums community bbs wiki blog news jobs careers events podcast podcasts docs'.split(' '),
);

function namedIn({ slugs, host, query }: Address, written: Written | undefined): Clue[] {
  const picks = PICKS.test(query);
  const last = picks || slugs.length > DEPTH ? '' : (slugs.at(-1) ?? '');
  const page = pageNamed(last) ?? wordIn(last, INSIDE);
  const room = host.split('.', 1).filter((name) => ROOMS.has(name));
  const folders = picks ? slugs : slugs.slice(0, -1);
  const clues = [...new Set([...folders, ...room])].flatMap((folder) => {
    const above = room.includes(folder) ? 0 : folders.length - folders.lastIndexOf(folder);
    return folderClue(folder, written, above);
  });
  if (!page) return clues;
  const louder = clues.filter(({ points }) => points > page.points);
  return [{ ...page, reason: `path ends in /${last}` }, ...louder];
}

/** `above` counts the names from the page up: three above it a folder names a department. */
function folderClue(folder: string, written: Written | undefined, above: number): Clue[] {
  const known = folderNamed(folder) ?? wordIn(folder, COMPOUNDS);
  if (!known) return [];
  const doubt = Math.max(
    written && (written === 'markup' ? SECTIONS : DEPARTMENTS).test(known.value) ? SECTION : 0,
    above < FAR ? 0 : known.value.startsWith('/Listing/') ? 2 : DEPARTMENTS.test(known.value) ? SECTION : 0,
  );
  return [{ value: known.value, points: known.points - doubt, reason: `below /${folder}/` }];
}

const FAR = 3;
const DEPARTMENTS = /^\/(?:Landing_Page|Interactive_Tools|Image|Core_Page)(?:\/|$)/;

function wordIn(slug: string, table: typeof INSIDE): Known | undefined {
  const found = table.find(([word]) => word.test(slug));
  return found && { value: found[1], points: found[2] };
}

/** Names that programs give to what shows one thing of many, or the list of them: `ProductDetail`, `event-info`. */
const COMPOUNDS: typeof INSIDE = [
  [
    /^(?:show|view)?-?(?:products?|items?|goods)-?(?:details?|info|page|view|show)$|^(?:show|view)-?(?:product|item)$/,
    '/Listing/Product',
    7,
  ],
  [
    /^(?:show|view|products?|browse)-?(?:categor(?:y|ies)|list(?:ing)?|catalogu?e?|range)$/,
    '/Listing_Collection/Product',
    7,
  ],
  [/^(?:show|view)?-?events?-?(?:details?|info|page|view|show)$/, '/Listing/Event', 7],
  [/^(?:show|view)?-?(?:jobs?|vacanc(?:y|ies))-?(?:details?|info|page|view|show|ad|posting)$/, '/Listing/Job', 7],
  [
    /^(?:show|view)?-?(?:propert(?:y|ies)|listings?|homes?)-?(?:details?|info|page|view|show|for-sale|for-rent)$/,
    '/Listing/Property',
    7,
  ],
];

/** Below so many folders the last name is one of many: `/a/b/c/d/contact`. */
const DEPTH = 4;
