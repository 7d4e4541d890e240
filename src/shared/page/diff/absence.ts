import { contentOf } from '../structure/content.ts';
import type { Page } from '../page.ts';
import { lazy } from '../../lazy.ts';

/**
 * A page that says, with status 200, that there is no such page, or that the site is being worked on. Taken for the page,
 * it would be told as the removal of everything that was there. Both are failed visits of their own kind.
 *
 * What it is called decides, in the languages it is served in: its whole title or first headline, before or behind the
 * name of a site. A text about such pages is called otherwise, or is longer, or was called so before.
 */
export interface Absence {
  readonly reason: 'not_found' | 'maintenance';
  /** A sentence for the operator. */
  readonly detail: string;
}

/**
 * @param former the page as it was read last; with it, most of its text has to be gone, and the length is no matter
 */
export function absence(page: Page, former?: Page): Absence | undefined {
  if (former === undefined) return absenceAtFirst(page);
  if (!isReplaced(former, page)) return undefined;
  const words = namesOf(former);
  for (const [reason, { isNamed }] of KINDS) {
    const said = namesOf(page).find((name) => isNamed(name.toLowerCase()));
    if (said !== undefined && !words.some((name) => isNamed(name.toLowerCase())))
      return { reason, detail: sentence(reason, said) };
  }
  return ledAway(page, former);
}

/** Nothing but the page itself tells: it has to be short, and to say so twice or little else. */
function absenceAtFirst(page: Page): Absence | undefined {
  const content = contentOf(page);
  const length = content.reduce((sum, { text }) => sum + text.length, 0);
  if (length > ABSENT_LENGTH) return undefined;
  for (const [reason, { isNamed, sentences }] of KINDS) {
    const said = namesOf(page).find((name) => isNamed(name.toLowerCase()));
    if (said === undefined) continue;
    const isBare = length - said.length <= BARE_LENGTH;
    if (isBare || content.some(({ text }) => text !== said && sentences.test(text))) {
      return { reason, detail: sentence(reason, said) };
    }
  }
  return undefined;
}

/** A redirect that was not there before, to a page of errors or to the front page. */
function ledAway({ url }: Page, former: Page): Absence | undefined {
  const [to, from] = [URL.parse(url), URL.parse(former.url)];
  if (!to || !from || to.pathname === from.pathname) return undefined;
  if (ERROR_PATH.test(to.pathname) && !ERROR_PATH.test(from.pathname)) {
    return { reason: 'not_found', detail: `The page does not exist: it redirects to ${to.pathname.slice(0, SHOWN)}.` };
  }
  if (to.pathname !== '/' || to.search !== '' || isIndex(from.pathname)) return undefined;
  return { reason: 'not_found', detail: 'The page does not exist: it redirects to the front page.' };
}

function isIndex(path: string): boolean {
  return /^\/(?:[\w-]{0,5}\/?|(?:index|home|default)(?:\.\w+)?\/?)$/i.test(path);
}

/** Whether less than a fifth of what was there is left. */
function isReplaced(former: Page, page: Page): boolean {
  const left = new Set(contentOf(page).map(({ text }) => text));
  let [was, is] = [0, 0];
  for (const { text } of contentOf(former)) {
    was += text.length;
    if (left.has(text)) is += text.length;
  }
  return was > 0 && is < was * LEAST_SHARE;
}

/** The title and the first headline. */
function namesOf(page: Page): string[] {
  const headline = contentOf(page).find(({ kind }) => kind === 'heading')?.text;
  return [page.title, headline].filter((name) => name !== undefined).map((name) => name.slice(0, NAME_LENGTH));
}

function sentence(reason: Absence['reason'], said: string): string {
  const what = reason === 'not_found' ? 'The page says that it does not exist' : 'The page says that its site is down';
  return `${what}: "${said.slice(0, SHOWN)}".`;
}

/** Characters of a page that says it is not there; one that tells of such pages is longer. */
const ABSENT_LENGTH = 1_500;
/** Characters beside its name. */
const BARE_LENGTH = 250;
const LEAST_SHARE = 0.2;
/** A name is matched whole: what is longer says something else. */
const NAME_LENGTH = 200;
const SHOWN = 100;
const ERROR_PATH = /\/(?:404|410|(?:page-?)?not-?found|error(?:-?404)?|maintenance)(?:\.\w{2,5})?\/?$/i;

/** Between a name and the name of a site. */
const BETWEEN = '(?: (?:[|–—·•»]|-|::) | ?[|] ?)';
/** Where a name begins: at its start, or behind the name of a site, which is short. */
const SITE = new RegExp(BETWEEN, 'gu');
const SITE_LENGTH = 60;
const NAME_ENDS = `[\\s.…!?)]*(?:!1)?(?:$|${BETWEEN})`;

