import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../../src/shared/vocabulary/languages.ts';
import { declaredLanguage, languageOf, loadLanguages } from '../../../../src/shared/label/language/language.ts';

const model = await loadLanguages();
const codeOf = (text: string, declared?: string): string | undefined =>
  languageOf({ text, ...(declared !== undefined && { declared }) }, model)?.value;

/** The same plain scene, a market in the morning, in every language of the vocabulary. */
const SAMPLES: Readonly<Record<string, string>> = {
  af: 'Elke oggend koop ons vars brood by die mark en gesels met die mense wat daar werk.',
  ar: 'نشتري الخبز الطازج من السوق كل صباح ونتحدث مع الناس الذين يعملون هناك.',
  bg: 'Всяка сутрин купуваме пресен хляб от пазара и говорим с хората, които работят там.',
  bn: 'আমরা প্রতিদিন সকালে বাজার থেকে তাজা রুটি কিনি।',
  cs: 'Každé ráno kupujeme na trhu čerstvý chléb a povídáme si s lidmi, kteří tam pracují.',
  da: 'Hver morgen køber vi frisk brød på torvet og snakker med de mennesker, som arbejder der.',
  de: 'Jeden Morgen kaufen wir auf dem Markt frisches Brot und reden mit den Leuten, die dort arbeiten.',
  el: 'Κάθε πρωί αγοράζουμε φρέσκο ψωμί από την αγορά.',
  en: 'Every morning we buy fresh bread at the market and talk with the people who work there.',
  es: 'Todas las mañanas compramos pan fresco en el mercado y hablamos con la gente que trabaja allí.',
  et: 'Igal hommikul ostame turult värsket leiba ja räägime inimestega, kes seal töötavad.',
  fa: 'ما هر روز صبح از بازار نان تازه می‌خریم و با مردمی که آنجا کار می‌کنند حرف می‌زنیم.',
  fi: 'Joka aamu ostamme torilta tuoretta leipää ja juttelemme siellä työskentelevien ihmisten kanssa.',
  fr: 'Chaque matin nous achetons du pain frais au marché et parlons avec les gens qui y travaillent.',
  gu: 'અમે દરરોજ સવારે બજારમાંથી તાજી રોટલી ખરીદીએ છીએ.',
  he: 'בכל בוקר אנחנו קונים לחם טרי בשוק ומדברים עם האנשים שעובדים שם.',
  hi: 'हम हर सुबह बाज़ार से ताज़ी रोटी खरीदते हैं और वहाँ काम करने वाले लोगों से बात करते हैं।',
  hr: 'Svako jutro kupujemo svjež kruh na tržnici i razgovaramo s ljudima koji tamo rade.',
  hu: 'Minden reggel friss kenyeret veszünk a piacon, és beszélgetünk az ott dolgozó emberekkel.',
  id: 'Setiap pagi kami membeli roti segar di pasar dan berbicara dengan orang yang bekerja di sana.',
  it: 'Ogni mattina compriamo il pane fresco al mercato e parliamo con le persone che ci lavorano.',
  ja: '毎朝、市場で焼きたてのパンを買い、そこで働く人たちと話します。',
  kn: 'ನಾವು ಪ್ರತಿದಿನ ಬೆಳಿಗ್ಗೆ ಮಾರುಕಟ್ಟೆಯಲ್ಲಿ ತಾಜಾ ರೊಟ್ಟಿ ಖರೀದಿಸುತ್ತೇವೆ.',
  ko: '우리는 매일 아침 시장에서 갓 구운 빵을 삽니다.',
  lt: 'Kiekvieną rytą turguje perkame šviežios duonos ir kalbamės su ten dirbančiais žmonėmis.',
  lv: 'Katru rītu mēs tirgū pērkam svaigu maizi un runājam ar cilvēkiem, kas tur strādā.',
  mk: 'Секое утро купуваме свеж леб на пазарот и зборуваме со луѓето што работат таму.',
  ml: 'ഞങ്ങൾ എല്ലാ ദിവസവും രാവിലെ ചന്തയിൽ നിന്ന് റൊട്ടി വാങ്ങുന്നു.',
  mr: 'आम्ही रोज सकाळी बाजारातून ताजी भाकरी विकत घेतो आणि तिथे काम करणाऱ्या लोकांशी बोलतो.',
  ne: 'हामी हरेक बिहान बजारबाट ताजा रोटी किन्छौं र त्यहाँ काम गर्ने मानिसहरूसँग कुरा गर्छौं।',
  nl: 'Elke ochtend kopen we vers brood op de markt en praten we met de mensen die daar werken.',
  no: 'Hver morgen kjøper vi ferskt brød på torget og snakker med menneskene som jobber der.',
  pa: 'ਅਸੀਂ ਹਰ ਸਵੇਰ ਬਾਜ਼ਾਰ ਤੋਂ ਤਾਜ਼ੀ ਰੋਟੀ ਖਰੀਦਦੇ ਹਾਂ।',
  pl: 'Każdego ranka kupujemy na targu świeży chleb i rozmawiamy z ludźmi, którzy tam pracują.',
  pt: 'Todas as manhãs compramos pão fresco no mercado e falamos com as pessoas que lá trabalham.',
  ro: 'În fiecare dimineață cumpărăm pâine proaspătă din piață și vorbim cu oamenii care lucrează acolo.',
  ru: 'Каждое утро мы покупаем на рынке свежий хлеб и говорим с людьми, которые там работают.',
  sk: 'Každé ráno kupujeme na trhu čerstvý chlieb a rozprávame sa s ľuďmi, ktorí tam pracujú.',
  sl: 'Vsako jutro na tržnici kupimo svež kruh in se pogovarjamo z ljudmi, ki tam delajo.',
  so: 'Subax kasta waxaan suuqa ka soo iibsannaa rooti cusub waxaanan la hadalnaa dadka halkaas ka shaqeeya.',
  sq: 'Çdo mëngjes blejmë bukë të freskët në treg dhe flasim me njerëzit që punojnë atje.',
  sv: 'Varje morgon köper vi färskt bröd på torget och pratar med människorna som arbetar där.',
  sw: 'Kila asubuhi tunanunua mkate mpya sokoni na kuzungumza na watu wanaofanya kazi huko.',
  ta: 'நாங்கள் தினமும் காலையில் சந்தையில் ரொட்டி வாங்குகிறோம்.',
  te: 'మేము ప్రతి ఉదయం మార్కెట్లో తాజా రొట్టె కొంటాము.',
  th: 'เราซื้อขนมปังสดที่ตลาดทุกเช้า',
  tl: 'Tuwing umaga ay bumibili kami ng sariwang tinapay sa palengke at nakikipag-usap sa mga tao roon.',
  tr: 'Her sabah pazardan taze ekmek alıyor ve orada çalışan insanlarla konuşuyoruz.',
  uk: 'Щоранку ми купуємо на ринку свіжий хліб і розмовляємо з людьми, які там працюють.',
  ur: 'ہم ہر صبح بازار سے تازہ روٹی خریدتے ہیں اور وہاں کام کرنے والے لوگوں سے بات کرتے ہیں۔',
  vi: 'Mỗi buổi sáng chúng tôi mua bánh mì tươi ở chợ và nói chuyện với những người làm việc ở đó.',
  'zh-cn': '我们每天早上在市场买新鲜的面包，和在那里工作的人说话。',
  'zh-tw': '我們每天早上在市場買新鮮的麵包，和在那裡工作的人說話。',
};

