import { contentOf } from '../../page/structure/content.ts';
import type { Page } from '../../page/page.ts';

/**
 * Why a page counts as one for adults, in words (`rating adult`, `adult words in the title and in 9 of 40 links`), or
 * undefined. What the page says of itself is believed at once: meta `rating` or the Rating header, the RTA label
 * (rtalabel.org), `isFamilyFriendly`, and top-level domains made for such sites. Words need to stand in two places –
 * host, title, links, text – and densely, and lose where the page speaks of courts, medicine or schools: news on an
 * abuse trial, sex education and Scunthorpe are not for adults only.
 *
 * `language` is a code of the vocabulary; without one the words of all languages count.
 */
export function adultOf(page: Page, language: string | undefined): string | undefined {
  return declared(page) ?? spoken(page, wordsOf(language));
}

function declared({ url, facts }: Page): string | undefined {
  const rating = facts.ratings.find((said) => RATING.test(said));
  if (rating !== undefined) return `rating ${rating}`;
  if (facts.isFamilyFriendly === false) return 'isFamilyFriendly false';
  const suffix = SUFFIX.exec(hostOf(url))?.[0];
  return suffix === undefined ? undefined : `domain ${suffix}`;
}

const RATING = /^(?:adult|mature|restricted|rta-5042-1996-1400-1577-rta)$/i;
const SUFFIX = /\.(?:xxx|porn|adult|sex)$/;
/** `sex` only between dots or hyphens: Essex and Sussex have hosts too. */
const HOST = /porn(?!ic\b)|xxx|hentai|sexcam|sextube|camgirl|(?:^|[.-])(?:sex|milf|erotik?|escorts?)(?=[.-])/;

function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/\.$/, '') ?? '';
}

function spoken(page: Page, patterns: Patterns): string | undefined {
  const outside = outsideText(page, patterns);
  // The text is one place of the two that are needed: most pages are done here.
  if (outside.length === 0) return undefined;
  const text = textOf(page);
  const surely = count(text, patterns.sure);
  const score = 2 * surely + (surely >= SURE ? count(text, patterns.hint) : 0);
  const isDense = surely >= SURE && score >= SCORE && score >= DENSE * wordsIn(text);
  const places = isDense ? [...outside, `${surely} times in the text`] : outside;
  if (places.length < 2) return undefined;
  const sober = count(text, patterns.sober);
  return sober >= SOBER && sober > score / 2 ? undefined : `adult words ${places.join(', ')}`;
}

function outsideText({ url, title, anchors }: Page, { sure }: Patterns): string[] {
  const links = anchors.slice(0, LINKS).map(({ text }) => text);
  const linked = count(links.join('\n'), sure) < MANY ? 0 : links.filter((text) => count(text, sure) > 0).length;
  return [
    HOST.test(hostOf(url)) ? 'in the host' : '',
    count(title ?? '', sure) > 0 ? 'in the title' : '',
    linked >= MANY && linked >= LINKED * links.length ? `in ${linked} of ${links.length} links` : '',
  ].filter((place) => place !== '');
}

/** Links and characters that are looked at. */
const LINKS = 300;
const CHARACTERS = 40_000;
/** Links with such words, and their part of all. */
const MANY = 5;
const LINKED = 0.12;
/** Sure words in the text, points in all, and points a word. */
const SURE = 4;
const SCORE = 12;
const DENSE = 0.025;
/** Words of those who write about the subject, from which they count. */
const SOBER = 3;

function textOf(page: Page): string {
  let text = '';
  for (const segment of contentOf(page)) {
    if (text.length >= CHARACTERS) break;
    text += `${segment.text.slice(0, CHARACTERS)}\n`;
  }
  return text;
}

/** Words, or for scripts without spaces about as many as there are. */
function wordsIn(text: string): number {
  const spaces = text.split(/\s+/).length;
  return Math.max(spaces, text.length / CHARACTERS_A_WORD);
}

const CHARACTERS_A_WORD = 8;

