/**
 * What the words beside a date say of it, in the languages that we tell apart. Beginnings of words count too, since
 * they are inflected; what would be found inside of other words has a boundary.
 */
function beginnings(words: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${listed(words)})`, 'iu');
}

function atTheStart(words: string): RegExp {
  return new RegExp(`^(?:${listed(words)})`, 'iu');
}

function listed(words: string): string {
  return words.trim().replace(/\s*\n\s*\|?/g, '');
}

/** Words before the date of a publication. */
const PUBLISHED = beginnings(
  `published|posted|first published|date published|publication date|publish date|date posted|submitted on|written on|uploaded|
  |veröffentlicht|publiziert|erstellt|eingestellt|erschienen am|datum:|beitrag wurde am|artikel vom|meldung vom|vom\\s?$|
  |publié|mis en ligne|mise en ligne|paru le|posté le|date de publication|article du|
  |publicad|publicación|fecha:|fecha de publicaci|postad|data de publicaç|pubblicat|pubblicazione|notizia del|articolo del|
  |inserito il|data:|gepubliceerd|geplaatst|publicatiedatum|opublikowan|data publikacji|data dodania|dodano|dodane|
  |publikován|zveřejněn|vydáno|publikovan|zverejnen|objavljen|objavio|postavljen|опубликован|дата публикац|размещен|
  |добавлен|опублікован|дата публікац|оприлюднен|публикуван|публикация|објавен|објављен|yayın|yayım|eklenme|giriş tarihi|
  |haber tarihi|publicerad|publicerat|publisert|publiceret|offentliggjort|udgivet|lagt ut|julkais|közzét|megjelen|
  |publikálva|publicat|postat|adăugat|data publicării|δημοσιε|αναρτήθηκε|ανάρτηση|ημερομηνία|paskelbt|publicēt|
  |avaldatud|postitatud|diterbitkan|dipublikasikan|diposting|diunggah|tayang|terbit|xuất bản|ngày đăng|đăng (?:lúc|ngày)|
  |imechapishwa|ipinost|nai-publish|gepubliseer|publikuar|
  |प्रकाशित|पोस्ट|প্রকাশ|வெளியிடப்பட்ட|பதிவு|ప్రచురించ|ಪ್ರಕಟ|പ്രസിദ്ധീകരി|પ્રકાશિત|ਪ੍ਰਕਾਸ਼ਿਤ|شائع|اشاعت|
  |نُ?شر|تاريخ|انتشار|تاریخ|פורסם|תאריך פרסום|เผยแพร่|โพสต์|วันที่|
  |公開|掲載|投稿|配信|発表|発行日|公表|发布|發布|发表|發表|刊登|日期|时间|時間|기사입력|입력|등록|작성|게시|승인|송고`,
);

/** Words of a last change, of validity, of somebody's joining, of an event or of a work beside a date. */
const NOT_PUBLISHED = new RegExp(
  listed(
    `updat|modifi|edited|commit|online|founded|established|revis|effective|last (?:chang|review|check)|as of|expire|valid|
    |deadline|accessed|retrieved|archiv|(?<!\\p{L})born|aktuali|geändert|bearbeitet|stand:|gültig|mis à jour|mise à jour|
    |dernière|actuali[sz]|atualiz|última|ultima|aggiorna|bijgewerkt|gewijzigd|zmodyf|zaktual|ostatni|обнов|измен|оновл|
    |актуализ|uppdater|opdater|oppdater|päivitet|muokat|güncel|ενημέρ|τροποπ|frissít|módos|diperbarui|cập nhật|更新|修正|
    |최종|수정|업데이트|تحديث|به‌روز|แก้ไข|อัปเดต|अपडेट|
    |joined|join date|(?:member|user|customer|active|here) since|registered|mitglied seit|dabei seit|registriert|
    |anmeldedatum|membre depuis|inscrit|miembro desde|registrado|membro d[ea]sde|iscritto|lid sinds|geregistreerd|
    |dołączył|zarejestrowan|na forum od|registrace|зарегистр|регистрац|на сайте с|реєстрац|üyelik|kayıt tarihi|medlem|
    |注册|註冊|加入时间|登録日|参加日|가입|تاريخ التسجيل|انضم|عضو منذ|
    |(?<!\\p{L})(?:today|currently|ends?|ending|ended|until|till|through|thru|begins?|beginning|starts?|starting|opens|opening|closes|closing|
    |due|arriv|depart|check-?in|check-?out|doors|concert|event date|tour|show date|release|launch|premiere|on sale|
    |offer|sale|bis|ab dem|ab|beginn|einlass|start|jusqu|à partir|hasta|desde el|até|a partir|fino al?|dal|tot|t/m|vanaf|
    |do dnia|od dnia|ważn|data wydarzenia|termin|veranstaltung|erscheint|erscheinungs|jahrgang|geboren|gestorben|
    |sortie|lanzamiento|estreno|lançamento|estreia|uscita|premiera|дата выхода|премьера|начало|окончание|действ)(?!\\p{L})[^\\p{L}\\d]*(?:\\p{L}+[^\\p{L}\\d]+){0,2}$|
    |発売|開催|締切|期限|開始|終了|まで|截止|上映|出版|출시|마감|개봉|開幕|©|\\(c\\)|copyright`,
  ),
  'iu',
);

/** The same behind the date. */
const NOT_PUBLISHED_BEHIND =
  /^[^\p{L}]{0,8}(?:更新|修正|수정|まで|締切|開催|発売|截止|까지|آخر تحديث|updated|edited|modified|deadline)/iu;

/** `Last post`, but not `last Friday`. */
const LAST = /\blast (?!(?:mon|tues|wednes|thurs|fri|satur|sun)day|week|month|year)/i;

/** What is said in `label`, the text right before a date, and in `behind`, the text right after it. */
export type SaidOfDate = 'published' | 'something else' | 'nothing';

export function saidOfDate(label: string, behind: string): SaidOfDate {
  if (NOT_PUBLISHED.test(label) || LAST.test(label) || NOT_PUBLISHED_BEHIND.test(behind)) return 'something else';
  return PUBLISHED.test(label) || BARE.test(label) ? 'published' : 'nothing';
}

/** A line that begins with the word for a date and nothing else: `Date 23.05.2011`. */
const BARE =
  /^\s*(?:date|datum|fecha|data|дата|tarih|päivämäärä|dátum|dato|kuupäev|petsa|tanggal|ngày)\s*[:|–-]?\s*$/iu;

/** Whether a line may say of its date that it is the publication's. */
export function maySayPublished(line: string): boolean {
  return saidOfDate(line.replace(/\p{Nd}.*$/su, ''), '') !== 'nothing' || saidOfDate(line, '') !== 'nothing';
}

/** Short lines beside a date that make it the day of an event, or of a book. */
const OCCASION = atTheStart(
  `tickets?\\s*(?::|$)|(?:buy|get|book) tickets|doors\\s*(?::|$)|venue\\s*(?::|$)|when\\s*(?::|$)|where\\s*(?::|$)|date (?:and|&) time|add to (?:my )?calendar|admission|rsvp|
  |isbn|hardcover|paperback|hardback|(?:number of )?pages\\s*(?::|$)|publisher\\s*(?::|$)|einlass|beginn|wann\\s*(?::|$)|veranstaltungsort|
  |eintritt|in den kalender|verlag\\s*(?::|$)|seitenzahl|gebundene|taschenbuch|billets|billetterie|où\\s*(?::|$)|quand\\s*(?::|$)|lieu\\s*(?::|$)|éditeur\\s*(?::|$)|
  |entradas|lugar\\s*(?::|$)|cuándo\\s*(?::|$)|dónde\\s*(?::|$)|editorial:|páginas\\s*(?::|$)|ingressos|quando\\s*(?::|$)|onde\\s*(?::|$)|local:|editora\\s*(?::|$)|biglietti|dove\\s*(?::|$)|luogo\\s*(?::|$)|
  |editore\\s*(?::|$)|kaartverkoop|waar\\s*(?::|$)|wanneer\\s*(?::|$)|locatie\\s*(?::|$)|bilety|miejsce\\s*(?::|$)|wydawnictwo\\s*(?::|$)|билеты|место\\s*(?::|$)|издательство|страниц|会場\\s*(?::|$)|開演|開場|
  |出版社|页数|ページ数|공연|출판사`,
);

export function isOccasion(line: string): boolean {
  return OCCASION.test(line);
}

/** Headings over what readers write. */
export const COMMENTS = atTheStart(
  `(?:\\d+ )?(?:comments?|repl(?:y|ies)|responses?|reviews|kommentare?|antworten|bewertungen|commentaires?|avis|comentarios?|
  |reseñas|opiniones|comentários?|commenti|recensioni|reacties|komentarze|opinie|komentáře|комментари|отзывы|yorumlar|
  |コメント|评论|댓글)`,
);