describe('languages of the vocabulary', () => {
  test('there is a sample of each', () => {
    expect(Object.keys(SAMPLES).sort()).toEqual([...LANGUAGES].sort());
  });

  test.each(Object.entries(SAMPLES))('a sentence in %s is known without a hint', (code, text) => {
    expect(codeOf(text)).toBe(code);
  });

  test.each(Object.entries(SAMPLES))('a page that wrongly declares English is still in %s', (code, text) => {
    expect(codeOf(text, 'en')).toBe(code);
  });

  test.each(['ro', 'vi', 'tr', 'hi', 'ko'])('letters may be composed or not: %s', (code) => {
    expect(codeOf(SAMPLES[code]!.normalize('NFD'))).toBe(code);
  });

  test('capitals are the same letters', () => {
    expect(codeOf(SAMPLES['de']!.toUpperCase())).toBe('de');
    expect(codeOf('İSTANBUL ŞEHRİNDE HER GÜN YENİ BİR ŞEY OLUYOR')).toBe('tr');
  });

  test('Norwegian is no in both its forms', () => {
    expect(codeOf('Kvar morgon kjøper me ferskt brød på torget og snakkar med folka som arbeider der.')).toBe('no');
  });

  test('the reason names what was looked at', () => {
    expect(languageOf({ text: SAMPLES['ko']! }, model)?.reason).toBe('script Hangul');
    expect(languageOf({ text: SAMPLES['en']! }, model)?.reason).toBe('n-grams of 70 characters');
    expect(languageOf({ text: SAMPLES['zh-tw']! }, model)?.reason).toMatch(/^\d+ traditional characters$/);
  });
});

