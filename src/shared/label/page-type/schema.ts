import type { Facts } from '../../page/page.ts';
import type { Clue } from './evidence.ts';

/**
 * What the page says of its kind to machines: schema.org types, og:type and the program that made it.
 * One line a value: points, then types.
 */
const SCHEMA = `
/Article 6 Article BlogPosting TechArticle AdvertiserContentArticle SatiricalArticle
/Article/News_Update 6 NewsArticle ReportageNewsArticle AnalysisNewsArticle BackgroundNewsArticle LiveBlogPosting AskPublicNewsArticle
/Article/Opinion_Piece 8 OpinionNewsArticle
/Article/Product_or_Brand_Review 8 ReviewNewsArticle CriticReview
/Article/Product_or_Brand_Review 2 Review EmployerReview
/Article/News_Update 5 ClaimReview
/Article/How_to 8 HowTo
/Article/Recipe 9 Recipe
/Article/FAQ 6 FAQPage
/Article/Study_or_Research_Findings 7 ScholarlyArticle MedicalScholarlyArticle
/Article/Definitions 8 DefinedTerm
/Article/Definitions 7 DefinedTermSet
/Article/Story 7 ShortStory
/Article/Wiki 5 MedicalWebPage
/Listing/Product 8 Product IndividualProduct ProductModel ProductGroup SomeProducts Vehicle Car
/Listing/Product 6 Book
/Listing/Property 8 RealEstateListing Apartment SingleFamilyResidence House ApartmentComplex Residence Accommodation
/Listing/Job 9 JobPosting
/Listing/Service 7 Service FinancialProduct FinancialService GovernmentService TaxiService BroadcastService LoanOrCredit
/Listing/Event 8 Event Festival Hackathon CourseInstance
/Listing/Location 7 Place TouristAttraction TouristDestination LandmarksOrHistoricalBuildings Park Museum City Beach Mountain CivicStructure Landform
/Listing/Business 5 LocalBusiness Store Restaurant FoodEstablishment Hotel LodgingBusiness HealthAndBeautyBusiness MedicalBusiness LegalService AutoDealer AutoRepair Dentist Physician BarOrPub CafeOrCoffeeShop ProfessionalService HomeAndConstructionBusiness RealEstateAgent SportsActivityLocation EntertainmentBusiness TravelAgency Attorney
/Listing_Collection 6 ItemList OfferCatalog SearchResultsPage
/Landing_Page/Course_Sales_Page 7 Course
/Interactive_Tools/SaaS_Software 7 SoftwareApplication WebApplication MobileApplication
/Interactive_Tools/Map 7 Map
/Interactive_Tools/Quiz 8 Quiz
/Image/Photography 7 ImageGallery Photograph
/Image 6 VisualArtwork ComicStory
/Video 7 VideoObject VideoGallery Clip TVEpisode Movie MusicVideoObject
/Audio/Podcast 9 PodcastEpisode PodcastSeries PodcastSeason
/Audio/Music 8 MusicRecording MusicAlbum MusicGroup MusicPlaylist MusicComposition
/Audio/Audiobook 9 Audiobook
/Audio 7 AudioObject RadioEpisode RadioSeries
/Document/Report 8 Report
/Document/Slide_Deck 8 PresentationDigitalDocument
/Document 6 DigitalDocument TextDigitalDocument
/User_Generated_Content/Forum_Thread 9 DiscussionForumPosting
/User_Generated_Content/Social_Media_Post 9 SocialMediaPosting
/User_Generated_Content/Q&A 9 QAPage Question
/User_Generated_Content/Reviews 7 UserReview
/User_Generated_Content/Comments 7 UserComments
/Core_Page/About_Page 9 AboutPage
/Core_Page/Contact_Page 9 ContactPage
/Core_Page/Blog_Index 5 Blog
`;

const OG = `
/Article 5 article news blog_post newsarticle
/Article/Recipe 7 recipe
/Listing/Product 8 product og:product
/Listing/Product 5 product.item book
/Listing/Property 8 real_estate property apartment
/Listing/Job 8 job
/Listing/Event 8 event
/Listing/Location 7 place landmark city
/Listing/Business 5 business business.business restaurant restaurant.restaurant hotel company bar cafe
/Listing_Collection/Product 8 product.group
/Landing_Page/Course_Sales_Page 6 course
/Interactive_Tools/SaaS_Software 6 app
/Video 6 video video.movie video.episode video.other video.tv_show movie tv_show
/Audio/Music 8 music.song music.album music.playlist song album
/Audio 7 sound
/Audio 6 music.radio_station audio podcast
/User_Generated_Content/Social_Media_Post 8 instapp:photo tumblr-feed:entry tumblr-feed:photo
/Image 6 photo image
/Core_Page/Blog_Index 5 blog
`;

