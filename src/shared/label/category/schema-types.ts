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