describe('languages outside the vocabulary', () => {
  test.each([
    ['Catalan', 'Cada matí comprem pa fresc al mercat i parlem amb la gent que hi treballa.'],
    ['Galician', 'Todas as mañás mercamos pan fresco na praza e falamos coa xente que alí traballa.'],
    ['Esperanto', 'Ĉiumatene ni aĉetas freŝan panon en la bazaro kaj parolas kun la homoj, kiuj tie laboras.'],
    ['Latin', 'Cotidie mane panem recentem in foro emimus et cum hominibus qui ibi laborant loquimur.'],
    ['Basque', 'Goizero ogi freskoa erosten dugu azokan eta han lan egiten duten pertsonekin hitz egiten dugu.'],
    ['Welsh', 'Bob bore rydym yn prynu bara ffres yn y farchnad ac yn siarad gyda phobl sy’n gweithio yno.'],
    ['Irish', 'Gach maidin ceannaímid arán úr ag an margadh agus labhraímid leis na daoine atá ag obair ann.'],
    ['Icelandic', 'Á hverjum morgni kaupum við nýtt brauð á markaðnum og tölum við fólkið sem vinnur þar.'],
    ['Maltese', 'Kull filgħodu nixtru ħobż frisk mis-suq u nitkellmu man-nies li jaħdmu hemmhekk.'],
    ['Zulu', 'Njalo ekuseni sithenga isinkwa esisha emakethe bese sikhuluma nabantu abasebenza khona.'],
    ['Belarusian', 'Кожную раніцу мы купляем на рынку свежы хлеб і размаўляем з людзьмі, якія там працуюць.'],
    ['Serbian', 'Сваког јутра купујемо свеж хлеб на пијаци и разговарамо са људима који тамо раде.'],
    ['Kazakh', 'Біз күн сайын таңертең базардан жаңа нан сатып аламыз және сол жердегі адамдармен сөйлесеміз.'],
    ['Yiddish', 'יעדן אינדערפרי קויפן מיר פריש ברויט אויפן מאַרק און רעדן מיט די מענטשן וואָס אַרבעטן דאָרט.'],
    ['Georgian', 'ყოველ დილით ბაზარში ახალ პურს ვყიდულობთ.'],
    ['Armenian', 'Ամեն առավոտ շուկայից թարմ հաց ենք գնում։'],
    ['Amharic', 'በየቀኑ ጠዋት ከገበያ ትኩስ ዳቦ እንገዛለን።'],
  ])('%s is absent, whatever is declared', (_, text) => {
    expect(codeOf(text)).toBeUndefined();
    expect(codeOf(text, 'en')).toBeUndefined();
  });

  test('a neighbour that the page declares makes its twin doubtful', () => {
    const serbian = 'Svakog jutra kupujemo svež hleb na pijaci i razgovaramo sa ljudima koji tamo rade.';
    expect(codeOf(serbian, 'sr-Latn-RS')).toBeUndefined();
    expect(codeOf(SAMPLES['hr']!, 'hr')).toBe('hr');
  });
});

