/**
 * What titles say of the kind of a page, in several languages. A form (`how to`, `review`) chooses among the children
 * of a family that something else speaks for; a few words speak for a family by themselves. All patterns are for lower case.
 *
 * A pattern that takes long to compile has beside it what each of its texts holds: few titles have that.
 */
export const FORMS: readonly (readonly [form: string, points: number, pattern: RegExp, needs?: RegExp])[] = [
  [
    'How_to',
    7,
    /(?:^|[:–] )how to\b|^wie (?:man|du|sie|ich)\b|(?:^|[:–] )so (?:machst|geht|kannst|gelingt)\b|^c[oó]mo \p{L}+[aei]r\b|^comment \p{L}+(?:er|ir|re)\b|^como \p{L}+[aeio]r\b|^come \p{L}+re\b|^hoe (?:je|maak|u)\b|^как \p{L}+ть(?!\p{L})|の(?:方法|やり方|作り方)|^(?:如何|怎么|怎樣)|\bdiy\b|\bstep[- ]by[- ]step\b|schritt für schritt/u,
  ],
  [
    'Tutorial_or_Guide',
    4,
    /\btutorials?\b|\b(?:beginner'?s|complete|ultimate|definitive|quick|buying|gift|travel|step-by-step) guide\b|\bguide (?:to|for)\b|\banleitung\b|\bratgeber\b|\bleitfaden\b|\bguía\b|\btutoriel\b|^guide\b|\bguia\b|\bguida\b|\bhandleiding\b|руководство|инструкция|入門|ガイド|使い方|教程|指南|攻略/u,
  ],
  [
    'Listicle',
    7,
    /^(?:the |die |der |das |les |los |las |le |i |os |as |de |unsere |our |my )?(?:top )?(?:[3-9]|[1-9]\d|10[01]) (?:[\p{L}'’-]+ ){0,3}?(?:best|beste[n]?|greatest|great|amazing|awesome|easy|simple|quick|surprising|essential|must[- ]\p{L}+|top|common|coolest|cool|schöne|schönste[n]?|tolle|einfache|wichtigste[n]?|mistakes?|tips|tricks|ways|things|reasons|ideas|facts|signs|steps|lessons|books|movies|places|questions|tipps|gründe|dinge|orte|fehler|ideen|fakten|mejores|consejos|razones|cosas|trucos|lugares|meilleure?s|conseils|raisons|idées|choses|astuces|melhores|dicas|razões|motivos|coisas|migliori|consigli|motivi|cose|idee|beste|redenen|dingen|лучших|советов|способов|причин|вещей|самых)(?!\p{L})|\btop[ -]?\d{1,3}\b|^(?:the )?best [\p{L} -]{3,60} (?:of|for|in) (?:20\d\d|\p{L}+)|^\d+選|\d+選/u,
    /\d|best /u,
  ],
  [
    'Comparisons',
    5,
    /\s(?:vs\.?|versus)\s|\bcompar(?:ed|ison|ing)\b|\bim vergleich\b|\bvergleich\b|\bcomparativa\b|\bcomparatif\b|\bcomparativo\b|\bconfronto\b|\bvergelijking\b|сравнение|比較|对比/u,
  ],
  [
    'Roundup',
    4,
    /\bround-?up\b|\b(?:week|month|year) in review\b|\bwochenrückblick\b|\bjahresrückblick\b|\bthis week in\b|\bbest of (?:the )?(?:week|month|20\d\d)\b|\bresumen (?:de la semana|semanal)\b|\brecap\b/u,
  ],
  [
    'Product_or_Brand_Review',
    7,
    /(?<!\bin )\breview(?:ed)?(?:$|\s*[:|–(,-])|\b(?:product|book|film|movie|album|game|hands-on|in-depth) review\b|^review\b|\brezension\b|\btestbericht\b|\bim test\b|\btest:|\breseña\b|^critique\b|\bresenha\b|\brecensione\b|\brecensie\b|^обзор(?!\p{L})|レビュー|评测|測評/u,
  ],
  [
    'Opinion_Piece',
    7,
    /^(?:opinion|editorial|kommentar|meinung|column|tribune|op-ed|opinión|opinião|columna)\s*[:|–—-]|[|–—:-]\s*(?:opinion|editorial|kommentar|meinung|opinión|opinião|tribune)\b|社説/u,
  ],
  ['News_Update', 3, /^breaking\b|\bbreaking news\b|\beilmeldung\b|(?<!\p{L})última hora\b|速報|快讯/u],
  [
    'Story',
    3,
    /\bshort story\b|\bkurzgeschichte\b|\bcuento\b|\blong ?read\b|\bmy story\b|\bthe story of\b|\bdie geschichte (?:von|des|der)\b/u,
  ],
  [
    'Recipe',
    6,
    /\brecipe\b|\brezept\b|\breceta\b|\brecette\b|\breceita\b|\bricetta\b|\brecept\b|рецепт|レシピ|食谱|做法/u,
  ],
  [
    'FAQ',
    4,
    /\bfaqs?\b|\bfrequently asked\b|\bhäufige fragen\b|\bpreguntas frecuentes\b|\bdomande frequenti\b|よくある質問/u,
  ],
  [
    'Checklists',
    5,
    /\bcheck-?lists?\b|\bcheckliste\b|\blista de verificación\b|\bchecklijst\b|чек-лист|チェックリスト|清单/u,
  ],
  [
    'Study_or_Research_Findings',
    4,
    /\b(?:study|studies|research|researchers|scientists) (?:finds?|shows?|suggests?|reveals?|says?|links?|discover)\b|\b(?:studie|forscher) (?:zeigt|zeigen|belegt|finden)|\bnew study\b|\bun estudio\b|\bune étude\b|\buno studio\b|исследование показало/u,
  ],
  [
    'Definitions',
    4,
    /^what (?:is|are) (?!.*\b(?:wrong|happening|going on|next)\b)[^?]{2,60}\?|^was (?:ist|sind|bedeutet|heißt) [^?]{2,60}\?|^¿?qué (?:es|significa)\b|^qu'est[- ]ce qu|^o que é(?!\p{L})|^(?:che )?cos'è(?!\p{L})|^wat is\b|^что такое|とは(?:$|[?？|])|^什么是|\bdefinition\b|\bdefinición\b|\bmeaning\b|\blexikon\b|\bglossar(?:y)?\b/u,
  ],
  [
    'Thought_Leadership',
    4,
    /\bfuture of\b.*\b(?:leadership|work|business|industry)\b|\bthought leadership\b|\bceo (?:insights?|perspective)\b/u,
  ],
  [
    'Interview',
    4,
    /\binterview\b|\bim gespräch\b|\bentrevista\b|\bentretien avec\b|\bintervista\b|интервью|インタビュー|专访/u,
  ],
  ['Compilation', 4, /\bcompilation\b|\bbest moments\b|\bhighlights\b|\brecopilación\b|подборка/u],
  ['Webinar', 5, /\bwebinars?\b|вебинар|ウェビナー/u],
  ['Vlog', 5, /\bvlogs?\b|\bvlogmas\b|влог/u],
  ['Commentary', 4, /\bcommentary\b|\bcommentaire audio\b|\baudiokommentar\b/u],
  ['Podcast', 5, /\bpodcasts?\b|подкаст|ポッドキャスト|播客/u],
  ['Sound_Byte', 5, /\bsound ?b[iy]tes?\b|\bo-ton\b|\bsound effects?\b/u],
  ['Audiobook', 5, /\baudio ?books?\b|\bhörbuch\b|\baudiolibro\b|\blivre audio\b|аудиокнига/u],
  [
    'Case_Study',
    5,
    /\bcase stud(?:y|ies)\b|\bfallstudie\b|\bcaso de (?:éxito|estudio)\b|(?<!\p{L})étude de cas\b|導入事例/u,
  ],
  ['Ebook', 5, /\be-?books?\b/u],
  ['White_Paper', 5, /\bwhite ?papers?\b|\blivre blanc\b|\blibro blanco\b|白皮书|ホワイトペーパー/u],
  ['Slide_Deck', 5, /\bslide deck\b|\bslides\b|\bfoliensatz\b/u],
  ['Research_Paper', 4, /\bworking paper\b|\bdiscussion paper\b|\bpreprint\b|\bproceedings\b|\bresearch paper\b/u],
  ['Template', 5, /\btemplates?\b|\bvorlage\b|\bplantilla\b|\bmodèle de\b|\bsjabloon\b|шаблон|テンプレート|模板/u],
  [
    'Report',
    4,
    /\b(?:annual|quarterly|financial|progress|final|technical) report\b|\bjahresbericht\b|\binforme anual\b|\brapport annuel\b|\brelatório\b|年度报告|報告書/u,
  ],
  [
    'Manual',
    5,
    /\b(?:user|owner'?s|instruction|service|reference) (?:manual|guide)\b|\bbedienungsanleitung\b|\bhandbuch\b|\bmanual de\b|\bmanuel d|\bmanuale\b|取扱説明書|说明书/u,
  ],
  ['Worksheet', 5, /\bworksheets?\b|\barbeitsblatt\b|\bficha de trabajo\b|\bwerkblad\b/u],
];

/** Families whose children are such forms, by the names of the children. */
export const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  '/Article': [
    'How_to',
    'Tutorial_or_Guide',
    'Listicle',
    'Comparisons',
    'Roundup',
    'Product_or_Brand_Review',
    'Opinion_Piece',
    'News_Update',
    'Thought_Leadership',
    'Story',
    'Recipe',
    'FAQ',
    'Checklists',
    'Study_or_Research_Findings',
    'Definitions',
  ],
  '/Video': [
    'How_to',
    'Tutorial_or_Guide',
    'Listicle',
    'Comparisons',
    'Compilation',
    'Roundup',
    'Product_or_Brand_Review',
    'Opinion_Piece',
    'News_Update',
    'Thought_Leadership',
    'Story',
    'Recipe',
    'Interview',
    'Webinar',
    'Vlog',
  ],
  '/Audio': ['Podcast', 'Webinar', 'Interview', 'Sound_Byte', 'Audiobook', 'Commentary'],
  '/Document': [
    'Case_Study',
    'Ebook',
    'White_Paper',
    'Slide_Deck',
    'Research_Paper',
    'Template',
    'Report',
    'Manual',
    'Worksheet',
  ],
};