interface Patterns {
  readonly sure: RegExp;
  readonly hint: RegExp;
  readonly sober: RegExp;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

const compiled = new Map<string, Patterns>();

function wordsOf(language: string | undefined): Patterns {
  const code = language?.slice(0, 2) ?? '';
  const known = compiled.get(code);
  if (known) return known;
  const own = BY_LANGUAGE[code];
  const lists = [EVERYWHERE, ...(code === '' ? Object.values(BY_LANGUAGE) : own ? [own] : [])];
  const patterns = { sure: pattern(lists, 'sure'), hint: pattern(lists, 'hint'), sober: pattern(lists, 'sober') };
  compiled.set(code, patterns);
  return patterns;
}

/** Scripts without spaces have no whole words. */
function pattern(lists: readonly AdultWords[], kind: keyof AdultWords): RegExp {
  const words = lists.flatMap((list) => list[kind].split(/\|(?![^(]*\))/));
  const glued = words.filter((word) => GLUED.test(word));
  const whole = words.filter((word) => !GLUED.test(word));
  const parts = [`(?<![\\p{L}\\p{N}])(?:${whole.join('|')})(?![\\p{L}\\p{N}])`, ...glued];
  return new RegExp(parts.join('|'), 'giu');
}

const GLUED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Words of pages for adults, clinical and few: what such sites call themselves, not what they show. `sure` words have
 * hardly another use; `hint` words count only beside them. `sober` words stand where others write about the subject:
 * courts, physicians, teachers, researchers. Parts of regular expressions; Latin and Cyrillic ones are whole words.
 */
interface AdultWords {
  readonly sure: string;
  readonly hint: string;
  readonly sober: string;
}

/** Used on sites of every language. */
const EVERYWHERE: AdultWords = {
  sure: 'porn(?:o|os|s|stars?|videos?|tubes?|films?)?|xxx|hentai|milfs?|sex ?cams?|sex ?tubes?|sex videos?|live sex|cam ?girls?|call ?girls?|escort (?:girls?|service)s?|adult (?:videos?|movies)|onlyfans leaks?',
  hint: 'sex|sexy|nudes?|naked|erotic|erotica|fetish|bdsm|escorts?|nsfw',
  sober:
    'abuse[ds]?|victims?|police|courts?|trials?|arrested|charged|convicted|sentenced|laws?|bill|addict(?:ion|ed)|therap(?:y|ist)|recovery|health|doctors?|medical|patients?|disease|education|schools?|parents|research(?:ers)?|stud(?:y|ies)|campaign(?:ers)?|censorship|filters?',
};

/** By the code of the language. */
const BY_LANGUAGE: Readonly<Record<string, AdultWords>> = {
  de: {
    sure: 'pornofilme?|sexkontakte|sexfilme?|sextreffen|erotikkontakte|huren',
    hint: 'nackt|erotik|erotisch|fetisch',
    sober:
      'missbrauchs?|opfer|polizei|gericht|prozess|urteil|gesetz|sucht|therapie|gesundheit|ärzt(?:e|in)|aufklärung|schule|eltern|studie|forscher(?:in)?',
  },
  es: {
    sure: 'vídeos? porno|videos? porno|sexo en vivo|putas|chicas de compañía',
    hint: 'sexo|desnud[ao]s?|erótic[ao]s?',
    sober:
      'abusos?|víctimas?|policía|tribunal|juicio|ley|adicción|salud|médic[oa]s?|educación|escuelas?|padres|estudio',
  },
  fr: {
    sure: 'vidéos? porno|films? porno|plan cul|sexe en direct',
    hint: 'sexe|nue?s?|érotique',
    sober: 'abus|victimes?|police|tribunal|procès|loi|santé|médecins?|éducation|écoles?|parents|étude',
  },
  pt: {
    sure: 'vídeos? pornô|pornô|sexo ao vivo|garotas de programa|acompanhantes de luxo',
    hint: 'sexo|nu[ao]s?|pelad[ao]s?|erótic[ao]s?',
    sober: 'abusos?|vítimas?|polícia|tribunal|lei|vício|saúde|médic[oa]s?|educação|escolas?|pais|estudo',
  },
  it: {
    sure: 'video porno|film porno|sesso dal vivo|annunci erotici',
    hint: 'sesso|nud[aeio]|erotic[aeio]',
    sober:
      'abusi?|vittim[ae]|polizia|tribunale|processo|legge|dipendenza|salute|medic[oi]|educazione|scuola|genitori|studio',
  },
  nl: {
    sure: 'pornofilms?|sekscontacten?|seksfilms?|seksdate',
    hint: 'seks|naakt|erotisch',
    sober:
      'misbruik|slachtoffers?|politie|rechtbank|wet|verslaving|gezondheid|artsen?|voorlichting|school|ouders|onderzoek',
  },
  pl: {
    sure: 'filmy porno|seks kamerki|sex ?anonse|darmowe porno',
    hint: 'seks|nag[aie]|erotyczn[aey]',
    sober: 'ofiar[ay]?|policja|sąd|prawo|ustawa|uzależnieni[ea]|zdrowie|lekarz|edukacja|szkoł[ay]|rodzice|badani[ae]',
  },
  ru: {
    sure: 'порно|порнуха|порноролики|секс видео|проститутки|индивидуалки',
    hint: 'секс|голые|эротика|интим',
    sober:
      'насили[ея]|жертв[аы]?|полици[ия]|суд|закона?|зависимост[ьи]|здоровь[ея]|врач[аи]?|образовани[ея]|школ[аы]|родител[ией]|исследовани[ея]',
  },
  tr: {
    sure: 'porno izle|sikiş|seks izle|eskort bayan',
    hint: 'seks|çıplak|erotik',
    sober: 'istismar|mağdur|polis|mahkeme|yasa|bağımlılık|sağlık|doktor|eğitim|okul|araştırma',
  },
  ja: {
    sure: 'アダルト動画|エロ動画|無修正|AV女優|風俗嬢',
    hint: 'エロ|ヌード|アダルト',
    sober: '被害|警察|裁判|法律|依存症|健康|医師|教育|学校|研究',
  },
  zh: {
    sure: '色情片|成人视频|成人影片|情色片|裸聊|A片',
    hint: '色情|情色|裸体',
    sober: '受害|警方|法院|法律|健康|医生|教育|学校|研究|打击',
  },
  ko: {
    sure: '야동|성인 동영상|포르노',
    hint: '에로|누드|섹스',
    sober: '피해|경찰|법원|법률|중독|건강|의사|교육|학교|연구',
  },
  ar: {
    sure: 'سكس|أفلام إباحية|افلام اباحية',
    hint: 'إباحي|عاري',
    sober: 'الشرطة|المحكمة|قانون|ضحايا|الصحة|تعليم|دراسة',
  },
};
