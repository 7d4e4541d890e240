/**
 * Text that changes by itself, told by its form: "3 hours ago", "1,204 views", "Updated 14:05", a request id. Two
 * texts of the same form say the same thing to a reader, so one giving way to the other is no change.
 *
 * Narrow on purpose. Folding every digit would make noise vanish and with it a price, a version, a number of cases:
 * a figure counts unless its own words say that it is a clock or a counter. A date without a time of day counts too
 * ("Last updated: 3 March" is how a privacy policy says that it changed).
 */
export function volatileForm(text: string): VolatileForm | undefined {
  if (text.length > LONGEST || !MAY_BE_VOLATILE.test(text)) return undefined;
  for (const { reason, pattern, mark, most } of FORMS) {
    if (most !== undefined && text.length > most) continue;
    const form = text.replace(pattern, mark);
    if (form !== text) return { form: reason + form, reason };
  }
  return undefined;
}

export interface VolatileForm {
  /** Equal for texts that differ in volatile parts only. */
  readonly form: string;
  /** What kind of volatile text it is, for people. */
  readonly reason: string;
}

/** A title without the number of unread messages that some sites put before it. */
export function stableTitle(title: string | undefined): string | undefined {
  return title?.replace(/^[([]\d{1,4}\+?[)\]]\s*/, '');
}

