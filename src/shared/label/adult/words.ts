/**
 * Words of pages for adults, clinical and few: what such sites call themselves, not what they show. `sure` words have
 * hardly another use; `hint` words count only beside them. `sober` words stand where others write about the subject:
 * courts, physicians, teachers, researchers. Parts of regular expressions; Latin and Cyrillic ones are whole words.
 */
export interface AdultWords {
  readonly sure: string;
  readonly hint: string;
  readonly sober: string;
}

/** Used on sites of every language. */
export const EVERYWHERE: AdultWords = {
  sure: 'porn(?:o|os|s|stars?|videos?|tubes?|films?)?|xxx|hentai|milfs?|sex ?cams?|sex ?tubes?|sex videos?|live sex|cam ?girls?|call ?girls?|escort (?:girls?|service)s?|adult (?:videos?|movies)|onlyfans leaks?',
  hint: 'sex|sexy|nudes?|naked|erotic|erotica|fetish|bdsm|escorts?|nsfw',
  sober:
    'abuse[ds]?|victims?|police|courts?|trials?|arrested|charged|convicted|sentenced|laws?|bill|addict(?:ion|ed)|therap(?:y|ist)|recovery|health|doctors?|medical|patients?|disease|education|schools?|parents|research(?:ers)?|stud(?:y|ies)|campaign(?:ers)?|censorship|filters?',
};

/** By the code of the language. */
export const BY_LANGUAGE: Readonly<Record<string, AdultWords>> = {
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
