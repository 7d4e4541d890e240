import { grouped } from '../grouped.ts';
import { PAGE_SEGMENTS, SEGMENT_LENGTH } from '../limits.ts';
import type { Comparison } from './change.ts';
import { BEYOND_LIMIT } from './diff/cut-tail.ts';
import { editsOf } from './diff/edits.ts';
import { changedLinks, retargetedLinks } from './diff/links.ts';
import { challenge } from './diff/doubt.ts';
import { absence } from './diff/absence.ts';
import type { Cut, Page } from './page.ts';
import { contentLength, contentOf } from './structure/content.ts';

/**
 * What a reading says of itself: how much text it has, how much it has left out and as what, and what the page looks like
 * if it looks like something else than a page to read. Lengths are UTF-16 units of folded text.
 */
export interface ReadingAccount {
  /** Compared at the next visit. */
  readonly read: number;
  /** Navigation, headers, footers, links around the text: not compared. */
  readonly boilerplate: number;
  /** What many pages of its host have, in what would be compared otherwise: absent where no others are known. */
  readonly shared?: number;
  /** In the document, and not shown to a reader without a script. */
  readonly hidden: number;
  /** Beyond the limits on text, and not compared either. */
  readonly cut?: Cut;
  readonly looks_like?: Likeness;
  /** What that means, a sentence each, with what to do about it. */
  readonly notes: readonly string[];
}

export type Likeness =
  | 'application_shell'
  | 'sign_in'
  | 'consent'
  | 'challenge'
  | 'not_found'
  | 'maintenance'
  | 'moved';

/** @param former the page as it was read last */
export function accountOf(page: Page, former?: Page): ReadingAccount {
  const read = contentLength(page);
  const boilerplate = page.segments.reduce((sum, { text }) => sum + text.length, 0) - read;
  const hidden = page.unread?.hidden ?? 0;
  const likeness = likenessOf(page, read, former);
  const notes = likeness ? [likeness.note] : [];
  const { cut } = page;
  if (!likeness && hidden > Math.max(SHORT, 2 * read)) notes.push(HIDDEN_NOTE);
  if (!likeness && boilerplate > Math.max(SHORT, 4 * read)) notes.push(BOILERPLATE_NOTE);
  const left = cutNote(page);
  if (left !== undefined) notes.push(left);
  return { read, boilerplate, hidden, ...(cut && { cut }), ...(likeness && { looks_like: likeness.kind }), notes };
}

/** What was left out of a page for its size, a sentence; undefined where all of it was read. */
export function cutNote({ segments, cut }: Page): string | undefined {
  if (!cut) return undefined;
  const { lines, shortened } = cut;
  const number = (count: number, one: string): string => `${grouped(count)} ${one}${count === 1 ? '' : 's'}`;
  if (lines === 0) {
    return `The page has ${number(shortened, 'line')} of more than ${grouped(SEGMENT_LENGTH)} characters; the rest of them is not compared.`;
  }
  const why = segments.length < PAGE_SEGMENTS ? 'is too long' : `has more than ${number(PAGE_SEGMENTS, 'line')}`;
  return `The page ${why}: at least ${number(lines, 'line')} at its end ${lines === 1 ? 'is' : 'are'} not compared.`;
}

/** Why a page is not one that can be watched for its text; undefined where it can. */
export function unreadable(page: Page): { readonly reason: Likeness; readonly detail: string } | undefined {
  const likeness = likenessOf(page, contentLength(page));
  if (likeness?.kind !== 'application_shell' && likeness?.kind !== 'sign_in') return undefined;
  return { reason: likeness.kind, detail: likeness.note };
}

/** Whether a page is a form to sign in, and little else. */
export function isSignInPage(page: Page): boolean {
  return unreadable(page)?.reason === 'sign_in';
}

/** Whether a page asks for a password, and did not before. */
export function isAskingNow(page: Page, last: Page | undefined): boolean {
  return page.unread?.asksForPassword === true && last?.unread?.asksForPassword !== true;
}

interface Likely {
  readonly kind: Likeness;
  readonly note: string;
}

