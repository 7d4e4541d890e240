import { lazy } from '../../lazy.ts';

/**
 * Times told from now: "3 hours ago", "vor einem Tag", "3時間前", "just now". They go on by themselves, and say which
 * moment they are counted from only roughly.
 *
 * Such a time can only grow while it speaks of the same event. One that has fallen beside the name of an event ("Last
 * incident: 90 days ago", then "2 minutes ago") says that it has happened again, which is news.
 */
export interface RelativeTime {
  /** The text with a mark in the place of each time; equal for texts that differ in these alone. */
  readonly form: string;
  /** Seconds of those that say how long ago an event was last, in the order of the text. */
  readonly sinceEvents: readonly Elapsed[];
}

interface Elapsed {
  readonly count: number;
  /** Seconds. */
  readonly unit: number;
}

/** @param previous the line before, which may be the label of a time that stands alone */
export function withoutRelativeTimes(text: string, previous: string | undefined): RelativeTime {
  const sinceEvents: Elapsed[] = [];
  if (!mayBeRelative(text)) return { form: text, sinceEvents };
  const form = text.replace(RELATIVE(), (time: string, ...rest: unknown[]) => {
    const offset = rest.find((one) => typeof one === 'number') ?? 0;
    if (isAboutLastEvent(text.slice(0, offset), previous)) sinceEvents.push(elapsedIn(time));
    return MARK;
  });
  return { form: form.replace(DAY_AND_CLOCK(), MARK), sinceEvents };
}

/**
 * Whether an event has happened again between two texts of one form. Units are rounded when they change (31 days, a
 * month; 8 weeks, a month), so a time in another unit has to be less than half.
 */
export function hasHappenedAgain(before: readonly Elapsed[], after: readonly Elapsed[]): boolean {
  return after.some((recent, index) => {
    const former = before[index];
    if (!former) return false;
    if (former.unit === recent.unit) return recent.count < former.count;
    return recent.count * recent.unit * 2 < former.count * former.unit;
  });
}

/**
 * Whether what stands before a time says that it is the last of some event. What a site does all day, and what people
 * write and visit there, is no such event: "Last checked", "Last reply", "Last seen".
 */
function isAboutLastEvent(before: string, previous: string | undefined): boolean {
  const said = before.replace(SEPARATORS_AT_END, '');
  const label = said === '' ? (previous ?? '') : said.slice(said.search(LAST_PART));
  return label.length <= LABEL_LENGTH && LAST().test(label) && !ROUTINE().test(label);
}

function elapsedIn(time: string): Elapsed {
  const digits = /\d+/.exec(time);
  const words = digits ? time.slice(digits.index + digits[0].length) : time;
  const unit = UNITS().find(([, pattern]) => (digits ? pattern.first : pattern.anywhere).test(words));
  return { count: digits ? Number(digits[0]) : 1, unit: unit?.[0] ?? 0 };
}

