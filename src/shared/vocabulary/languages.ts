/** Code and English name, one language a line's part (spec: Vocabularies). There is no bare `zh`. */
const TABLE =
  'af Afrikaans|ar Arabic|bg Bulgarian|bn Bengali|cs Czech|da Danish|de German|el Greek|en English|es Spanish|' +
  'et Estonian|fa Persian|fi Finnish|fr French|gu Gujarati|he Hebrew|hi Hindi|hr Croatian|hu Hungarian|' +
  'id Indonesian|it Italian|ja Japanese|kn Kannada|ko Korean|lt Lithuanian|lv Latvian|mk Macedonian|ml Malayalam|' +
  'mr Marathi|ne Nepali|nl Dutch|no Norwegian|pa Punjabi|pl Polish|pt Portuguese|ro Romanian|ru Russian|sk Slovak|' +
  'sl Slovenian|so Somali|sq Albanian|sv Swedish|sw Swahili|ta Tamil|te Telugu|th Thai|tl Tagalog|tr Turkish|' +
  'uk Ukrainian|ur Urdu|vi Vietnamese|zh-cn Chinese|zh-tw Chinese (traditional)';

const ROWS = TABLE.split('|').map((row) => [row.slice(0, row.indexOf(' ')), row.slice(row.indexOf(' ') + 1)] as const);

/** Every value of `language`. */
export const LANGUAGES: readonly string[] = ROWS.map(([code]) => code);

/** ISO 639-2 and what the languages call themselves, one language a line's part. */
const OTHERS =
  'af afr|ar ara|bg bul български|bn ben|cs cze ces čeština cestina|da dan dansk|de ger deu deutsch|' +
  'el gre ell ελληνικά|en eng|es spa español espanol|et est eesti|fa per fas|fi fin suomi|' +
  'fr fre fra français francais|gu guj|he heb ivrit|hi hin|hr hrv hrvatski|hu hun magyar|id ind|it ita italiano|' +
  'ja jpn nihongo 日本語|kn kan|ko kor 한국어|lt lit|lv lav|mk mac mkd|ml mal|mr mar|ne nep|' +
  'nl dut nld nederlands|no nor nob nno norsk|pa pan|pl pol polski|pt por português portugues|' +
  'ro rum ron română romana|ru rus русский|sk slo slk slovenčina|sl slv slovenščina|so som|sq alb sqi shqip|' +
  'sv swe svenska|sw swa kiswahili|ta tam|te tel|th tha|tl tgl fil|tr tur türkçe turkce|uk ukr українська|' +
  'ur urd|vi vie|zh-cn chi zho 中文 简体中文|zh-tw 繁體中文';

/** Codes by what else people write: names in lower case, and codes of other lists (ISO 639, country codes). */
export const LANGUAGE_NAMES: ReadonlyMap<string, string> = new Map([
  ...ROWS.map(([code, name]) => [name.toLowerCase(), code] as const),
  ...OTHERS.split('|').flatMap((row) => {
    const [code = '', ...names] = row.split(' ');
    return names.map((name) => [name, code] as const);
  }),
  ...([
    ['zh', 'zh-cn'],
    ['zh-hans', 'zh-cn'],
    ['zh-sg', 'zh-cn'],
    ['zh-hant', 'zh-tw'],
    ['zh-hk', 'zh-tw'],
    ['cn', 'zh-cn'],
    ['tw', 'zh-tw'],
    ['iw', 'he'],
    ['in', 'id'],
    ['nb', 'no'],
    ['nn', 'no'],
    ['fil', 'tl'],
    ['cz', 'cs'],
    ['dk', 'da'],
    ['gr', 'el'],
    ['jp', 'ja'],
    ['kr', 'ko'],
    ['se', 'sv'],
    ['ua', 'uk'],
    ['farsi', 'fa'],
    ['us', 'en'],
    ['gb', 'en'],
    ['brazilian', 'pt'],
    ['mandarin', 'zh-cn'],
    ['flemish', 'nl'],
    ['castilian', 'es'],
  ] as const),
]);
