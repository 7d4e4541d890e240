import { contentOf } from '../../page/structure/content.ts';
import type { Page } from '../../page/page.ts';
import { Evidence } from './evidence.ts';
import { Lexicon } from './lexicon.ts';
import type { Label } from '../label.ts';
import { CS, FI, ID, JA, KO, PL, RU, TR, UK, ZH } from './words-others.ts';
import { DA, DE, NL, SV } from './words-germanic.ts';
import { EN } from './words-en.ts';
import { ES, FR, IT, PT } from './words-romance.ts';

/** What the words of each language speak for. */
export interface Categories {
  /** Of a language by its code, the hand-written lexicon first; for `en` also the words that scripts/category-model.ts found. */
  lexiconsOf(language: string): readonly Lexicon[];
}

/** Words looked at; what a page is about stands near its top. */
const WORDS = 500;
const TITLE_WORDS = 40;
const DESCRIPTION_WORDS = 60;
const ADDRESS_WORDS = 30;
const SECTIONS = 6;
const SECTION_WORDS = 6;

/** How many times a word counts there; one of many keywords says less than the only section. */
const TITLE = { times: 3, name: 'title' };
const DESCRIPTION = { times: 2 };
const TEXT = { times: 1 };
const SLUG = { times: 2 };
const PATH = { times: 4, name: 'address' };
const HOST = { times: 4, name: 'host' };
const SECTION_TIMES = { all: 12, least: 4 };

/** A found word was not checked by anyone: it says less than a written one. */
const FOUND_WEIGHT = 0.7;

/** The least points of a label: two words that say it alone, or one in the title. */
const LEAST_POINTS = 4;
/** Of all points of all tops: below it, the page is about nothing in particular. */
const LEAST_SHARE = 0.18;
/** Of the best one's points: from there on, a page is about both. */
const RIVAL_SHARE = 0.9;
const MOST_TOPS = 3;
/** Of a category's points that one below it needs, and how far ahead of its siblings it must be. */
const CHILD_SHARE = 0.55;
const CHILD_LEAST_POINTS = 6;
const CHILD_LEAD = 1.5;

/** What a page is (a forum, a shop) says less about its subject than what it treats: these give way. */
const FACTORS: Readonly<Record<string, number>> = {
  '/Online_Communities': 0.25,
  '/Sensitive_Subjects': 0.8,
  '/Shopping': 0.7,
};

const NEWS = '/News';
/** What general news is made of. On a page of news they are news first. */
const REPORTED: ReadonlySet<string> = new Set(['/Law_and_Government', '/Sensitive_Subjects']);

/** The words of 15 languages, and those found by scripts/category-model.ts. Those of a language are read for its first page. */
export async function loadCategories(): Promise<Categories> {
  const { default: found } = await import('../data/category.json', { with: { type: 'json' } });
  const read = new Map<string, readonly Lexicon[]>();
  const lexiconsFrom = (source: string): readonly Lexicon[] => {
    const own = new Lexicon(source);
    return source === CATEGORY_WORDS['en'] ? [own, new Lexicon(found.lines.join('\n'), FOUND_WEIGHT)] : [own];
  };
  return {
    lexiconsOf(language) {
      const source = CATEGORY_WORDS[language];
      if (source === undefined) return [];
      const lexicons = read.get(source) ?? lexiconsFrom(source);
      read.set(source, lexicons);
      return lexicons;
    },
  };
}

/**
 * What a page is about: values of the vocabulary, the best first, each with those above it; none when the page does
 * not say it clearly enough. `language` is a code of the vocabulary; without one the page is read as English, and with
 * one that has no lexicon only its address, sections and schema.org types count.
 */
export function categoriesOf(page: Page, language: string | undefined, model: Categories): Label[] {
  const evidence = gather(page, language, model);
  const isNews = evidence.isNamed(NEWS) || page.facts.schemaTypes.some((type) => type.endsWith('NewsArticle'));
  const tops = rank(evidence);
  const [best, most] = tops[0] ?? ['', 0];
  const all = tops.reduce((sum, [, points]) => sum + points, 0);
  if (most < LEAST_POINTS || most < all * LEAST_SHARE) {
    return isNews ? [{ value: NEWS, reason: evidence.reasonFor(NEWS) }] : [];
  }
  if (isNews && REPORTED.has(best)) {
    const missing = most * 1.01 - evidence.pointsOf(NEWS);
    if (missing > 0) evidence.add(NEWS, missing, `reports on ${best}`);
  }
  return rank(evidence)
    .filter(([, points]) => points >= Math.max(LEAST_POINTS, most * RIVAL_SHARE))
    .slice(0, MOST_TOPS)
    .flatMap(([top]) => withBelow(top, evidence));
}