const PROGRAMS: readonly (readonly [program: RegExp, value: string, points: number])[] = [
  [/mediawiki|dokuwiki|moinmoin|xwiki|twiki|foswiki|tiki wiki|pmwiki|bookstack/, '/Article/Wiki', 8],
  [
    /vbulletin|phpbb|xenforo|discourse|invision|mybb|\bsmf\b|simple machines|vanilla|flarum|nodebb|woltlab|fluxbb|punbb|bbpress/,
    '/User_Generated_Content/Discussions',
    7,
  ],
  [/question2answer|osqa|askbot/, '/User_Generated_Content/Q&A', 7],
  [/podlove|castopod|podcast|transistor\.fm|powerpress/, '/Audio/Podcast', 7],
  [/powerpoint|impress|keynote|beamer|reveal\.js/, '/Document/Slide_Deck', 7],
  [/sphinx|docusaurus|mkdocs|gitbook|javadoc|docfx/, '/Document/Manual', 6],
];

export interface Known {
  readonly value: string;
  readonly points: number;
}

/** The lines of a table, by what stands after the points. */
export function tableOf(lines: string): ReadonlyMap<string, Known> {
  const table = new Map<string, Known>();
  for (const line of lines.trim().split('\n')) {
    const [value = '', points = '', ...keys] = line.split(' ');
    for (const key of keys) if (!table.has(key)) table.set(key, { value, points: Number(points) });
  }
  return table;
}

const schema = tableOf(SCHEMA);
const og = tableOf(OG);

/** Types after the first that says something are parts of the page, or what it leads to. */
export function schemaClues({ schemaTypes }: Facts): Clue[] {
  const types = new Set(schemaTypes);
  const lists = schemaTypes.slice(0, LISTS_FIRST).some((type) => LISTS.has(type));
  const known = schemaTypes.slice(0, LOOKED_AT).flatMap((type) => {
    const said = meaningOf(type);
    return said ? [{ ...said, points: pointsOf(said, type, types), type }] : [];
  });
  const isArticle = ({ value }: Known): boolean => value.startsWith('/Article');
  const leading = Math.max(0, known.findIndex(isArticle));
  const articles = known.some(isArticle);
  return known.map(({ value, points, type }, at) => {
    const beside = articles && !isArticle({ value, points }) ? BESIDE : at > leading ? LATER : 0;
    const listed = lists && value.startsWith('/Listing/');
    return {
      value: listed ? value.replace('/Listing/', '/Listing_Collection/') : value,
      points: points - beside,
      reason: `schema.org ${listed ? 'list of ' : ''}${type}`,
    };
  });
}

/** Schema.org has hundreds of kinds of events and shops: `ComedyEvent`, `BikeStore`. */
function meaningOf(type: string): Known | undefined {
  return schema.get(type) ?? SUFFIXES.find(([suffix]) => type.endsWith(suffix))?.[1];
}

const SUFFIXES: readonly (readonly [suffix: string, known: Known])[] = [
  ['Event', { value: '/Listing/Event', points: 8 }],
  ['Store', { value: '/Listing/Business', points: 5 }],
  ['Business', { value: '/Listing/Business', points: 5 }],
  ['NewsArticle', { value: '/Article/News_Update', points: 6 }],
  ['Article', { value: '/Article', points: 6 }],
];
/** Types of a page that is a list of what the other types name, when they come first. */
const LISTS: ReadonlySet<string> = new Set(['ItemList', 'CollectionPage', 'SearchResultsPage', 'OfferCatalog']);
const LISTS_FIRST = 2;
const LOOKED_AT = 8;
/** What a type loses that is not the first, and one of another family beside an article: it is what that is about. */
const LATER = 2;
const BESIDE = 5;

const RATED = ['AggregateRating', 'Rating', 'Review', 'UserReview'];
const OFFERS = ['Offer', 'AggregateOffer', 'Demand'];

function pointsOf({ value, points }: Known, type: string, types: ReadonlySet<string>): number {
  const isRated = RATED.some((rating) => types.has(rating));
  // Every page of a shop's site says that it is a shop; one that others have rated is an entry of a directory.
  if (value === '/Listing/Business') return isRated ? points + 2 : points - 1;
  if (type === 'Review') return types.has('AggregateRating') || types.has('Rating') ? points + 3 : points;
  if (type === 'Product' || type === 'Book') return OFFERS.some((offer) => types.has(offer)) ? points : points - 2;
  return points;
}

export function ogClue({ ogType }: Facts): Clue | undefined {
  if (ogType === undefined) return undefined;
  // A type of a site's own is `site:recipe`.
  const known = og.get(ogType) ?? og.get(ogType.replace(/^.*:/, ''));
  return known && { ...known, reason: `og:type ${ogType}` };
}

export function generatorClue({ generator }: Facts): Clue | undefined {
  const program = generator?.toLowerCase() ?? '';
  const known = PROGRAMS.find(([name]) => name.test(program));
  return known && { value: known[1], points: known[2], reason: `generator ${generator ?? ''}` };
}
