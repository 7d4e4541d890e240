import type { PublishTime } from '../page.ts';

/** A wall clock as a page writes it: the digits of each field, year first; the fields from the hour on may be absent. */
type Fields = readonly (string | number | undefined)[];

/**
 * The time of these fields in a zone that is an offset (`+02:00`, `-05`) or a name that RFC 5322 or newsrooms use; a
 * zone nobody knows is read as none, for the wall clock is still the page's own. Undefined for what is not on the
 * calendar or before 1995. Whether it lies too far ahead only a caller with a clock can tell.
 */
export function timeOf(fields: Fields, zone?: string): PublishTime | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = fields.map((field) => Number(field ?? 0));
  const wallClock = Date.UTC(year, month - 1, day, hour, minute, second);
  const back = new Date(wallClock);
  const exists =
    back.getUTCMonth() === month - 1 && back.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  return exists ? timeAt(wallClock, minutesAhead(zone)) : undefined;
}

/** The time of a wall clock in milliseconds that is so many minutes ahead of UTC. */
export function timeAt(wallClock: number, ahead: number): PublishTime | undefined {
  if (!(wallClock >= EARLIEST && wallClock < LATEST)) return undefined;
  return { local: new Date(wallClock).toISOString().slice(0, 19), instant: wallClock - ahead * 60_000 };
}

const EARLIEST = Date.UTC(1995, 0, 1);
/** Beyond four digits the form `YYYY-MM-DDTHH:MM:SS` ends. */
const LATEST = Date.UTC(9_999, 0, 1);

/** Minutes ahead of UTC of the zones that have names. */
const ZONES: ReadonlyMap<string, number> = new Map(
  `z:0 utc:0 gmt:0 wet:0 bst:60 cet:60 cest:120 eet:120 eest:180 msk:180 ist:330 jst:540
  est:-300 edt:-240 cst:-360 cdt:-300 mst:-420 mdt:-360 pst:-480 pdt:-420`
    .split(/\s+/)
    .map((entry) => entry.split(':'))
    .map(([name = '', minutes]) => [name, Number(minutes)]),
);

function minutesAhead(zone: string | undefined): number {
  if (zone === undefined) return 0;
  const offset = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (!offset) return ZONES.get(zone.toLowerCase()) ?? 0;
  const minutes = Number(offset[2]) * 60 + Number(offset[3] ?? 0);
  return offset[1] === '-' ? -minutes : minutes;
}

/**
 * Names of the months of the Gregorian calendar as dates are written in the languages that we tell apart: full and
 * abbreviated, alone and inside a date, lower case, without the dot of an abbreviation. January first.
 *
 * Source: Unicode CLDR 48 (Unicode License V3), written out once: what a page says must not change with the version
 * of the runtime.
 */