function gather(page: Page, language: string | undefined, model: Categories): Evidence {
  const evidence = new Evidence();
  const english = model.lexiconsOf('en');
  const own = language === undefined ? english : model.lexiconsOf(language);
  const both = own === english ? english : [...own, ...english.slice(0, 1)];
  const { sections, schemaTypes, description } = page.facts;
  readAddress(page.url, both, evidence);
  const times = Math.max(SECTION_TIMES.least, SECTION_TIMES.all / Math.max(1, sections.length));
  for (const section of sections.slice(0, SECTIONS)) {
    evidence.read(section, { times, name: 'section' }, both, SECTION_WORDS);
  }
  evidence.read(page.title ?? '', TITLE, own, TITLE_WORDS);
  evidence.read(description ?? '', DESCRIPTION, own, DESCRIPTION_WORDS);
  readText(page, own, evidence);
  for (const type of new Set(schemaTypes)) {
    const known = CATEGORY_TYPES.get(type);
    if (known !== undefined) evidence.add(known.category, known.points, `schema.org ${type}`);
  }
  evidence.settle();
  return evidence;
}

function readText(page: Page, lexicons: readonly Lexicon[], evidence: Evidence): void {
  const main = page.segments.filter(({ zone }) => zone === 'main');
  let left = WORDS;
  for (const { text } of main.length > 0 ? main : contentOf(page)) {
    if (left <= 0) return;
    left -= evidence.read(text, TEXT, lexicons, left);
  }
}

const FILE_ENDING = /\.(?:[xs]?html?|php\d?|aspx?|jsp|do|action|cgi)$/i;
const BETWEEN_WORDS = /%[0-9A-Fa-f]{2}|[_\-+.,]/g;
/** The part of a host that is no name: `.co.uk`, `.com`. */
const HOST_ENDING = /(?:\.(?:ac|co|com|edu|gov|net|org))?\.[^.]*$/;

function readAddress(url: string, lexicons: readonly Lexicon[], evidence: Evidence): void {
  const address = URL.parse(url);
  if (address === null) return;
  const steps = address.pathname.replace(FILE_ENDING, '').replaceAll(BETWEEN_WORDS, ' ').split('/');
  const slug = steps.pop() ?? '';
  evidence.read(steps.join(' / '), PATH, lexicons, ADDRESS_WORDS);
  evidence.read(slug, SLUG, lexicons, ADDRESS_WORDS);
  evidence.readJoined(address.hostname.replace(HOST_ENDING, ''), HOST, lexicons);
}

type Ranked = readonly [category: string, points: number];

function rank(evidence: Evidence): Ranked[] {
  return evidence
    .below('')
    .filter(([top]) => !evidence.isThin(top))
    .map(([top, points]): Ranked => [top, points * (FACTORS[top] ?? 1)])
    .sort((one, other) => other[1] - one[1]);
}

/** A top and, as long as one category below it clearly has most of its points, that one too. */
function withBelow(top: string, evidence: Evidence): Label[] {
  const labels: Label[] = [];
  for (let path: string | undefined = top; path !== undefined; path = childOf(path, evidence)) {
    labels.push({ value: path, reason: evidence.reasonFor(path) });
  }
  return labels;
}

function childOf(path: string, evidence: Evidence): string | undefined {
  const [first, second] = evidence.below(path).sort((one, other) => other[1] - one[1]);
  if (first === undefined) return undefined;
  const least = Math.max(CHILD_LEAST_POINTS, evidence.pointsOf(path) * CHILD_SHARE, (second?.[1] ?? 0) * CHILD_LEAD);
  return first[1] >= least ? first[0] : undefined;
}

interface Known {
  readonly category: string;
  /** 8 says it alone, 2 only hints. */
  readonly points: number;
}

