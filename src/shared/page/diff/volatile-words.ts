/** The words of `volatile.ts`, as the sources of patterns for the flags `iu`. */

const any = (...words: readonly string[]): string => `(?:${words.join('|')})`;
const N = any('\\d{1,4}', 'an?', 'one', '(?:a )?few', 'several');
/** Where the same words say "three days before arrival" or "there are three days of leave", what follows decides. */
const ENDS = '(?![\\p{L}\\p{N}]| \\p{L})';
const NO_TERM = "(?! (?:de|d['’]|para|pour|ouvr|úte|uteis|féri))";

/** "3 hours ago" in the languages that most pages are written in; the units are those that pages count in. */
export const AGO = any(
  `\\b(?:about |over |almost |less than )?${N} ?${any('s', 'secs?', 'seconds?', 'm', 'mins?', 'minutes?', 'h', 'hrs?', 'hours?', 'd', 'days?', 'w', 'wks?', 'weeks?', 'mos?', 'months?', 'y', 'yrs?', 'years?')} ago\\b`,
  `\\bvor (?:etwa |rund |über )?(?:\\d{1,4}|eine[rm]|wenigen) ${any('Sekunden?', 'Minuten?', 'Min\\.', 'Stunden?', 'Std\\.', 'Tag(?:en)?', 'Wochen?', 'Monat(?:en)?', 'Jahr(?:en)?')}(?!\\p{L})`,
  `\\bil y a (?:environ )?(?:\\d{1,4}|une?|quelques) ${any('secondes?', 'minutes?', 'min', 'heures?', 'h', 'jours?', 'semaines?', 'mois', 'ans?')}\\b${NO_TERM}`,
  `\\bhace (?:unos |unas )?(?:\\d{1,4}|una?) ${any('segundos?', 'minutos?', 'min', 'horas?', 'días?', 'semanas?', 'mes(?:es)?', 'años?')}(?!\\p{L})`,
  `(?<!\\p{L})há (?:cerca de )?(?:\\d{1,4}|uma?) ${any('segundos?', 'minutos?', 'min', 'horas?', 'dias?', 'semanas?', 'm[eê]s(?:es)?', 'anos?')}(?: atrás)?(?!\\p{L})${NO_TERM}`,
  `\\b(?:\\d{1,4}|una?|un') ?${any('second[oi]', 'minut[oi]', 'or[ae]', 'giorn[oi]', 'settiman[ae]', 'mes[ei]', 'ann[oi]')} fa\\b`,
  `\\b(?:\\d{1,4}|een) ${any('seconden?', 'minuut', 'minuten', 'uur', 'uren', 'dag(?:en)?', 'week', 'weken', 'maand(?:en)?', 'jaar')} geleden\\b`,
  `\\b(?:för )?(?:\\d{1,4}|en|ett) ${any('sekund(?:er)?', 'minut(?:er)?', 'timm(?:e|ar)', 'dag(?:ar)?', 'veck(?:a|or)', 'månad(?:er)?', 'år')} sedan\\b`,
  `\\b(?:for )?(?:\\d{1,4}|en|et) ${any('sekund(?:er)?', 'minutt?(?:er)?', 'timer?', 'dag(?:er?)?', 'uger?', 'uker?', 'måned(?:er)?', 'år')} siden\\b`,
  `\\b\\d{1,4} ${any('sekuntia?', 'minuuttia?', 'tuntia?', 'päivää?', 'viikkoa?', 'kuukautta', 'vuotta')} sitten\\b`,
  `\\b\\d{1,4} \\p{L}{1,12} ${any('temu', 'назад', 'тому', '(?:yang )?lalu')}(?!\\p{L})`,
  `\\b\\d{1,4} \\p{L}{1,12} ${any('önce', 'trước')}${ENDS}`,
  `(?<!\\p{L})před \\d{1,4} \\p{L}{1,12}`,
  `(?<!\\p{L})منذ \\d{1,4} \\p{L}{1,12}`,
  `\\d{1,4} ?${any('秒', '分', '分钟', '分鐘', '時間', '小时', '小時', '日', '天', '週間', '周', '週', '[かヶ个個]月', '年')}前${ENDS}`,
  `\\d{1,4} ?${any('초', '분', '시간', '일', '주', '개월', '년')} 전${ENDS}`,
  `(?<!\\p{L})just now(?!\\p{L})`,
  `(?<=^|[·•|] ?)${any('yesterday', 'gestern', 'hier', 'ayer', 'ieri', 'ontem', 'вчера', '昨天', '昨日')}(?= ?[·•|]|$)`,
);