const NAMES = [
  `januarie jan يناير януари জানুয়ারি জানু leden led ledna januar ιανουαρίου ιαν january enero ene jaanuar jaan
  ژانویه ژانویهٔ tammikuu tammi tammikuuta janvier janv જાન્યુઆરી જાન્યુ ינואר ינו जनवरी जन siječanj sij
  siječnja január januari gennaio gen ಜನವರಿ ಜನ sausis sausio janvāris јануари јан ജനുവരി ജനു जानेवारी जाने ਜਨਵਰੀ
  ਜਨ styczeń sty stycznia janeiro ianuarie ian январь янв января januára jannaayo janaayo janar ஜனவரி ஜன జనవరి
  జన มกราคม ม.ค ocak oca січень січ січня جنوری jänner
  janvārī januara januarja gener جانفي`,
  `februarie feb فبراير февруари ফেব্রুয়ারি ফেব únor úno února februar φεβρουαρίου φεβ february febrero veebruar
  veebr فوریه فوریهٔ helmikuu helmi helmikuuta février févr ફેબ્રુઆરી ફેબ્રુ פברואר פבר फ़रवरी फ़र veljača velj
  veljače február febr februari febbraio ಫೆಬ್ರವರಿ ಫೆಬ್ರ vasaris vasario februāris фев ഫെബ്രുവരി ഫെബ്രു
  फेब्रुवारी फेब्रु फेब्रुअरी ਫ਼ਰਵਰੀ ਫ਼ਰ luty lut lutego fevereiro fev февраль февр февраля februára febraayo
  shkurt shk பிப்ரவரி பிப் ఫిబ్రవరి ఫిబ్ర กุมภาพันธ์ ก.พ pebrero peb şubat şub лютий лют лютого فروری feber
  februārī februara februarja febrer فيفري شباط फरवरी`,
  `maart mrt مارس март মার্চ březen bře března marts mar märz mär μαρτίου μαρ march marzo märts maaliskuu maalis
  maaliskuuta mars માર્ચ מרץ मार्च ožujak ožu ožujka március márc maret ಮಾರ್ಚ್ kovas kovo мар മാർച്ച് മാർ ਮਾਰਚ
  marzec marca março martie марта marec maarso machi mac மார்ச் மார் మార్చి มีนาคม มี.ค marso mart березень бер
  березня مارچ mrz
  martā marta març آذار أذار`,
  `april apr أبريل април এপ্রিল এপ্রি duben dub dubna απριλίου απρ abril abr aprill آوریل huhtikuu huhti
  huhtikuuta avril avr એપ્રિલ אפריל אפר अप्रैल travanj tra travnja április ápr aprile ಏಪ್ರಿಲ್ ಏಪ್ರಿ balandis
  balandžio aprīlis апр ഏപ്രിൽ ഏപ്രി एप्रिल एप्रि अप्रिल ਅਪ੍ਰੈਲ ਅਪ੍ਰੈ kwiecień kwi kwietnia aprilie апрель
  апреля apríl apríla abriil prill pri aprili ஏப்ரல் ஏப் ఏప్రిల్ ఏప్రి เมษายน เม.ย nisan nis квітень квіт квітня
  اپریل
  aprīlī aprila أفريل ابريل نيسان`,
  `mei مايو май মে květen kvě května maj mai μαΐου μαΐ may mayo مه مهٔ toukokuu touko toukokuuta મે מאי मई
  svibanj svi svibnja május máj maggio mag ಮೇ gegužė gegužės maijs мај മേയ് मे ਮਈ maja maio мая mája maayo மே మే
  พฤษภาคม พ.ค mayıs травень трав травня مئی
  maijā maig ماي أيار ايار`,
  `junie jun يونيو юни জুন červen čvn června juni ιουνίου ιουν june junio juuni ژوئن kesäkuu kesä kesäkuuta juin
  જૂન יוני जून lipanj lipnja június jún giugno giu ಜೂನ್ birželis birželio jūnijs jūn јуни јун ജൂൺ जुन ਜੂਨ
  czerwiec cze czerwca junho iunie iun июнь июня июн júna junij juun qershor qer ஜூன் జూన్ มิถุนายน มิ.ย hunyo
  hun haziran haz червень черв червня جون
  jūnijā juna junija juny جوان حزيران`,
  `julie jul يوليو юли জুলাই জুল červenec čvc července juli ιουλίου ιουλ july julio juuli ژوئیه ژوئیهٔ heinäkuu
  heinä heinäkuuta juillet juil જુલાઈ יולי जुलाई जुल srpanj srpnja július júl luglio lug ಜುಲೈ liepa liepos
  jūlijs jūl јули јул ജൂലൈ जुलै ਜੁਲਾਈ ਜੁਲਾ lipiec lip lipca julho iulie iul июль июля июл júla julij luulyo lul
  korrik korr julai ஜூலை జులై กรกฎาคม ก.ค hulyo hul temmuz tem липень лип липня جولائی
  jūlijā jula julija juliol جويلية تموز يوليوز`,
  `augustus aug أغسطس август আগস্ট আগ srpen srp srpna august αυγούστου αυγ agosto ago اوت elokuu elo elokuuta
  août ઑગસ્ટ אוגוסט אוג अगस्त अग kolovoz kol kolovoza augusztus agustus agu ಆಗಸ್ಟ್ ಆಗ rugpjūtis rugpjūčio
  augusts авг ഓഗസ്റ്റ് ഓഗ ऑगस्ट ऑग अगस्ट ਅਗਸਤ ਅਗ sierpień sie sierpnia августа augusta avgust avg ogosto ogs
  gusht gush augusti agosti ஆகஸ்ட் ஆக ఆగస్టు ఆగ สิงหาคม ส.ค ağustos ağu серпень серп серпня اگست
  augustā agost أوت آب اغسطس غشت`,
  `september sep سبتمبر септември সেপ্টেম্বর সেপ্ট সেপ září zář sept σεπτεμβρίου σεπ septiembre سپتامبر syyskuu
  syys syyskuuta septembre સપ્ટેમ્બર સપ્ટે ספטמבר ספט सितंबर सित rujan ruj rujna szeptember szept settembre set
  ಸೆಪ್ಟೆಂಬರ್ ಸೆಪ್ಟೆಂ rugsėjis rugsėjo septembris сеп സെപ്റ്റംബർ സെപ്റ്റം सप्टेंबर सप्टें सेप्टेम्बर ਸਤੰਬਰ ਸਤੰ
  wrzesień wrz września setembro septembrie сентябрь сент сентября septembra sebteembar seb sebtembar shtator
  sht septemba செப்டம்பர் செப் సెప్టెంబర్ సెప్టెం กันยายน ก.ย setyembre eylül eyl вересень вер вересня ستمبر
  septembrī setembre شتنبر أيلول ايلول सितम्बर`,
  `oktober okt أكتوبر октомври অক্টোবর অক্টো říjen říj října οκτωβρίου οκτ october oct octubre oktoober اکتبر
  lokakuu loka lokakuuta octobre ઑક્ટોબર ઑક્ટો אוקטובר אוק अक्टूबर अक्टू október ottobre ott ಅಕ್ಟೋಬರ್ ಅಕ್ಟೋ
  spalis spalio oktobris окт ഒക്ടോബർ ഒക്ടോ ऑक्टोबर ऑक्टो अक्टोबर ਅਕਤੂਬਰ ਅਕਤੂ październik paź października
  outubro out octombrie октябрь октября októbra oktoobar tetor tet oktoba அக்டோபர் அக் అక్టోబర్ అక్టో ตุลาคม ต.ค
  oktubre ekim eki жовтень жовт жовтня اکتوبر
  oktobrī oktobra اكتوبر अक्तूबर`,
  `november nov نوفمبر ноември নভেম্বর নভে listopad lis listopadu νοεμβρίου νοε noviembre نوامبر marraskuu marras
  marraskuuta novembre નવેમ્બર નવે נובמבר נוב नवंबर नव studeni stu studenoga ನವೆಂಬರ್ ನವೆಂ lapkritis lapkričio
  novembris ное നവംബർ നവം नोव्हेंबर नोव्हें नोभेम्बर ਨਵੰਬਰ ਨਵੰ listopada novembro noiembrie ноябрь нояб ноября
  novembra noofeembar nof nëntor nën novemba நவம்பர் நவ నవంబర్ నవం พฤศจิกายน พ.ย nobyembre nob kasım kas
  листопад лист листопада نومبر
  novembrī نونبر नवम्बर`,
  `desember des ديسمبر декември ডিসেম্বর ডিসে prosinec pro prosince december dec dezember dez δεκεμβρίου δεκ
  diciembre dic detsember dets دسامبر joulukuu joulu joulukuuta décembre déc ડિસેમ્બર ડિસે דצמבר דצמ दिसंबर दिस
  prosinac prosinca dicembre ಡಿಸೆಂಬರ್ ಡಿಸೆಂ gruodis gruodžio decembris дек ഡിസംബർ ഡിസം डिसेंबर डिसें डिसेम्बर
  ਦਸੰਬਰ ਦਸੰ grudzień gru grudnia dezembro decembrie декабрь декабря decembra diseembar dis dhjetor dhj desemba
  டிசம்பர் டிச డిసెంబర్ డిసెం ธันวาคม ธ.ค disyembre aralık ara грудень груд грудня دسمبر
  decembrī desembre دجنبر दिसम्बर`,
];

/** Months that have another name in Croatian than the same word says in Czech and Polish. */
const CROATIAN: ReadonlyMap<string, number> = new Map([
  ['lip', 6],
  ['srp', 7],
  ['lis', 10],
  ['listopad', 10],
  ['listopada', 10],
]);

const MONTHS: ReadonlyMap<string, number> = new Map(
  NAMES.flatMap((names, index) => names.split(/\s+/).map((name): [string, number] => [name, index + 1])),
);

/** The month (1 to 12) that a word in lower case names, in a page of this language (a BCP 47 tag or nothing). */
export function monthNamed(word: string, language = ''): number | undefined {
  const own = language.startsWith('hr') ? CROATIAN.get(word) : undefined;
  // `בינואר`: in January.
  return own ?? MONTHS.get(word) ?? (word.startsWith('ב') ? MONTHS.get(word.slice(1)) : undefined);
}