/** A clock or a counter with nothing beside it: whether it is one, only the visits can tell. */
export function isBareNumber(text: string): boolean {
  return /^(?:\d{1,2}:\d{2}(?::\d{2})?|\d{1,3}(?:[.,' ]\d{3})+|\d{1,9})$/.test(text);
}

/** Characters of a text that is looked at: a clock stands in a line, not in a chapter. */
const LONGEST = 500;
/** A figure, or a word that stands for one. Most text has neither, and is spared the long patterns. */
const MAY_BE_VOLATILE =
  /\d|(?<!\p{L})(?:an?|one|few|several|eine[rm]|wenigen|une?|quelques|una?|uma?|een|ett?|en|now|yesterday|gestern|hier|ayer|ieri|ontem|вчера)(?!\p{L})|昨[天日]/iu;

interface Form {
  readonly reason: string;
  readonly pattern: RegExp;
  readonly mark: string;
  /** Characters of a text beyond which the pattern is taken for part of a sentence. */
  readonly most?: number;
}

const any = (...words: readonly string[]): string => `(?:${words.join('|')})`;
const N = any('\\d{1,4}', 'an?', 'one', '(?:a )?few', 'several');

/** "3 hours ago" in the languages that most pages are written in; the units are those that pages count in. */
const AGO = [
  `\\b(?:about |over |almost |less than )?${N} ?${any('s', 'secs?', 'seconds?', 'm', 'mins?', 'minutes?', 'h', 'hrs?', 'hours?', 'd', 'days?', 'w', 'wks?', 'weeks?', 'mos?', 'months?', 'y', 'yrs?', 'years?')} ago\\b`,
  `\\bvor (?:etwa |rund |über )?(?:\\d{1,4}|eine[rm]|wenigen) ${any('Sekunden?', 'Minuten?', 'Min\\.', 'Stunden?', 'Std\\.', 'Tag(?:en)?', 'Wochen?', 'Monat(?:en)?', 'Jahr(?:en)?')}(?!\\p{L})`,
  `\\bil y a (?:environ )?(?:\\d{1,4}|une?|quelques) ${any('secondes?', 'minutes?', 'min', 'heures?', 'h', 'jours?', 'semaines?', 'mois', 'ans?')}\\b`,
  `\\bhace (?:unos |unas )?(?:\\d{1,4}|una?) ${any('segundos?', 'minutos?', 'min', 'horas?', 'días?', 'semanas?', 'mes(?:es)?', 'años?')}(?!\\p{L})`,
  `\\bhá (?:cerca de )?(?:\\d{1,4}|uma?) ${any('segundos?', 'minutos?', 'min', 'horas?', 'dias?', 'semanas?', 'm[eê]s(?:es)?', 'anos?')}(?: atrás)?(?!\\p{L})`,
  `\\b(?:\\d{1,4}|una?|un') ?${any('second[oi]', 'minut[oi]', 'or[ae]', 'giorn[oi]', 'settiman[ae]', 'mes[ei]', 'ann[oi]')} fa\\b`,
  `\\b(?:\\d{1,4}|een) ${any('seconden?', 'minuut', 'minuten', 'uur', 'uren', 'dag(?:en)?', 'week', 'weken', 'maand(?:en)?', 'jaar')} geleden\\b`,
  `\\b(?:för )?(?:\\d{1,4}|en|ett) ${any('sekund(?:er)?', 'minut(?:er)?', 'timm(?:e|ar)', 'dag(?:ar)?', 'veck(?:a|or)', 'månad(?:er)?', 'år')} sedan\\b`,
  `\\b(?:for )?(?:\\d{1,4}|en|et) ${any('sekund(?:er)?', 'minutt?(?:er)?', 'timer?', 'dag(?:er?)?', 'uger?', 'uker?', 'måned(?:er)?', 'år')} siden\\b`,
  `\\b\\d{1,4} ${any('sekuntia?', 'minuuttia?', 'tuntia?', 'päivää?', 'viikkoa?', 'kuukautta', 'vuotta')} sitten\\b`,
  `\\b\\d{1,4} \\p{L}{1,12} ${any('temu', 'назад', 'тому', 'önce', '(?:yang )?lalu', 'trước')}(?!\\p{L})`,
  `\\bpřed \\d{1,4} \\p{L}{1,12}`,
  `(?<!\\p{L})منذ \\d{1,4} \\p{L}{1,12}`,
  `\\d{1,4} ?${any('秒', '分', '分钟', '分鐘', '時間', '小时', '小時', '日', '天', '週間', '周', '週', '[かヶ个個]月', '年')}前`,
  `\\d{1,4} ?${any('초', '분', '시간', '일', '주', '개월', '년')} 전`,
  `^${any('just now', 'yesterday', 'gestern', 'hier', 'ayer', 'ieri', 'ontem', 'вчера', '昨天', '昨日')}$`,
];

const COUNTED = any(
  'views?',
  'visits?',
  'visitors?',
  'hits',
  'reads',
  'likes?',
  'shares?',
  'comments?',
  'replies',
  'retweets?',
  'followers?',
  'subscribers?',
  '(?:users?|members?|guests?|people)(?: are)?(?: currently)? (?:online|viewing|watching)(?: this(?: \\p{L}{1,12})?)?',
  'Aufrufe',
  'Kommentare?',
  'Besucher',
  'vues',
  'commentaires?',
  'visitas',
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
);
const FIGURE = `\\d[\\d.,' ]{0,14}(?:[KkMm]\\b)?`;
const CLOCK = '\\d{1,2}[:.h]\\d{2}';
const UPDATED = any(
  '(?:last |page )?(?:updated|refreshed|generated|retrieved)',
  '(?:last|latest) (?:update|refresh)',
  'as of',
  '(?:current|local|server) (?:date and )?time',
  'now',
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
const TOKEN = any(
  'ray id',
  '(?:request|session|incident|trace|correlation|error|event|support) id',
  'jsessionid',
  'phpsessid',
  'sid',
  'nonce',
);

const FORMS: readonly Form[] = [
  { reason: 'relative time', pattern: new RegExp(any(...AGO), 'giu'), mark: '\u0001' },
  {
    reason: 'counter',
    pattern: new RegExp(`(?<![\\d.,])(?:${FIGURE} ?${COUNTED}(?!\\p{L})|(?<!\\p{L})${COUNTED}: ?${FIGURE})`, 'giu'),
    mark: '\u0001',
    most: 80,
  },
  {
    reason: 'clock',
    pattern: new RegExp(`^(?:${UPDATED})(?!\\p{L})[^\\n]{0,60}${CLOCK}[^\\n]{0,30}$`, 'iu'),
    mark: '\u0001',
    most: 120,
  },
  {
    reason: 'time taken',
    pattern: /^(?:page |site )?(?:generated|rendered|loaded|served|created|executed) (?:in|within) .{0,60}$/iu,
    mark: '\u0001',
    most: 100,
  },
  { reason: 'id', pattern: new RegExp(`\\b(${TOKEN})\\W{1,4}[\\w.+/=-]{8,}`, 'giu'), mark: '$1\u0001' },
];