const TABLE: readonly (readonly [category: string, points: number, types: string])[] = [
  ['/Arts_and_Entertainment/Events_and_Listings', 3, 'Event MusicEvent TheaterEvent ScreeningEvent'],
  ['/Arts_and_Entertainment/Movies', 8, 'Movie MovieTheater'],
  [
    '/Arts_and_Entertainment/Music_and_Audio',
    8,
    'MusicAlbum MusicRecording MusicGroup MusicPlaylist PodcastEpisode PodcastSeries RadioStation',
  ],
  ['/Arts_and_Entertainment/TV_and_Video', 8, 'TVSeries TVEpisode TVSeason'],
  ['/Arts_and_Entertainment/Visual_Art_and_Design', 6, 'VisualArtwork Painting Sculpture ExhibitionEvent'],
  ['/Autos_and_Vehicles', 8, 'Car Vehicle Motorcycle AutoDealer AutoRepair AutoPartsStore BusOrCoach'],
  ['/Beauty_and_Fitness', 6, 'BeautySalon HairSalon DaySpa NailSalon HealthClub ExercisePlan'],
  ['/Books_and_Literature', 8, 'Book Audiobook BookSeries BookStore'],
  ['/Computers_and_Electronics/Programming', 8, 'SoftwareSourceCode APIReference'],
  ['/Computers_and_Electronics/Software', 5, 'SoftwareApplication MobileApplication WebApplication'],
  [
    '/Finance',
    6,
    'FinancialProduct LoanOrCredit MortgageLoan BankAccount BankOrCreditUnion InsuranceAgency InvestmentOrDeposit',
  ],
  ['/Food_and_Drink/Cooking_and_Recipes', 12, 'Recipe'],
  ['/Food_and_Drink/Restaurants', 10, 'Restaurant FoodEstablishment CafeOrCoffeeShop BarOrPub Menu FastFoodRestaurant'],
  ['/Food_and_Drink/Beverages', 8, 'Winery Brewery Distillery'],
  ['/Games/Computer_and_Video_Games', 8, 'VideoGame VideoGameSeries'],
  ['/Games', 6, 'Game'],
  [
    '/Health',
    8,
    'MedicalWebPage MedicalCondition MedicalEntity Drug Physician Hospital Dentist MedicalClinic Pharmacy',
  ],
  ['/Home_and_Garden', 5, 'HomeAndConstructionBusiness GardenStore FurnitureStore Plumber Electrician HVACBusiness'],
  ['/Jobs_and_Education/Jobs', 12, 'JobPosting'],
  [
    '/Jobs_and_Education/Education',
    6,
    'Course EducationalOrganization CollegeOrUniversity School HighSchool Quiz LearningResource',
  ],
  ['/Law_and_Government', 6, 'Legislation GovernmentOrganization GovernmentService LegalService Attorney CourtHouse'],
  [
    '/News',
    2,
    'NewsArticle ReportageNewsArticle AnalysisNewsArticle BackgroundNewsArticle LiveBlogPosting NewsMediaOrganization',
  ],
  ['/Online_Communities', 2, 'DiscussionForumPosting SocialMediaPosting'],
  ['/People_and_Society/Religion_and_Belief', 6, 'Church Mosque Synagogue HinduTemple BuddhistTemple CatholicChurch'],
  ['/Real_Estate', 10, 'RealEstateListing RealEstateAgent Apartment SingleFamilyResidence House'],
  ['/Reference', 4, 'DefinedTerm DefinedTermSet Library Museum'],
  ['/Science', 4, 'ScholarlyArticle Dataset'],
  ['/Shopping', 4, 'Product ProductGroup Offer AggregateOffer Store OnlineStore OfferCatalog'],
  ['/Sports', 8, 'SportsEvent SportsTeam SportsOrganization SportsActivityLocation'],
  [
    '/Travel_and_Transportation/Hotels_and_Accommodations',
    10,
    'Hotel LodgingBusiness Resort Hostel BedAndBreakfast VacationRental',
  ],
  [
    '/Travel_and_Transportation',
    8,
    'TouristAttraction TouristDestination TouristTrip Trip Flight TrainTrip BusTrip Airport TrainStation',
  ],
];

/** What a schema.org type says about the subject of a page. */
export const CATEGORY_TYPES: ReadonlyMap<string, Known> = new Map(
  TABLE.flatMap(([category, points, types]) => types.split(' ').map((type) => [type, { category, points }] as const)),
);

/** The lexicon that each language is read with, by code; languages close enough to read share one. */
export const CATEGORY_WORDS: Readonly<Record<string, string>> = {
  cs: CS,
  da: DA,
  de: DE,
  en: EN,
  es: ES,
  fi: FI,
  fr: FR,
  id: ID,
  it: IT,
  ja: JA,
  ko: KO,
  nl: NL,
  no: DA,
  pl: PL,
  pt: PT,
  ru: RU,
  sk: CS,
  sv: SV,
  tr: TR,
  uk: UK,
  'zh-cn': ZH,
  'zh-tw': ZH,
};