const COMMON = [
  'views?',
  'comments?',
  'replies',
  'retweets?',
  '(?:users?|members?|guests?|people)(?: are)?(?: currently)? (?:online|viewing|watching)(?: this(?: \\p{L}{1,12})?)?',
  'Aufrufe',
  'Kommentare?',
  'vues',
  'commentaires?',
  'comentarios?',
  'visualizações',
  'comentários?',
  'visualizzazioni',
  'commenti',
  'просмотр\\p{L}{0,3}',
  'комментари\\p{L}{0,3}',
  'wyświetle\\p{L}{0,3}',
  'komentarz\\p{L}{0,3}',
  'weergaven',
  'reacties',
  'visningar',
  'kommentarer',
];

/** What sites count, and nobody else does. */
export const COUNTED = any(...COMMON);

/** What others count too: believed only where nothing but counters stands in a text. */
export const COUNTED_ALONE = any(
  ...COMMON,
  'visits?',
  'visitors?',
  'hits',
  'reads',
  'likes?',
  'shares?',
  'followers?',
  'subscribers?',
  'Besucher',
  'visitas',
);
export const JOINING = any('and', 'und', 'et', 'y', 'e', 'en', 'och', 'og', 'total', 'today');
export const FIGURE = `\\d[\\d.,' ]{0,14}(?:[KkMm]\\b)?`;

/** What a time stands after that a server has written beside its own text. */
export const UPDATED = any(
  '(?:last |page )?(?:updated|refreshed|generated|retrieved)',
  '(?:last|latest) (?:update|refresh)',
  'as of',
  '(?:current|local|server) (?:date and )?time',
  'Stand',
  '(?:Zuletzt )?aktualisiert',
  'Letzte Aktualisierung',
  'Mis à jour',
  'Dernière mise à jour',
  'Actualizado',
  'Última actualización',
  'Atualizado',
  'Aggiornato',
  'Bijgewerkt',
  'Обновлено',
  'Zaktualizowano',
  'Uppdaterad',
  'Opdateret',
  'Oppdatert',
  '更新(?:时间|日時|於|于)?',
);

export const TODAY = any(
  "today(?: is|[’']s date(?: is)?)?",
  '(?:the )?current date(?: is)?',
  'heute(?: ist)?',
  "aujourd[’']hui(?:,? nous sommes)?",
  'nous sommes',
  'hoy(?: es)?',
  'oggi(?: è)?',
  'hoje(?: é)?',
  'vandaag(?: is het| is)?',
  'idag(?: är det)?',
  'i dag(?: er det)?',
  'dzi(?:ś|siaj)(?: jest)?',
  'сегодня',
  '今日は',
  '今天是',
);

/** Words that may stand in a date with a time, besides the months. */
export const DATE_WORDS: ReadonlySet<string> = new Set(
  `monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
  montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so
  lundi mardi mercredi jeudi vendredi samedi dimanche lun mer jeu ven sam dim
  lunes martes miércoles jueves viernes sábado domingo lunedì martedì mercoledì giovedì venerdì sabato domenica
  segunda terça quarta quinta sexta feira maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
  måndag tisdag onsdag torsdag fredag lördag söndag mandag tirsdag lørdag søndag
  poniedziałek wtorek środa czwartek piątek sobota niedziela
  понедельник вторник среда четверг пятница суббота воскресенье
  at on the of st nd rd th um am den der à a le la las el de del às alle ore il om kl klo op o г в uur uhr h hrs hours pm p m
  z utc gmt wet bst cet cest eet eest msk ist jst est edt cst cdt mst mdt pst pdt aest aedt mez mesz et ct mt pt
  eastern central mountain pacific european local standard daylight summer time`.split(/\s+/),
);
