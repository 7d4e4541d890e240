import type { Page } from '../../page/page.ts';
import type { Clue, Evidence } from './evidence.ts';
import { FAMILIES, FORMS } from './forms.ts';
import { type Address, isHome, slugOf } from './path.ts';
import type { Known } from './schema.ts';
import { pageNamed } from './slugs.ts';

/** Words that speak for a family by themselves, where the page is no article about the thing. */
const THINGS: readonly (readonly [value: string, points: number, pattern: RegExp])[] = [
  [
    '/Interactive_Tools/Calculator',
    7,
    /\bcalculator$|\p{L}rechner$|^rechner\b|^calculadora\b|^calculatrice\b|^calcolatore\b|калькулятор|計算(?:機|ツール)|计算器/u,
  ],
  [
    '/Interactive_Tools/Generator',
    7,
    /\bgenerator$|\p{L}generator$|^generate (?:a|an|your|random|\p{L}+)\b|^generador\b|^générateur\b|^gerador\b|^generatore\b|генератор|生成器|ジェネレーター/u,
  ],
  [
    '/Interactive_Tools/Simulator',
    7,
    /\bonline simulator$|\bsimulator$|^simulador\b|^simulateur\b|^simulatore\b|симулятор|シミュレーター|模拟器/u,
  ],
  [
    '/Interactive_Tools/Configurator',
    7,
    /\bconfigurator$|konfigurator$|^configurador\b|^configurateur\b|^configuratore\b/u,
  ],
  [
    '/Interactive_Tools/Map',
    6,
    /\binteractive map\b|\binteraktive karte\b|\bmapa interactivo\b|\bcarte interactive\b|интерактивная карта/u,
  ],
  ['/Interactive_Tools/Quiz', 6, /\bquiz$|^quiz\b|викторина|クイズ/u],
  ['/Interactive_Tools/Poll', 6, /^(?:poll|vote|umfrage|encuesta|sondage|enquete|sondaggio)\s*[:|–—-]|投票/u],
  [
    '/Image/Infographic',
    7,
    /\binfographics?\b|\binfografik\b|\binfografía\b|\binfographie\b|инфографика|インフォグラフィック/u,
  ],
  ['/Image/Mapographic', 8, /\bmapographic\b|\binfographic map\b|\bmap infographic\b|\binfografik-?karte\b/u],
  [
    '/Image/Vector_Illustration',
    7,
    /\bvector (?:illustration|image|art|graphics?|icons?)\b|\bvektorgrafik\b|\bfree vectors?\b|\bstock vectors?\b/u,
  ],
  ['/Image/Meme', 7, /\bmemes?$|\bmeme generator images\b|мемы/u],
  ['/Image/Flowchart', 7, /\bflow ?chart$|\bflussdiagramm$|\bdiagrama de flujo\b|блок-схема/u],
  ['/Image/Diagram', 7, /\b(?:wiring|circuit|class|network|sequence|venn|er|uml) diagram\b|\bdiagram$/u],
  [
    '/Image/Photography',
    7,
    /\bphoto gallery\b|\bbildergalerie\b|\bfotostrecke\b|\bgalería de fotos\b|\bstock photos?\b|\bfotogalerie\b|фотогалерея/u,
  ],
  [
    '/User_Generated_Content/Discussions',
    7,
    /\b(?:discussion|message|community) (?:forums?|boards?)\b|\bforums?$|^view (?:topic|forum)\b/u,
  ],
  [
    '/Listing_Collection/Business',
    7,
    /^\d+ (?:[\p{L}&-]+ ){0,4}(?:stores|shops|restaurants|hotels|companies|businesses|agencies|firmen|geschäfte|tiendas|restaurantes|hoteles|empresas|boutiques|magasins|entreprises|negozi|ristoranti|aziende|bedrijven|компаний|ресторанов) (?:in|en|à|em|a|nel|aus|near|в)\b/u,
  ],
  [
    '/User_Generated_Content/Reviews',
    6,
    /\bcustomer reviews\b|\bkundenbewertungen\b|\bopiniones de clientes\b|\bavis clients?\b/u,
  ],
  [
    '/User_Generated_Content/Testimonials',
    7,
    /^(?:customer |client )?testimonials\b|^kundenstimmen\b|^testimonios\b|^témoignages\b|^depoimentos\b/u,
  ],
  ['/Listing/Event', 6, /\btickets\b|\bentradas\b|\bbiglietti\b/u],
  [
    '/Listing_Collection/Event',
    7,
    /^(?:upcoming )?events?(?:$| in\b| calendar)|^veranstaltungen\b|\b(?:events|konzerte|concerts|conciertos) in\b|^agenda$|^what's on\b|^eventos\b|^événements\b|^eventi\b/u,
  ],
  [
    '/Listing_Collection/Job',
    7,
    /^(?:current )?(?:job )?(?:openings|vacancies)\b|\bjobs in\b|^stellenangebote\b|^ofertas de empleo\b|^offres d'emploi\b|^vacatures\b/u,
  ],
  [
    '/Core_Page/Blog_Index',
    7,
    /\barchives$|^(?:category|tag|author|archive|archiv|kategorie|schlagwort|categoría|etiqueta|catégorie|rubrique)(?:$|: )|^posts (?:tagged|by)\b/u,
  ],
];