const MARK = '\u0001';
const LABEL_LENGTH = 60;
const SEPARATORS_AT_END = /[\s:|·•(–—-]+$/u;
/** From the last mark that parts what is said from what was said before. */
const LAST_PART = /[^.!?;|·•()–—]*$/u;

const any = (...words: readonly string[]): string => `(?:${words.join('|')})`;
const N = any('\\d{1,4}', 'an?', 'one', '(?:a )?few', 'several');
/** Where the same words say "three days before arrival" or "there are three days of leave", what follows decides. */
const ENDS = '(?![\\p{L}\\p{N}]| \\p{L})';
const NO_TERM = "(?! (?:de|d['’]|para|pour|ouvr|úte|uteis|féri))";
const END = '(?!\\p{L})';
const START = '(?<!\\p{L})';

/** "3 hours", "1 hour and 5 minutes", "2 days, 3 hours". */
function duration(number: string, join: string, ...units: readonly string[]): string {
  const unit = any(...units);
  return `${number} ?${unit}(?:(?:,| ${join}|, ${join})? \\d{1,4} ?${unit}){0,2}`;
}

/** "3 hours ago" in the languages that most pages are written in; the units are those that pages count in. */
const AGO = any(
  `${START}(?:about |over |almost |around |less than )?${duration(N, 'and', 's', 'secs?', 'seconds?', 'm', 'mins?', 'minutes?', 'h', 'hrs?', 'hours?', 'd', 'days?', 'w', 'wks?', 'weeks?', 'mos?', 'months?', 'y', 'yrs?', 'years?')} ago${END}`,
  `${START}vor (?:etwa |rund |über |ca\\. )?${duration('(?:\\d{1,4}|eine[rm]|wenigen)', 'und', 'Sekunden?', 'Sek\\.?', 'Minuten?', 'Min\\.?', 'Stunden?', 'Std\\.?', 'Tag(?:en)?', 'Wochen?', 'Monat(?:en)?', 'Jahr(?:en)?')}${END}`,
  `${START}il y a (?:environ |plus d['’]?e? ?)?${duration('(?:\\d{1,4}|une?|quelques)', 'et', 'secondes?', 'minutes?', 'min\\.?', 'heures?', 'h', 'jours?', 'j', 'semaines?', 'mois', 'ans?')}${END}${NO_TERM}`,
  `${START}hace (?:unos |unas |más de )?${duration('(?:\\d{1,4}|una?)', 'y', 'segundos?', 'minutos?', 'min\\.?', 'horas?', 'h', 'días?', 'semanas?', 'mes(?:es)?', 'años?')}${END}`,
  `${START}há (?:cerca de )?${duration('(?:\\d{1,4}|uma?)', 'e', 'segundos?', 'minutos?', 'min\\.?', 'horas?', 'h', 'dias?', 'semanas?', 'm[eê]s(?:es)?', 'anos?')}(?: atrás)?${END}${NO_TERM}`,
  `${START}${duration('(?:\\d{1,4}|uma?)', 'e', 'segundos?', 'minutos?', 'horas?', 'dias?', 'semanas?', 'm[eê]s(?:es)?', 'anos?')} atrás${END}`,
  `${START}${duration("(?:\\d{1,4}|una?|un')", 'e', 'second[oi]', 'minut[oi]', 'min\\.?', 'or[ae]', 'giorn[oi]', 'settiman[ae]', 'mes[ei]', 'ann[oi]')} fa${END}`,
  `${START}${duration('(?:\\d{1,4}|een)', 'en', 'seconden?', 'minuut', 'minuten', 'min\\.?', 'uur', 'uren', 'dag(?:en)?', 'week', 'weken', 'maand(?:en)?', 'jaar')} geleden${END}`,
  `${START}(?:för )?${duration('(?:\\d{1,4}|en|ett)', 'och', 'sekund(?:er)?', 'minut(?:er)?', 'min\\.?', 'timm(?:e|ar)', 'dag(?:ar)?', 'dygn', 'veck(?:a|or)', 'månad(?:er)?', 'år')} sedan${END}`,
  `${START}(?:for )?${duration('(?:\\d{1,4}|en|et)', 'og', 'sekund(?:er)?', 'minutt?(?:er)?', 'min\\.?', 'timer?', 'dag(?:er?)?', 'døgn', 'uger?', 'uker?', 'måned(?:er)?', 'år')} siden${END}`,
  `${START}${duration('\\d{1,4}', 'ja', 'sekuntia?', 'minuuttia?', 'tuntia?', 'päivää?', 'viikkoa?', 'kuukautta', 'vuotta')} sitten${END}`,
  `${START}\\d{1,4} \\p{L}{1,12}(?:,? (?:i |и |та )?\\d{1,4} \\p{L}{1,12})? ${any('temu', 'назад', 'тому', '(?:yang )?lalu', 'ezelőtt')}${END}`,
  `${START}\\d{1,4} \\p{L}{1,12} ${any('önce', 'trước')}${ENDS}`,
  `${START}${any('před', 'pred', 'преди', 'prije', 'pre', 'acum', 'πριν(?: από)?')} (?:\\d{1,4}|o|un|μία|έναν?) \\p{L}{1,12}${END}`,
  `${START}${any('منذ', 'قبل')} \\d{1,4} \\p{L}{1,12}`,
  `${START}לפני \\d{1,4} \\p{L}{1,12}`,
  `\\d{1,4} \\p{L}[\\p{L}\\p{M}]{0,11} पहले`,
  `\\d{1,4} ?[\\u0e00-\\u0e7f]{1,12}(?:ที่แล้ว|ก่อน)`,
  `\\d{1,4} ?${any('秒', '秒钟', '分', '分钟', '分鐘', '時間', '小时', '小時', '日', '天', '週間', '周', '週', '[かヶ个個]月', '年')}(?:之)?前${ENDS}`,
  `\\d{1,4} ?${any('초', '분', '시간', '일', '주', '개월', '년')} 전${ENDS}`,
  `${START}${any('just now', 'moments? ago', 'a moment ago')}${END}`,
  `(?<=^|[·•|:(,] ?)${any('gerade eben', 'soeben', "à l['’]instant", 'ahora mismo', 'agora mesmo', 'proprio ora', 'zojuist', 'alldeles nyss', 'lige nu', 'akkurat nå', 'juuri nyt', 'przed chwilą', 'právě teď', 'только что', 'щойно', 'az önce', 'baru saja', 'vừa xong', 'éppen most', 'chiar acum', 'μόλις τώρα', 'الآن', 'עכשיו', '刚刚', '剛剛', 'たった今', '방금(?: 전)?')}(?= ?[·•|),]|$)`,
  `(?<=^|[·•|] ?)${any('yesterday', 'gestern', 'hier', 'ayer', 'ieri', 'ontem', 'вчера', 'вчора', 'gisteren', 'igår', 'i går', 'eilen', 'wczoraj', 'včera', 'tegnap', 'dün', 'χθες', 'kemarin', 'hôm qua', '昨天', '昨日', '어제')}(?= ?[·•|]|$)`,
);
const RELATIVE = lazy(() => new RegExp(AGO, 'giu'));

/** Whether a text has a word of each of them. Most have none, and are spared the long patterns. */
function mayBeRelative(text: string): boolean {
  return PLAIN_WORDS.test(text) || (BEYOND_ASCII.test(text) && OTHER_WORDS.test(text));
}

const BEYOND_ASCII = /[^ -~]/;
const PLAIN_WORDS =
  /\b(?:ago|now|vor|il y a|hace|fa|geleden|sedan|siden|sitten|temu|lalu|pred|prije|pre|acum|eben|soeben|l'instant|ahora|agora|proprio|zojuist|nyss|lige nu|juuri nyt|baru saja|today|yesterday|heute|gestern|aujourd|hier|hoy|ayer|oggi|ieri|hoje|ontem|vandaag|gisteren|idag|i dag|eilen|dzisiaj|wczoraj|dnes|ma|tegnap|azi|hari ini|kemarin)\b/i;
const OTHER_WORDS =
  /(?<!\p{L})(?:há|atrás|назад|тому|ezelőtt|önce|trước|před|преди|πριν|منذ|قبل|לפני|l’instant|akkurat nå|chwilą|právě|только что|щойно|vừa xong|éppen|μόλις|الآن|עכשיו|i ?går|tänään|dziś|včera|сегодня|вчера|сьогодні|вчора|astăzi|bugün|dün|σήμερα|χθες|hôm)(?!\p{L})|पहले|ที่แล้ว|ก่อน|前| 전|刚刚|剛剛|たった今|방금|어제|오늘|今天|昨天|今日|昨日/iu;

/** "Today at 14:05" is "Yesterday at 14:05" a day later; its time of day stays, and is compared. */
const DAY_AND_CLOCK = lazy(
  () =>
    new RegExp(
      `${START}${any('today', 'yesterday', 'heute', 'gestern', "aujourd['’]hui", 'hier', 'hoy', 'ayer', 'oggi', 'ieri', 'hoje', 'ontem', 'vandaag', 'gisteren', 'idag', 'igår', 'i ?dag', 'i ?går', 'tänään', 'eilen', 'dzisiaj', 'dziś', 'wczoraj', 'dnes', 'včera', 'сегодня', 'вчера', 'сьогодні', 'вчора', 'ma', 'tegnap', 'astăzi', 'azi', 'bugün', 'dün', 'σήμερα', 'χθες', 'hari ini', 'kemarin', 'hôm nay', 'hôm qua', '今天', '昨天', '今日', '昨日', '오늘', '어제')}(?=,? (?:(?:at|um|à|a las|alle|às|om|kl\\.?|klo|o|в|о) )?\\d{1,2}[:.h]\\d{2}(?:[: ]\\d{2})?(?: ?[ap]\\.?m\\.?| Uhr)?(?! ?[-–—:]| (?:to|till|until|bis|à|a|al|tot|till|do|до)(?!\\p{L})))`,
      'giu',
    ),
);

interface UnitPattern {
  /** In words behind a number. */
  readonly first: RegExp;
  readonly anywhere: RegExp;
}

/** Stems of units, seconds first: a word of two languages is taken for the shorter one. */
const UNITS = lazy(() =>
  (
    [
      [
        1,
        's|secs?|second\\p{L}?|seconds?|sek\\p{L}*|segundos?|seconden?|secondes?|сек\\p{L}*|saniye|giây|detik|másodperc\\p{L}*|secunde?|δευτερ\\p{L}*|שני\\p{L}+|ثاني\\p{L}*|ثوان\\p{L}*|सेकंड|just|moments?',
        '秒|초|วินาที',
      ],
      [
        60,
        'm|min\\p{L}*|мин\\p{L}*|хвил\\p{L}*|dakika|phút|menit|perc\\p{L}*|λεπτ\\p{L}*|דקו?ת?ה?|دقيق\\p{L}*|دقائق|मिनट',
        '分|분|นาที',
      ],
      [
        3_600,
        'h|hrs?|hours?|stunden?|std|heures?|horas?|or[aeăe]|uur|uren|timm\\p{L}*|timer?|tun\\p{L}*|godz\\p{L}*|час\\p{L}*|годин\\p{L}*|hodin\\p{L}*|sat\\p{L}?|saat|giờ|jam|ór\\p{L}*|ώρ\\p{L}*|שע\\p{L}+|ساع\\p{L}*|घं\\S*',
        '時間|小时|小時|시간|ชั่วโมง',
      ],
      [
        86_400,
        'd|days?|tag\\p{L}*|jours?|j|d[ií]as?|giorn[oi]|dag\\p{L}*|døgn|dygn|päiv\\p{L}*|dzień|dni|дн\\p{L}*|день|dn\\p{L}*|dan\\p{L}?|gün|ngày|hari|nap\\p{L}*|zile?|[ηη]?μέρ\\p{L}*|ημέρ\\p{L}*|ימים|יום|يوم\\p{L}*|أيام|दिन',
        '日|天|일|วัน',
      ],
      [
        604_800,
        'w|wks?|week\\p{L}*|weken|wochen?|sem\\p{L}*|settiman\\p{L}*|veck\\p{L}*|u[gk]er?|viik\\p{L}*|tyd\\p{L}*|týd\\p{L}*|tyg\\p{L}*|недел\\p{L}*|седм\\p{L}*|тиж\\p{L}*|hafta|tuần|minggu|h[eé]t\\p{L}*|săpt\\p{L}*|εβδομ\\p{L}*|שבוע\\p{L}*|أسب\\p{L}*|أساب\\p{L}*',
        '週|周|주|สัปดาห์',
      ],
      [
        2_592_000,
        'mos?|month\\p{L}*|monat\\p{L}*|mois|mes\\p{L}*|m[eê]s|maand\\p{L}*|m[åa]ne?a?d\\p{L}*|kuuk\\p{L}*|miesi\\p{L}*|měs\\p{L}*|mjes\\p{L}*|месе\\p{L}*|меся\\p{L}*|місяц\\p{L}*|ay|tháng|bulan|hónap\\p{L}*|lun[iă]|μήν\\p{L}*|חודש\\p{L}*|شهر\\p{L}*|أشهر|شهور|मही\\S*',
        '月|개월|เดือน',
      ],
      [
        31_536_000,
        'y|yrs?|years?|jahr\\p{L}*|ans?|année\\p{L}*|a[nñ]os?|ann[oi]|jaar|år|vuo\\p{L}*|ro[kc]\\p{L}*|lata?|let|лет|год\\p{L}*|рок\\p{L}*|yıl|năm|tahun|év\\p{L}*|ani?|έτ\\p{L}*|χρόν\\p{L}*|שנ\\p{L}+|سن\\p{L}+|साल|वर्ष',
        '年|년|ปี',
      ],
    ] as const
  ).map(([seconds, words, signs]): readonly [number, UnitPattern] => [
    seconds,
    {
      first: new RegExp(`^[ .]*(?:(?:${words})${END}|[かヶ个個]?(?:${signs}))`, 'iu'),
      anywhere: new RegExp(`${START}(?:${words})${END}|${signs}`, 'iu'),
    },
  ]),
);

const LAST = lazy(
  () =>
    new RegExp(
      `${START}${any('last', 'latest', 'most recent', 'letzte[rsnm]?', 'zuletzt', 'jüngste[rsnm]?', 'derni(?:er|ère)s?', 'últim[oa]s?', 'ultim[oaă]', 'ultimul', 'laatste', 'meest recente', 'senaste', 'sista', 'seneste', 'siste', 'sidste', 'viimeisin', 'viimeksi', 'viimeinen', 'ostatni\\p{L}*', 'posledn\\p{L}+', 'последн\\p{L}+', 'останн\\p{L}+', 'utolsó', 'legutóbbi', 'son', 'τελευταί\\p{L}+', 'آخر', 'terakhir')}${END}|最近|最后|最後|上次|上一次|最新|前回|直近|마지막|최근|אחרו|lần cuối|gần (?:đây )?nhất|cuối cùng|terakhir|अंतिम|ล่าสุด`,
      'iu',
    ),
);
/** Stems of what sites and their visitors do all day. */
const ROUTINE = lazy(
  () =>
    new RegExp(
      `${START}${any('updat', 'refresh', 'check', 'sync', 'seen', 'activ', 'online', 'visit', 'log[ -]?(?:ge)?[io]n', 'sign', 'post', 'repl', 'comment', 'message', 'answer', 'edit', 'modif', 'chang', 'crawl', 'scan', 'poll', 'fetch', 'view', 'read', 'review', 'aktual', 'aktiv', 'abgleich', 'gesehen', 'besuch', 'beitrag', 'antwort', 'komment', 'nachricht', 'geänd', 'änder', 'bearbeit', '(?:ge|über)?prüf', 'mise à jour', 'vérif', 'réponse', 'connexion', 'connect', 'actualis', 'actualiz', 'comprob', 'mensaje', 'respuesta', 'coment', 'conexi', 'atualiz', 'verific', 'resposta', 'mensagem', 'acess', 'ativ', 'alter', 'aggiorn', 'controll?', 'rispost', 'access', 'attiv', 'messag', 'bijgewerkt', 'gecontr', 'bericht', 'reactie', 'bezoek', 'gezien', 'actief', 'wijzig', 'uppdat', 'inlägg', 'svar', 'besök', 'ändr', 'opdat', 'oppdat', 'tjek', 'sjekk', 'indlæg', 'innlegg', 'besøg', 'endr', 'ændr', 'päivit', 'tarkist', 'viesti', 'käyn', 'vastau', 'muok', 'sprawdz', 'wizyt', 'wiadom', 'odpow', 'zmian', 'logow', 'návšt', 'přísp', 'prísp', 'odpov', 'změn', 'zmen', 'přihl', 'prihl', 'обновл', 'провер', 'визит', 'посещ', 'сообщ', 'ответ', 'коммент', 'активн', 'вход', 'измен', 'правк', 'онлайн', 'оновл', 'перевір', 'повідом', 'відпов', 'відвід', 'змін', 'friss', 'ellen', 'hozzász', 'üzenet', 'módos', 'belép', 'güncell', 'kontrol', 'mesaj', 'yorum', 'giriş', 'görül', 'değiş', 'ενημέρ', 'έλεγχ', 'μήνυμα', 'σύνδεσ', 'تحديث', 'ظهور', 'نشاط', 'رد', 'زيارة', 'pembaru', 'diperbar', 'aktif', 'cập nhật', 'kiểm tra', 'hoạt động', 'trả lời', 'truy cập')}|更新|检查|檢查|登录|登入|回复|回覆|发帖|活动|活動|在线|上线|评论|留言|编辑|編集|確認|ログイン|投稿|返信|コメント|書き込み|업데이트|확인|로그인|댓글|접속|활동|갱신|방문|עדכון|תגובה|פעיל|הודעה`,
      'iu',
    ),
);