function likenessOf(page: Page, read: number, former?: Page): Likely | undefined {
  const asked = challenge(page);
  if (asked !== undefined)
    return { kind: /consent|cookie|privacy/i.test(asked) ? 'consent' : 'challenge', note: asked };
  const absent = absence(page, former);
  if (absent) return { kind: absent.reason, note: absent.detail };
  if (isShell(page, read)) return { kind: 'application_shell', note: SHELL_NOTE };
  if (isSignIn(page, read)) return { kind: 'sign_in', note: SIGN_IN_NOTE };
  return isMoved(page, read) ? { kind: 'moved', note: MOVED_NOTE } : undefined;
}

/** Scripts, a place for what they make, and next to nothing else. */
function isShell({ unread }: Page, read: number): boolean {
  return unread?.isScripted === true && read < SHORT;
}

function isSignIn(page: Page, read: number): boolean {
  if (page.unread?.asksForPassword !== true || read > SIGN_IN_LENGTH) return false;
  const names = [page.title, ...contentOf(page).flatMap(({ kind, text }) => (kind === 'heading' ? [text] : []))];
  return read < SHORT || names.some((name) => name !== undefined && SIGN_IN.test(name));
}

function isMoved(page: Page, read: number): boolean {
  if (read > MOVED_LENGTH) return false;
  return [page.title ?? '', ...contentOf(page).map(({ text }) => text)].some((text) => MOVED.test(text));
}

/** Characters of a page that says nothing yet, of one that asks for a password, of one that tells where it is now. */
const SHORT = 200;
const SIGN_IN_LENGTH = 1_500;
const MOVED_LENGTH = 600;
const MOVED =
  /(?:this|the|our) (?:page|site|website|blog|document) (?:has|have) (?:been )?moved|^(?:301 )?moved permanently$|^(?:document|object|page) moved|(?:diese|die) (?:seite|website) (?:ist|wurde) (?:umgezogen|verschoben)|cette page a (?:été déplacée|déménagé)|(?:esta|la) página (?:se ha (?:movido|mudado)|ha sido movida)|questa pagina (?:è stata spostata|si è trasferita)|esta página (?:foi movida|mudou)|deze pagina is verhuisd|страница (?:перемещена|переехала)|ページは移動しました|页面已(?:移动|迁移)/iu;

const SIGN_IN =
  /(?<!\p{L})(?:sign[ -]?in|log[ -]?in|log[ -]?on|anmeld(?:en|ung)|einloggen|connexion|se connecter|identifiez-vous|iniciar sesión|inicia sesión|acceder|accedi|accesso|entrar|iniciar sessão|inloggen|aanmelden|logga in|logg inn|log ind|kirjaudu|zaloguj|logowanie|přihlá\p{L}+|bejelentkezés|autentificare|вход|войти|увійти|giriş(?: yap)?|σύνδεση|đăng nhập|masuk)(?!\p{L})|ログイン|サインイン|로그인|登录|登入|เข้าสู่ระบบ|لوگین|تسجيل الدخول|התחברות|लॉग ?इन/iu;

const SHELL_NOTE =
  'The page builds its text in the browser. `hydrant watch try --render` shows whether rendering it helps; a feed or an API is cheaper.';
const SIGN_IN_NOTE =
  'The page is a form to sign in. What is behind it cannot be read; `--select` watches the form itself.';
const MOVED_NOTE = 'The page says that it has moved. Watch the address that it names.';
const HIDDEN_NOTE = 'Most of the text is hidden until a script shows it. It is not compared.';
const BOILERPLATE_NOTE =
  'Most of the text stands in navigation, headers or footers, which are not compared. `--select` watches any part of a page.';

/** Where two readings of one page differ, although nothing that counts has changed. */
export interface UncountedDifference {
  readonly where: 'volatile' | 'order' | 'boilerplate' | 'hidden' | 'links' | 'metadata' | 'markup';
  /** What was found there, for people. */
  readonly detail: string;
  /** Of boilerplate: the texts that differ, `''` where there is none on one side. 100 at most, cut at 500 characters. */
  readonly texts?: readonly ChangedText[];
}

export interface ChangedText {
  readonly before: string;
  readonly after: string;
}

/**
 * Says of two readings without a change that counts where they differ all the same: text that changes by itself, another
 * order, boilerplate, hidden text, what the page tells machines, or none of these: markup, scripts and styles.
 * @param isSameBytes the documents are equal
 */