/** Tells whether a page is called one of these, before or behind the name of a site. In lower case: so patterns need no case. */
type IsNamed = (name: string) => boolean;

/**
 * Patterns at a place of their own, each place tried in turn: one pattern with all that may stand before it takes 250 ms to
 * compile, and every process would pay for that with its first short page.
 */
function anyOf(...patterns: readonly string[]): (name: string, at: number) => boolean {
  const pattern = lazy(() => new RegExp(`(?:${patterns.join('|')})${NAME_ENDS}`, 'uy'));
  return (name, at) => {
    pattern().lastIndex = at;
    return pattern().test(name);
  };
}

function placesIn(name: string): number[] {
  const places = [0];
  for (const { 0: between, index } of name.matchAll(SITE)) {
    if (index > SITE_LENGTH) break;
    if (index > 0) places.push(index + between.length);
    if (/[|–—]/.test(between)) break;
  }
  return places;
}

const GREETING = '(?:(?:sorry|oops|ooops|whoops|uh[- ]?oh|oh no|hoppla|ups|oups|vaya)[,!.…:]* )?';
const NOT_FOUND = [
  // English.
  "(?:we(?: are|['’]re) sorry, )?(?:(?:the|this|that|your) )?(?:requested )?(?:page|file|document|resource|content|article|story|item|product|url|address)(?: (?:that )?you(?: are|['’]re| were)? (?:requested|looking for))? (?:(?:was|is|has|have|could|can|does)? ?(?:not|n['’]t|no longer) ?(?:been |be )?(?:found|available|exists?|here)|(?:isn|doesn|couldn|can|wasn)['’]?t ?(?:be )?(?:found|available|exist|here)|cannot be found|no longer exists?|missing|has been (?:removed|deleted))",
  'not found',
  'nothing (?:was )?found(?: here)?',
  'no such page',
  "we (?:can['’]?t|cannot|couldn['’]t|could not) find (?:that|the|this) page(?: you(?: are|['’]re| were) looking for)?",
  "that page can['’]t be found",
  // German, Dutch, Danish, Norwegian, Swedish, Finnish.
  '(?:die |diese )?(?:angeforderte |gewünschte )?(?:seite|datei|inhalt|artikel)(?: (?:wurde|konnte|ist|existiert))?(?: leider)? (?:nicht|nicht mehr) ?(?:gefunden|verfügbar|vorhanden)?(?: werden)?',
  '(?:de )?pagina (?:is |werd )?niet (?:gevonden|beschikbaar)|(?:deze )?pagina bestaat niet(?: meer)?',
  '(?:siden|sidan) (?:ble |blev |kunne |kunde )?(?:ikke|inte) (?:funnet|fundet|finnes|findes|hittas|hittades)|(?:siden|sidan) (?:finnes|findes|finns|hittades) (?:ikke|inte)',
  'sivua ei (?:löydy|löytynyt)',
  // French, Spanish, Italian, Portuguese, Romanian.
  "(?:cette |la )?(?:page|article)(?: demandée?)?(?: est)? (?:introuvable|non trouvée?|inexistante?|n['’]existe (?:pas|plus))",
  '(?:la )?(?:página|pagina)(?: solicitada)? (?:no encontrada|no se (?:ha )?encontr(?:ó|ado)|no existe|no disponible|inexistente)',
  '(?:la )?pagina(?: richiesta)? (?:non (?:è stata )?trovata|non esiste(?: più)?|non disponibile|inesistente)',
  '(?:a )?página(?: solicitada)? (?:não (?:foi )?encontrada|não existe|inexistente)',
  'pagina nu (?:a fost găsită|există)',
  // Polish, Czech, Slovak, Russian, Ukrainian, Hungarian, Turkish, Greek.
  'strona nie (?:została znaleziona|istnieje)|nie (?:znaleziono|odnaleziono) strony',
  'stránka (?:nebyla |nebola )?(?:nenalezena|nalezena|nájdená|neexistuje)',
  'страница не (?:найдена|существует)|сторінку не знайдено',
  'az oldal nem található|sayfa bulunamadı|η σελίδα δεν βρέθηκε',
  // Japanese, Chinese, Korean, Arabic, Hebrew, Indonesian, Vietnamese.
  '(?:お探しの)?(?:ページ|記事)[がは](?:見つかりません(?:でした)?|存在しません)',
  '(?:您访问的)?(?:页面|頁面|网页|網頁|文章)(?:不存在|未找到|找不到了?|已删除)|找不到(?:页面|頁面|网页|網頁)',
  '페이지를 찾을 수 없습니다|존재하지 않는 페이지(?:입니다)?',
  'الصفحة غير موجودة|(?:ה)?(?:דף|עמוד) לא נמצא|halaman tidak ditemukan|không tìm thấy trang',
];
const SPEAKS_OF_ERRORS = '(?:(?:http|error|erreur|fehler|errore|erro|fout|ошибка|błąd|hata|status|code)[\\s:#-]+)';
const ERROR_CODE = `${SPEAKS_OF_ERRORS}*4(?:04|10)`;
const isBareCode = anyOf(`${SPEAKS_OF_ERRORS}*404(?: error| fehler)?`, `${SPEAKS_OF_ERRORS}+410`);
const isNoPage = anyOf(`${GREETING}(?:${NOT_FOUND.join('|')})(?:[\\s:.,(–—-]+${ERROR_CODE})?`);
const isGone = anyOf('gone');
const CODE_BEFORE = new RegExp(`${ERROR_CODE}[\\s:.!,(–—-]+`, 'uy');