describe('what a page declares', () => {
  test('serves where the text is too short to tell', () => {
    expect(codeOf('Menu', 'de-AT')).toBe('de');
    expect(languageOf({ text: 'Menu', declared: 'de' }, model)?.reason).toBe('html lang, text too short');
    expect(languageOf({ text: '2026-11-21', declared: 'sv' }, model)?.reason).toBe('html lang, no letters');
    expect(codeOf('Menu')).toBeUndefined();
    expect(codeOf('')).toBeUndefined();
  });

  test('must be written in the script of the text', () => {
    expect(codeOf('Привет', 'en')).toBeUndefined();
    expect(codeOf('Привет', 'ru')).toBe('ru');
    expect(codeOf('Menu', 'ja')).toBeUndefined();
    expect(codeOf('人口', 'en')).toBeUndefined();
  });

  test('breaks the tie of two ways of writing Chinese', () => {
    expect(codeOf('人口', 'zh-Hant-HK')).toBe('zh-tw');
    expect(codeOf('人口', 'zh')).toBe('zh-cn');
    expect(codeOf('人口', 'ja')).toBe('ja');
    expect(codeOf('人口')).toBeUndefined();
  });

  test('breaks the tie of near relations', () => {
    const both = 'Han spiser frokost hver dag';
    expect(codeOf(both)).toBeUndefined();
    expect(codeOf(both, 'da')).toBe('da');
    expect(codeOf(both, 'no')).toBe('no');
  });

  test.each([
    ['en-US', 'en'],
    ['pt_BR', 'pt'],
    [' DE ', 'de'],
    ['nb-NO', 'no'],
    ['nn', 'no'],
    ['zh', 'zh-cn'],
    ['zh-Hant', 'zh-tw'],
    ['zh-HK', 'zh-tw'],
    ['zh-Hans-CN', 'zh-cn'],
    ['iw', 'he'],
    ['fr, en', 'fr'],
    ['ca', 'ca'],
    ['', undefined],
    ['-', undefined],
    [undefined, undefined],
  ])('%s stands for %s', (lang, code) => {
    expect(declaredLanguage(lang)).toBe(code);
  });
});

describe('texts that mean harm or nothing', () => {
  test('gibberish has no language', () => {
    expect(codeOf('asdf qwer zxcv hjkl uiop bnm qwrt zxcvb')).toBeUndefined();
    expect(codeOf('0123 4567 89 :-) %$#')).toBeUndefined();
  });

  test('a text of five million letters is sampled', () => {
    expect(codeOf('x'.repeat(5_000_000))).toBeUndefined();
    expect(codeOf(`${SAMPLES['fr']!} `.repeat(50_000))).toBe('fr');
  });

  test('a foreign first paragraph does not hide the language of the rest', () => {
    expect(codeOf(`${SAMPLES['en']!} ${`${SAMPLES['pl']!} `.repeat(40)}`)).toBe('pl');
    expect(codeOf(`${SAMPLES['en']!} ${SAMPLES['ja']!.repeat(40)}`)).toBe('ja');
  });

  const strange = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
    fc.array(fc.constantFrom(...Object.values(SAMPLES)), { maxLength: 5 }).map((texts) => texts.join(' ')),
    fc.tuple(fc.string(), fc.nat(3_000)).map(([text, times]) => text.repeat(times)),
  );

  test('any text and any declaration give a code of the vocabulary or nothing, and the same twice', () => {
    fc.assert(
      fc.property(strange, fc.option(fc.string(), { nil: undefined }), (text, declared) => {
        const first = codeOf(text, declared);
        expect(first === undefined || LANGUAGES.includes(first)).toBe(true);
        expect(codeOf(text, declared)).toBe(first);
      }),
    );
  });

  test('every code may be declared for a text without letters', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LANGUAGES), (code) => {
        expect(codeOf('123', code)).toBe(code);
      }),
    );
  });
});