/** A title is its parts: the page's own and, before or after it, the names of sections and of the site. */
function partsOf(title: string): string[] {
  return title
    .split(/\s[|–—·:»«>›•-]+\s|\s?\|\s?|:\s/u, PARTS)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const PARTS = 8;
/** Of a title of more parts none names the page alone. */
const FEW = 4;

/** Whether a part of a title is the name of the site: its letters stand in the host. */
function isSite(part: string, { host }: Address): boolean {
  const letters = slugOf(part).replaceAll('-', '');
  return letters.length >= 4 && host.replaceAll('-', '').includes(letters);
}

/** Adds what the title says; `isArticle` where something else says that the page is one. */
export function titleClues(
  { title = '', facts }: Page,
  address: Address,
  evidence: Evidence,
  isArticle: boolean,
): void {
  const parts = partsOf(title).filter((part) => !isSite(part, address));
  if (!isArticle) evidence.add(aboutClue(partsOf(title)[0] ?? '', address, facts.siteName));
  if (parts.length <= FEW) namedPages(parts, evidence);
  if (!isArticle) namedThings(parts, isHome(address), evidence);
  formsOf(ownPart(title, address), evidence);
}

/** `About the Example Company`, where that is the site. */
function aboutClue(part: string, address: Address, siteName: string | undefined): Clue | undefined {
  const name = ABOUT.exec(part.toLowerCase())?.[1] ?? '';
  const letters = slugOf(name);
  const isOwn = letters !== '' && (isSite(name, address) || (siteName !== undefined && letters === slugOf(siteName)));
  return isOwn ? { value: '/Core_Page/About_Page', points: 9, reason: `title "${part}"` } : undefined;
}

const ABOUT =
  /^(?:about|über|wir über|sobre|acerca de|à propos (?:de|d')|chi è|over|om|o|о|про|за|tentang|về|hakkında|σχετικά με) ?(?:the |die |das |la |el |le |l'|o |a |il )?(.{3,60})$/u;

function namedPages(parts: readonly string[], evidence: Evidence): void {
  for (const [at, part] of parts.entries()) {
    const known = pageNamed(slugOf(part)) ?? policyIn(part);
    if (known && SURE.test(known.value))
      evidence.add({ value: known.value, points: at === 0 ? 9 : 7, reason: `title "${part}"` });
  }
}

/** The name of the site and what the page is: `Example Privacy Policy`. */
function policyIn(part: string): Known | undefined {
  if (part.split(/\s+/, POLICY_WORDS + 1).length > POLICY_WORDS) return undefined;
  const lower = part.toLowerCase();
  const value = POLICIES.find(([words]) => words.test(lower))?.[1];
  return value === undefined ? undefined : { value, points: 8 };
}

const POLICY_WORDS = 5;
const POLICIES: readonly (readonly [words: RegExp, value: string])[] = [
  [
    /\bprivacy (?:policy|notice|statement)$|^privacy (?:policy|notice|statement) (?:of|for)\b|datenschutzerklärung$|\bpolítica de privacidade?$|\bpolitique de confidentialité$|\binformativa (?:sulla )?privacy$|\bprivacy(?:beleid|verklaring)$|политика конфиденциальности$/u,
    '/Core_Page/Privacy_Policy_Page',
  ],
  [
    /\bterms (?:of (?:use|service|sale)|(?:and|&) conditions)$|^terms (?:of (?:use|service)|(?:and|&) conditions) (?:of|for)\b|\b(?:nutzungsbedingungen|agb|cgu|cgv)$|\b(?:términos y condiciones|condiciones de uso|conditions générales|termos de uso|condizioni generali|algemene voorwaarden)$/u,
    '/Core_Page/T&C_Page',
  ],
];

/** What the first heading names, where the title is only that of the site. */
export function headingClue({ segments }: Page): Clue | undefined {
  const heading = segments.find(({ kind, zone }) => kind === 'heading' && zone !== 'chrome')?.text ?? '';
  const known = heading.length > HEADING_LENGTH ? undefined : pageNamed(slugOf(heading));
  // A form to sign in stands on pages of every kind.
  return known && known.value !== '/Core_Page' && SURE.test(known.value)
    ? { value: known.value, points: 7, reason: `heading "${heading}"` }
    : undefined;
}

const HEADING_LENGTH = 60;

/** The first page of a site that is one tool, or one forum, is that before it is a home page. */
function namedThings(parts: readonly string[], home: boolean, evidence: Evidence): void {
  const lower = parts.map((part) => part.toLowerCase());
  for (const [value, points, pattern] of THINGS) {
    const at = lower.findIndex((text) => pattern.test(text));
    const loud = home && at === 0 && WHOLE_SITE.test(value) ? HOME_POINTS : points;
    if (at !== -1) evidence.add({ value, points: loud, reason: `title "${parts[at] ?? ''}"` });
  }
}

const WHOLE_SITE = /^\/Interactive_Tools\/|Discussions$/;
/** More than those of a home page. */
const HOME_POINTS = 11;

function formsOf(title: string, evidence: Evidence): void {
  const lower = title.toLowerCase();
  // A letter that has become two (the Turkish İ) has moved the others: then they are told as they were looked at.
  const told = lower.length === title.length ? title : lower;
  for (const [form, points, pattern, needs] of FORMS) {
    const found = needs?.test(lower) === false ? null : pattern.exec(lower);
    if (found === null) continue;
    const words = told.slice(found.index, found.index + found[0].length).trim();
    for (const [family, children] of Object.entries(FAMILIES))
      if (children.includes(form)) evidence.hint({ value: `${family}/${form}`, points, reason: `title "${words}"` });
  }
}

/** The title without the site's name, and without a last part of several words: that is a site's name too. */
function ownPart(title: string, address: Address): string {
  const first = partsOf(title)[0] ?? '';
  const own = isSite(first, address)
    ? title.slice(title.indexOf(first) + first.length).replace(/^[\s|–—·:»-]+/u, '')
    : title;
  return own.replace(SITE, '');
}

const SITE = /\s[|–—»·-]\s+[^|–—»·\s]+\s[^|–—»·]*$/u;

/** Kinds that name themselves in their title; `News` or `Map` in a title is more often the name of a site. */
const SURE =
  /^\/Core_Page\/(?:About|Contact|FAQ|Privacy|T&C|Careers|Services)|^\/Core_Page$|Pricing_Page$|Testimonials$|Event$|Job$|Location$/;