const isCalledNotFound: IsNamed = (name) =>
  placesIn(name).some((at) => {
    if (isBareCode(name, at) || isNoPage(name, at)) return true;
    CODE_BEFORE.lastIndex = at;
    const code = CODE_BEFORE.exec(name)?.[0];
    return code !== undefined && (isGone(name, at + code.length) || isNoPage(name, at + code.length));
  });

const MAINTENANCE = [
  '(?:(?:our|the|this) )?(?:(?:site|website|web site|page|service|system|server) )?(?:is )?(?:currently |temporarily )?(?:(?:under|undergoing|in|down for|closed for|offline for) )?(?:scheduled |planned |routine )?maintenance(?: mode| in progress| break)?',
  "(?:sorry, )?we(?:['’]ll| will| shall) be (?:right )?back(?: soon| shortly| in a moment)?|be right back|(?:we(?:['’]re| are) )?(?:back|coming back) soon",
  '(?:(?:our|the|this) )?(?:site|website|page|service) (?:is )?(?:currently |temporarily )?(?:unavailable|offline|down)|temporarily (?:unavailable|offline|closed)|service (?:temporarily )?unavailable',
  '(?:http |error )*503[\\s:-]+service (?:temporarily )?unavailable',
  '(?:aktuell |derzeit )?wartung(?:sarbeiten|smodus|spause)?|(?:wir sind )?(?:gleich|bald|in kürze) (?:wieder )?(?:zurück|da|für sie da|erreichbar)|vorübergehend nicht (?:erreichbar|verfügbar)',
  '(?:site |site web )?en (?:cours de )?maintenance|maintenance en cours|(?:site )?temporairement (?:indisponible|fermé)',
  '(?:sitio |sitio web |web )?en mantenimiento|(?:sito )?in manutenzione|(?:site |sítio )?em manutenção|(?:site |website )?in onderhoud',
  'underhåll(?:sarbete)?|vedligeholdelse|vedlikehold|huoltokatko',
  'технические работы|ведутся технические работы|технічні роботи|przerwa techniczna|prace (?:techniczne|konserwacyjne)|bakım(?:dayız| çalışması)?',
  '(?:ただいま)?(?:サーバー?)?メンテナンス中(?:です)?|(?:网站|系统|網站|系統)?(?:正在)?(?:维护|維護)中?|(?:시스템|서버|사이트)? ?점검 ?중(?:입니다)?',
];

const isMaintenance = anyOf(...MAINTENANCE);
const isCalledMaintenance: IsNamed = (name) => placesIn(name).some((at) => isMaintenance(name, at));

interface Kind {
  readonly isNamed: IsNamed;
  /** What such a page goes on to say. */
  readonly sentences: RegExp;
}

const KINDS: readonly (readonly [Absence['reason'], Kind])[] = [
  [
    'not_found',
    {
      isNamed: isCalledNotFound,
      sentences:
        /\b404\b|not (?:be )?found|can['’]t be found|cannot be found|does(?:n['’]t| not) exist|no longer (?:exists?|available)|(?:been|was) (?:moved|removed|deleted|renamed)|you(?: are|['’]re| were) looking for|nicht (?:gefunden|verfügbar|mehr)|introuvable|n['’]existe|no (?:se (?:ha )?encontr|existe)|non (?:è stata )?trovat|non esiste|não (?:foi )?encontrad|niet gevonden|bestaat niet|не (?:найден|существует)|見つかりません|存在しません|不存在|找不到|찾을 수 없/iu,
    },
  ],
  [
    'maintenance',
    {
      isNamed: isCalledMaintenance,
      sentences:
        /\b(?:back|again|return|check back|try again)\b.{0,40}\b(?:soon|shortly|later|moment|minutes|hours?)\b|\b(?:soon|shortly)\b|temporarily|inconvenience|(?:bald|kürze|später|gleich)|bientôt|plus tard|pronto|más tarde|presto|più tardi|breve|mais tarde|binnenkort|позже|скоро|しばらく|稍后|稍後|잠시/iu,
    },
  ],
];