export function uncounted(
  before: Page,
  after: Page,
  { ignored }: Pick<Comparison, 'ignored'>,
  isSameBytes = false,
): UncountedDifference[] {
  if (isSameBytes) return [];
  const found: UncountedDifference[] = [];
  const reasons = [...new Set(ignored.map(({ reason }) => reason))].filter((reason) => reason !== BEYOND_LIMIT);
  if (reasons.length > 0) found.push({ where: 'volatile', detail: `changes by itself: ${reasons.join(', ')}` });
  if (before.unread?.boilerplateHash !== after.unread?.boilerplateHash) found.push(inBoilerplate(before, after));
  for (const [where, detailOf] of PLACES) {
    const detail = detailOf(before, after);
    if (detail !== undefined) found.push({ where, detail });
  }
  return found.length > 0 ? found : [{ where: 'markup', detail: MARKUP_DETAIL }];
}

/** What differs there; undefined where nothing does. */
type Place = readonly [
  where: UncountedDifference['where'],
  detailOf: (before: Page, after: Page) => string | undefined,
];

const PLACES: readonly Place[] = [
  ['order', (before, after) => (isReordered(before, after) ? 'the same text in another order' : undefined)],
  [
    'hidden',
    (before, after) =>
      before.unread?.hiddenHash === after.unread?.hiddenHash ? undefined : 'in text that is hidden from readers',
  ],
  ['links', linksDetail],
  [
    'metadata',
    (before, after) =>
      JSON.stringify(saidOf(before)) === JSON.stringify(saidOf(after))
        ? undefined
        : 'in what the page tells machines, or in its links',
  ],
];
const MARKUP_DETAIL = 'in markup, scripts, styles or pictures, which have no text';

function inBoilerplate(before: Page, after: Page): UncountedDifference {
  const texts = changedTexts(before, after);
  const what =
    texts.length === 1 ? '1 changed piece' : texts.length > 0 ? `${texts.length} changed pieces` : 'changed pieces';
  const detail = `${what} in navigation, headers, footers or links around the text (${selectorsFor(after)})`;
  return { where: 'boilerplate', detail, ...(texts.length > 0 && { texts: texts.slice(0, MOST_TEXTS) }) };
}

const MOST_TEXTS = 100;
const TEXT_LENGTH = 500;

function changedTexts(before: Page, after: Page): ChangedText[] {
  const chrome = ({ segments }: Page): string[] =>
    segments.flatMap(({ text, zone }) => (zone === 'chrome' ? [text] : []));
  return editsOf(chrome(before), chrome(after)).flatMap(({ deleted, inserted }) => {
    const gone = deleted.filter((text) => text !== undefined);
    const come = inserted.filter((text) => text !== undefined);
    const length = Math.max(gone.length, come.length);
    return Array.from({ length }, (_, at) => ({ before: shortened(gone[at]), after: shortened(come[at]) }));
  });
}

function shortened(text = ''): string {
  return text.length > TEXT_LENGTH ? `${text.slice(0, TEXT_LENGTH - 1)}…` : text;
}

/** What would watch the boilerplate of a page. */
function selectorsFor({ unread }: Page): string {
  const parts = unread?.parts ?? [];
  return `watch it with ${parts.length === 0 ? '--select' : parts.map((part) => `--select ${part}`).join(' or ')}`;
}

/** Links of the content that lead elsewhere under the same text. */
function linksDetail(before: Page, after: Page): string | undefined {
  const links = retargetedLinks(changedLinks(before, after, () => false));
  const [first] = links;
  if (first === undefined) return undefined;
  const what = links.length === 1 ? '1 link leads' : `${links.length} links lead`;
  return `${what} elsewhere under the same text: "${first.text.slice(0, SHOWN)}" to ${first.after.slice(0, 2 * SHOWN)}`;
}

/** Characters of a link's text. */
const SHOWN = 60;

function isReordered(before: Page, after: Page): boolean {
  const texts = (page: Page): string[] => contentOf(page).map(({ text }) => text);
  const [was, is] = [texts(before), texts(after)];
  if (was.length !== is.length || was.every((text, at) => text === is[at])) return false;
  const sorted = is.toSorted();
  return was.toSorted().every((text, at) => text === sorted[at]);
}

function saidOf({ title, publishTime, anchors, facts }: Page): unknown {
  return { title, publishTime, anchors, facts };
}
