/** English. See `lexicon.ts` for the notation. Also the seeds from which scripts/category-model.ts finds more words. */
export const EN = `
/Arts_and_Entertainment: entertainment celebrit* artist* actor* actress* premiere fans album concert* film* movie* song* singer* musician* theatre theater festival culture showbiz kardashian* paparazzi oscars grammy* emmy* starring cinema debut_album box_office red_carpet creative_arts
/Arts_and_Entertainment/Celebrities_and_Entertainment_News: celebrity! celebrities! gossip showbiz kardashian* paparazzi reality_star ex-boyfriend ex-girlfriend pop_star hollywood heartthrob
/Arts_and_Entertainment/Comics_and_Animation: anime! manga! comic comics! cartoon* superhero* marvel animation animated webcomic cosplay graphic_novel*
/Arts_and_Entertainment/Humor: funny joke* comedian* satire hilarious parody meme memes prank* stand-up_comedy
/Arts_and_Entertainment/Movies: movie! movies! film! films! filmmaker* director screenplay cinema* blockbuster* trailer sequel hollywood starring horror_film documentary screenwriter box_office bollywood
/Arts_and_Entertainment/Music_and_Audio: music! musical album! albums! song! songs! lyrics singer* songwriter* band bands guitar* drummer* vocals rapper* hip-hop concert* orchestra symphony jazz techno dj playlist* podcast* soundtrack melody rock_band vinyl remix piano
/Arts_and_Entertainment/Performing_Arts: theatre theater ballet opera broadway dancer* playwright circus choreograph* stagecraft puppet*
/Arts_and_Entertainment/TV_and_Video: television tv tv_series tv_show sitcom* episode episodes season_finale showrunner netflix streaming_series broadcaster soap_opera hbo miniseries
/Arts_and_Entertainment/Visual_Art_and_Design: painting* painter* sculpt* gallery exhibition* artwork* photograph* illustrat* graphic_design architect* museum_of_art typography watercolor
/Arts_and_Entertainment/Events_and_Listings: nightclub* nightlife tickets festival_line-up concert_tickets venue
/Arts_and_Entertainment/Offbeat: paranormal ufo ghost* occult horoscope* astrology zodiac tarot
/Autos_and_Vehicles: car! cars! vehicle! vehicles! automotive automobile* truck trucks sedan suv motorcycle* motorbike* scooter* horsepower engine engines diesel gearbox chassis dealership* mileage test_drive electric_car* hybrid torque windshield tire tires tyre tyres brake brakes wheel wheels bumper coupe convertible hatchback pickup roadster toyota honda ford mazda bmw audi volkswagen mercedes-benz tesla chevrolet nissan hyundai peugeot renault carmaker*
/Autos_and_Vehicles/Bicycles_and_Accessories: bicycle* bike_frame e-bike* derailleur
/Autos_and_Vehicles/Boats_and_Watercraft: boat boats yacht* sailboat* outboard motorboat*
/Autos_and_Vehicles/Campers_and_RVs: camper* motorhome* rv rvs caravan* campervan*
/Autos_and_Vehicles/Motor_Vehicles_(By_Type)/Motorcycles: motorcycle*! motorbike*! motocross
/Autos_and_Vehicles/Vehicle_Parts_and_Services: tire tires tyre tyres brake_pads spark_plug* car_parts auto_parts sun_shade* rims exhaust windshield_wiper*
/Beauty_and_Fitness: beauty! makeup! make-up! cosmetic* skincare skin_care hair hairstyle* haircut* shampoo perfume*! fragrance* lipstick mascara moisturi* eyeliner nail_polish manicure salon spa serum workout* exercise* fitness! gym yoga pilates cardio dumbbell* weight_loss tattoo* piercing* fashion! stylish outfit* wardrobe runway fashion_week jeans dress dresses sneakers handbag* sweater* knitwear couture eau_de_toilette
/Beauty_and_Fitness/Face_and_Body_Care: makeup! make-up! skincare! skin_care! perfume*! fragrance*! lipstick mascara moisturi* eyeliner cosmetics foundation serum exfoliat* cleanser sunscreen
/Beauty_and_Fitness/Fashion_and_Style: fashion! outfit* runway stylist* fashion_week designer couture wardrobe streetwear trend trends menswear womenswear
/Beauty_and_Fitness/Fitness: workout*! fitness! gym! yoga pilates cardio dumbbell* squats push-ups strength_training bodybuild* crossfit
/Beauty_and_Fitness/Hair_Care: hairstyle*! haircut*! shampoo! conditioner hairdresser* curls hair_color
/Beauty_and_Fitness/Weight_Loss: weight_loss! lose_weight! slimming calorie_deficit
/Beauty_and_Fitness/Body_Art: tattoo*! piercing*!
/Books_and_Literature: book! books! novel! novels! author! authors novelist* literary literature! reader readers bookstore* bookshop* publisher* paperback hardcover bestseller* fiction nonfiction poem* poet poets poetry! chapter chapters fanfiction fanfic storyteller* memoir* protagonist* ebook* e-book* audiobook* book_review short_story trilogy isbn manuscript* prose shakespeare narrator
/Books_and_Literature/Poetry: poem*! poet! poets! poetry! verse sonnet* haiku
/Books_and_Literature/Fan_Fiction: fanfiction! fanfic! fandom fan_fiction! archive_of_our_own oneshot
/Books_and_Literature/Children's_Literature: picture_book* children's_book* fairy_tale*
/Business_and_Industrial: business! businesses company companies industry industrial manufactur* entrepreneur* startup* start-up* corporate supplier* logistic* factory factories marketing! advertis* management executive* ceo merger* acquisition* b2b customer_service enterprise_sales sales_team workforce wholesale agricultur* farmer* farming construction mining steel energy oil_and_gas pharmaceutical* packaging machinery shareholder* productivity leadership supply_chain trade_show branding retailer* procurement
/Business_and_Industrial/Advertising_and_Marketing: marketing! advertis*! brand branding campaign_ads seo marketer* ad_agency content_marketing
/Business_and_Industrial/Agriculture_and_Forestry: agricultur*! farmer*! farming! crop crops harvest livestock tractor* dairy_farm* fertilizer* forestry
/Business_and_Industrial/Energy_and_Utilities: oil_price* pipeline* electricity power_plant* power_grid renewable* wind_farm* solar_power refinery crude natural_gas
/Business_and_Industrial/Small_Business: small_business! entrepreneur*! startup*! start-up*! founder founders freelanc* side_hustle
/Business_and_Industrial/Business_Operations: management leadership human_resources hr team_building project_management
/Business_and_Industrial/Aerospace_and_Defense: aerospace boeing airbus defense_contractor*
/Business_and_Industrial/Construction_and_Maintenance: construction_site contractor* scaffold* concrete
/Business_and_Industrial/Shipping_and_Logistics: logistic* freight cargo warehouse* supply_chain shipping_container*
/Computers_and_Electronics: computer! computers! software! hardware laptop* desktop pc pcs linux windows ubuntu macos macbook ipad python! javascript! java programming! programmer* developer* code coding compiler* database* server servers api apis algorithm* docker kubernetes github gitlab css html node.js npm install firmware processor* cpu gpu ram keyboard gadget* electronics headphones camera cameras printer printers monitor hard_drive* ssd usb debug* open-source open_source cybersecurity malware hacker* hackers encryption vulnerabilit* devops cloud_computing machine_learning artificial_intelligence robotics apple_watch chip chips semiconductor* php sql git repository apps android ios
/Computers_and_Electronics/Programming: python! javascript! java programming! programmer*! developer* compiler* github gitlab css html node.js npm docker kubernetes debug* api apis source_code function variable php sql git typescript repository refactor* unit_test* framework stack_overflow
/Computers_and_Electronics/Computer_Hardware: laptop*! processor* cpu gpu motherboard* hard_drive*! ssd printer* keyboard keyboards macbook* usb graphics_card*
/Computers_and_Electronics/Computer_Security: cybersecurity! malware! ransomware! hacker* phishing vulnerabilit* encryption firewall* antivirus data_breach exploit
/Computers_and_Electronics/Consumer_Electronics: headphones earbuds smartwatch* tvs gadget* camera cameras speaker speakers drone drones game_console* lens lenses
/Computers_and_Electronics/Software: software! linux! ubuntu windows macos operating_system* app apps plugin* spreadsheet*
/Computers_and_Electronics/Enterprise_Technology: crm erp saas data_center* devops cloud_computing enterprise_software
/Finance: finance! financial bank! banks banking! loan loans! mortgage* credit credit_card* interest_rate* invest* investor*! stock! stocks! shares bond bonds dividend* earnings portfolio hedge_fund* fund funds trader* trading insurance! tax taxes pension* retirement savings budget bitcoin cryptocurrenc* crypto blockchain forex currency wall_street nasdaq dow_jones analyst* valuation debt inflation lender* broker* ipo accountant* accounting audit crowdfunding central_bank share_price stock_market
/Finance/Banking: bank! banks! banking! savings_account* deposit* atm checking_account*
/Finance/Credit_and_Lending: loan! loans! mortgage*! credit_card*! lender* borrower* apr refinanc* leasing
/Finance/Insurance: insurance! insurer*! premiums policyholder* insured
/Finance/Investing: investor*! stock! stocks! shares dividend* portfolio hedge_fund* trader* wall_street nasdaq dow_jones bitcoin cryptocurrenc* crypto etf etfs share_price stock_market! analyst* forex ipo
/Finance/Accounting_and_Auditing: accountant* accounting! audit auditor* tax_return* bookkeeping
/Food_and_Drink: food! foods recipe! recipes! cook cooking! cooked baking bake baked kitchen chef chefs! restaurant* dish dishes delicious tasty flavor* flavour* ingredient*! teaspoon* tablespoon* tsp tbsp cup_of cups butter flour sugar salt pepper garlic onion onions tomato* cheese chicken beef pork lamb salmon soup salad sauce dessert* cake cakes cookie* bread dough pasta noodle* rice vanilla chocolate cinnamon wine wines! beer beers! cocktail* whisky whiskey vodka coffee tea brewery vegan vegetarian meal meals breakfast dinner lunch oven preheat whisk simmer garnish snack snacks drink drinks pickle* jelly bakery grocer* wineries vineyard* culinary gluten-free skillet mushroom* potato* broccoli olive_oil lemon coconut avocado
/Food_and_Drink/Cooking_and_Recipes: recipe! recipes! ingredient*! teaspoon*! tablespoon*! tsp! tbsp! preheat! whisk oven simmer dough baking_powder stir prep_time cook_time servings skillet saucepan minutes_or_until minced chopped nutrition_facts
/Food_and_Drink/Restaurants: restaurant*! chef chefs michelin menu bistro diner diners reservations dine eatery
/Food_and_Drink/Beverages: wine! wines! beer! beers! cocktail*! whisky! whiskey! vodka brewery brewing brewer* winery wineries espresso juice liquor tequila sommelier vineyard*
/Food_and_Drink/Food: cheese snacks vegetable* fruit* meat seafood vegan vegetarian
/Games: game games gamer*! gaming! gameplay! videogame* video_game*! xbox! playstation! nintendo! minecraft! fortnite pokemon mmorpg! rpg multiplayer esports e-sports chess! poker! casino* gambling! bingo lottery sudoku puzzle* crossword* board_game* card_game* dungeon* dungeons_and_dragons quest quests loot playthrough steam_deck dlc speedrun* joystick console consoles arcade roguelike shooter psvr ps4 ps5 zelda warcraft blackjack roulette level_up walkthrough cheats
/Games/Computer_and_Video_Games: gamer*! gaming! gameplay! videogame* video_game*! xbox! playstation! nintendo! minecraft! fortnite pokemon mmorpg! multiplayer esports dlc psvr ps4 ps5 zelda warcraft walkthrough roguelike shooter
/Games/Gambling: casino*! gambling! lottery! roulette! blackjack! slots bookmaker* betting jackpot wager*
/Games/Board_Games: board_game*! boardgame* chess! chessboard grandmaster*
/Games/Card_Games: card_game*! poker! solitaire
/Games/Puzzles_and_Brainteasers: sudoku! jigsaw puzzle* crossword*
/Games/Roleplaying_Games: dungeons_and_dragons! tabletop_rpg dungeon_master
/Health: health! medical! medicine* doctor doctors! patient patients! disease*! symptom*! diagnos* treatment* therapy therapies hospital* clinic* clinical surgery surgeon* surgical cancer! diabetes! infection* virus viruses vaccine*! vaccinat* coronavirus covid-19 covid epidemic* pandemic flu influenza nurse nurses physician* drug drugs prescription* chronic inflammation blood_pressure cholesterol heart_disease stroke pregnan* mental_health depression anxiety adhd autism insomnia nutrition* vitamin* diet* probiotic* gut_bacteria allergy allergies asthma arthritis dental dentist* antibiotic* immune lungs pneumonia hiv malaria measles obesity pain side_effects wellness
/Health/Health_Conditions: cancer! diabetes! disease*! symptom*! infection* influenza asthma arthritis pneumonia hiv malaria allergy allergies obesity stroke alzheimer's tumor tumour inflammation coronavirus covid-19 chronic
/Health/Mental_Health: mental_health! depression! anxiety! psychotherap* psychiatr* adhd bipolar therapist* panic_attack* burnout
/Health/Nutrition: nutrition*! vitamin*! diet! dietary probiotic* supplement supplements protein nutrient* nutritionist* omega-3
/Health/Pharmacy: pharmacy! pharmac* prescription* pharmacist* dosage
/Health/Public_Health: vaccine*! vaccinat*! epidemic* pandemic outbreak public_health! health_officials quarantine
/Health/Reproductive_Health: pregnan*! fertility contracepti* ivf childbirth midwife
/Health/Oral_and_Dental_Care: dentist*! dental! teeth toothpaste orthodont*
/Health/Vision_Care: eyeglasses contact_lenses optometrist* eyesight
/Health/Substance_Abuse: addiction! rehab opioid* alcoholism overdose*
/Health/Medical_Facilities_and_Services: hospital*! clinic! clinics! surgeon* emergency_room outpatient
/Hobbies_and_Leisure: hobby! hobbies! craft crafts! crafting diy knitting! crochet*! sewing! yarn quilt* embroider* beads! bead beading jewelry_making woodwork* scrapbook* stamping origami fishing! angling angler* hunting hunter* camping! hiking! hike hikes backpacking kayak* canoe* birdwatching lego model_train* rc_car* drones collector collectors stamps coins numismatic* birthday_party wedding! weddings bride brides bridal halloween christmas_gift* party_ideas costume* greeting_card* sweepstakes giveaway scouts trout carp tent campfire paintball gardening_hobby
/Hobbies_and_Leisure/Crafts: crafts! crafting! knitting! crochet*! sewing! yarn quilt*! embroider*! beads! beading! scrapbook* origami needlework pottery gemstone* findings
/Hobbies_and_Leisure/Outdoors: fishing! angling! angler*! hunting camping! hiking! hike hikes backpacking trout tent campfire campsite*
/Hobbies_and_Leisure/Special_Occasions: wedding! weddings! bride! bridal birthday_party anniversary halloween christmas easter valentine's bridesmaid*
/Hobbies_and_Leisure/Radio_Control_and_Modeling: model_train* rc_car* scale_model* radio_control
/Home_and_Garden: carnivorous_plant* houseplants garden! gardens gardening! gardener* plant plants! planting soil compost seedling* seeds pruning lawn lawns! mulch shrub* perennial* houseplant* furniture! sofa couch mattress* curtain* rug rugs carpet* decor! interior_design living_room bedroom* bathroom* kitchen_cabinet* countertop* appliance* dishwasher* refrigerator* vacuum_cleaner* heating heat_pump* air_conditioning furnace plumbing plumber* roof roofing flooring tiles tile paint_color renovat* remodel* home_improvement diy_home patio umbrella bedding duvet pillow* towel* cookware laundry cleaning pest_control cabinet_handles power_tools drill insulation watering fertilizer flowerpot* bloom blooms
/Home_and_Garden/Patio,_Lawn_and_Garden: garden! gardening! gardener*! lawn! patio! soil compost seedling* pruning mulch shrub* perennial* flower* planting watering bloom blooms
/Home_and_Garden/Home_Furnishings: furniture! sofa! couch mattress* curtain* rug rugs lamp lamps armchair* bookcase*
/Home_and_Garden/Home_Improvement: renovat*! remodel*! home_improvement! plumbing plumber* roofing flooring tiles insulation drywall
/Home_and_Garden/HVAC_and_Climate_Control: heating! heat_pump*! air_conditioning! furnace boiler thermostat*
/Home_and_Garden/Home_Appliances: appliance*! dishwasher* refrigerator* washing_machine* vacuum_cleaner* microwave
/Home_and_Garden/Kitchen_and_Dining: cookware tableware dinnerware cutlery
/Internet_and_Telecom: internet! website websites web_hosting broadband! telecom* wireless smartphone*! iphone! android_phone mobile_phone* cell_phone* samsung_galaxy 5g 4g wifi wi-fi router routers sim_card email e-mail browser browsers! firefox chrome_browser mozilla google_search search_engine* seo domain_name* web_design webmaster* messaging whatsapp telegram_app voip isp hosting web_server http social_media internet_users cookies_policy online_service verizon vodafone webcam bandwidth fiber_optic
/Internet_and_Telecom/Mobile_and_Wireless: smartphone*! iphone*! mobile_phone*! cell_phone*! 5g 4g samsung_galaxy sim_card android_phone*
/Internet_and_Telecom/Service_Providers: broadband! isp internet_provider* fiber_optic verizon vodafone cable_internet
/Internet_and_Telecom/Web_Services: web_hosting! hosting! domain_name* web_design! webmaster* website_builder
/Internet_and_Telecom/Email_and_Messaging: email! e-mail inbox whatsapp messaging gmail voip
/Internet_and_Telecom/Search_Engines: search_engine*! google_search seo
/Jobs_and_Education: education! educational school schools! student students! teacher teachers! university! universities college colleges campus curriculum classroom* lesson lessons homework exam exams degree scholarship* tuition academic academics professor professors! faculty kindergarten e-learning courses online_course job jobs! job_search career careers! resume resumes recruit* vacancy vacancies salary hiring employer* internship* apprentice* undergraduate* phd graduate graduates graduation applicant* cover_letter job_interview pupil pupils literacy enrollment worksheet*
/Jobs_and_Education/Education: education! school! schools! student! students! teacher! teachers! university! universities college curriculum classroom* homework exam exams degree tuition campus professor undergraduate* pupil pupils academics lecturer* worksheet* kindergarten
/Jobs_and_Education/Jobs: job! jobs! career! careers! resume resumes recruit* vacancy! vacancies! salary hiring job_search cover_letter job_interview applicant* full-time part-time
/Jobs_and_Education/Internships: internship*!
/Law_and_Government: law! laws lawyer*! attorney* court courts! judge judges lawsuit* legal! legislation! legislator* supreme_court verdict plaintiff* defendant* prosecut* government! governor minister ministry minister's parliament! senate! senator* congress! congressman president policy policies federal regulation* regulator* constitution* treaty election* vote voters ballot municipal council mayor police! sheriff officer officers arrest* crime! criminal jail prison sentenced felony military! army navy troops soldier* nato embassy immigration visa citizenship public_safety firefighter* copyright patent patents statute jurisdiction gdpr privacy_law terms_of_service liability hereby white_house commission appeals_court tribunal
/Law_and_Government/Legal: law! lawyer*! attorney*! court! lawsuit*! plaintiff* defendant* verdict judge supreme_court copyright patent patents statute jurisdiction liability litigation tribunal
/Law_and_Government/Government: government! parliament! senate! congress! minister! ministry legislation! municipal council federal mayor governor cabinet public_administration prime_minister
/Law_and_Government/Military: military! army! navy! troops soldier*! air_force marines nato veteran veterans battalion missile* warship*
/Law_and_Government/Public_Safety: police! sheriff! crime! arrest*! firefighter* law_enforcement jail prison emergency_services
/News: fact-check* fact_check* news! breaking! reporter* journalist* headline* reuters associated_press correspondent* editorial newspaper* press_conference spokesman spokeswoman spokesperson president election* protest* protester* crisis politician* campaign trump biden putin obama clinton republican* democrat* senate parliament minister prime_minister opposition foreign_minister summit diplomat* sanctions impeachment lawmaker* ceasefire tuesday wednesday thursday according_to told_reporters authorities officials op-ed columnist* coup rally
/News/Politics: president election*! politician*! republican*! democrat*! trump biden obama clinton impeachment! lawmaker* senate senator* voters campaign_trail white_house opposition_leader prime_minister ballot partisan liberals conservatives parliament political party_leader brexit
/News/Weather: weather! forecast! rainfall snowfall thunderstorm* temperature* meteorolog* heatwave
/News/World_News: foreign_minister united_nations diplomat* sanctions summit european_union ceasefire ambassador* refugees putin ukraine
/Online_Communities: forum! forums! blog blogs blogger* blogging social_network* facebook twitter instagram reddit tiktok discord chat_room dating! singles online_dating file_sharing torrent* subreddit hashtag* followers posts thread threads topics moderator* username joined_date registered_user newbie wallpapers emoji tumblr
/Online_Communities/Social_Networks: facebook! twitter! instagram! tiktok social_network*! snapchat linkedin followers
/Online_Communities/Dating_and_Personals: dating! online_dating! singles matchmaking personals tinder
/Online_Communities/Blogging_Resources_and_Services: blogging! blogger* wordpress_theme
/People_and_Society: society social community relationship relationships! marriage! husband* wife divorce* parent parents! parenting! mother* father* dad mom children kids toddler* baby babies family families teenager* teens religion! religious church! churches christian* catholic* pope bishop priest jesus bible! god prayer faith gospel muslim* islam! islamic mosque jewish rabbi synagogue buddhis* hindu* gender lgbt* gay lesbian transgender feminis* women's_rights racism racial discrimination human_rights charity! nonprofit* volunteer* activist* equality poverty homeless* immigrant* migrant* refugee* elderly self-help motivation ethic* philosoph* sociolog* psycholog* genealogy advice_column dear_abby
/People_and_Society/Family_and_Relationships: marriage! husband* wife divorce* parenting! parent parents relationship relationships! toddler* baby mother-in-law in-laws family boyfriend girlfriend dear_abby
/People_and_Society/Religion_and_Belief: religion! religious church! churches christian*! catholic*! pope bishop* priest jesus bible! god prayer faith gospel muslim*! islam! islamic! mosque jewish rabbi synagogue buddhis* hindu* theolog* worship pastor sermon
/People_and_Society/Social_Issues_and_Advocacy: human_rights! charity! nonprofit* volunteer* activist* equality poverty homeless* racism discrimination feminis* lgbt* refugee*
/People_and_Society/Self-Help_and_Motivational: self-help! motivation motivational self-esteem mindfulness
/Pets_and_Animals: pet pets! dog dogs! puppy! puppies! cat cats! kitten* veterinar*! breed breeds kennel* litter_box pet_food leash aquarium* hamster* rabbit* parrot* horse horses wildlife! animal animals! zoo species elephant* lion lions tiger tigers bird birds whale* dolphin* shark* bears wolf wolves goat goats insect* reptile* snake snakes monkey* paws fur pet-friendly rescue_dog adoptable
/Pets_and_Animals/Pets: pet! pets! dog! dogs! puppy! puppies! cat! cats! kitten*! leash kennel* hamster* aquarium* pet_food litter_box
/Pets_and_Animals/Wildlife: wildlife! elephant* lion lions tiger tigers whale* wolves bears endangered_species zoo
/Real_Estate: apartments! apartment_homes floor_plan*! leasing_office pet-friendly_apartments real_estate! realtor*! property properties apartment* condo condos house_for_sale homes_for_sale for_rent rental rentals landlord* tenant* lease bedroom bedrooms square_feet sq_ft housing_market home_buyer* home_price* property_market listing_agent mls townhouse* foreclosure* estate_agent* house_prices letting mortgage open_house
/Real_Estate/Real_Estate_Listings: homes_for_sale! house_for_sale! for_rent! apartments_for_rent bedrooms sq_ft square_feet
/Reference: encyclopedia*! dictionary! definition definitions! thesaurus! glossary wikipedia! wiki etymology! noun verb adjective grammar! pronunciation translation* translator* vocabulary synonym* antonym* museum museums library libraries! archive archives atlas map maps history historical historian* archaeolog* citation footnote* directory phone_book almanac linguistic* sentence_structure meaning_of quotation*
/Reference/Language_Resources: dictionary! etymology! thesaurus! noun verb adjective grammar! pronunciation translation* vocabulary linguistic* tense conjugation
/Reference/General_Reference: encyclopedia*! wikipedia! almanac quotation*
/Reference/Libraries_and_Museums: museum! museums! library libraries! librarian*
/Reference/Humanities: historian* archaeolog* medieval ancient_history philosoph* dynasty
/Science: science! sciences scientist*! scientific! research researcher*! physics! physicist* chemistry! chemical chemist* molecule* molecular atom atoms quantum particle* biology! biological biologist* gene genes genetic* genome* dna cell_biology protein proteins bacteria evolution fossil* dinosaur* species ecology ecosystem* climate climate_change carbon_dioxide geolog* earthquake* volcano* ocean* astronom*! astronaut* nasa! space spacecraft planet* galaxy galaxies telescope* satellite* rocket rockets moon mars jupiter orbit mathematic*! theorem equation* algebra geometry calculus statistic* laboratory experiment* hypothesis journal_nature peer-reviewed neuroscien* neuron* antibody antibodies reagent* microscop* isotope* polymer*
/Science/Astronomy: astronom*! nasa! spacecraft! planet*! galaxy galaxies telescope* orbit rocket rockets moon mars jupiter astronaut* asteroid* solar_system comet
/Science/Biological_Sciences: biology! biologist* gene genes genetic* genome* dna protein proteins bacteria evolution neuroscien* neuron* antibody antibodies species organism* enzyme*
/Science/Chemistry: chemistry! chemist* molecule* compound compounds polymer* catalyst* reagent*
/Science/Physics: physics! physicist*! quantum! particle* neutrino* electron* relativity photon*
/Science/Mathematics: mathematic*! theorem! equation* algebra! geometry! calculus! topology polynomial*
/Science/Earth_Sciences: geolog*! earthquake* volcano* seismic tectonic glacier*
/Science/Ecology_and_Environment: climate_change! ecosystem*! ecology! biodiversity conservation carbon_emissions greenhouse_gas* deforestation
/Science/Computer_Science: machine_learning neural_network* algorithm* stochastic embedding dataset* transformer
/Sensitive_Subjects: killed! death! dead died dies murder*! homicide* shooting! gunman gunshot* shot_dead stabbed stabbing suicide! bomb! bombing! bomber explosion terror* terrorist* attack attacks war! airstrike* massacre rape! raped sexual_assault sexual_abuse abuse violence! violent crash crashed collision earthquake flood floods flooding wildfire* tsunami hurricane* disaster! victims corpse* funeral kidnap* hostage* genocide gun guns firearm* rifle* handgun* cannabis marijuana! cocaine! heroin! meth methamphetamine self-harm tragedy! drowned casualties shelling
/Sensitive_Subjects/Accidents_and_Disasters: crash crashed collision earthquake! flood floods flooding wildfire*! tsunami! hurricane*! disaster! explosion derailed
/Sensitive_Subjects/Violence_and_Abuse: murder*! homicide*! shooting! gunman! stabbed! stabbing! rape! raped! sexual_assault! kidnap* violence!
/Sensitive_Subjects/War_and_Conflict: war! airstrike*! bombing! shelling! ceasefire terrorist*! massacre genocide casualties militants insurgents invasion
/Sensitive_Subjects/Recreational_Drugs: cannabis! marijuana! cocaine! heroin! meth methamphetamine! weed drug_trafficking
/Sensitive_Subjects/Death_and_Tragedy: funeral death! died obituar* tragedy mourning
/Sensitive_Subjects/Firearms_and_Weapons: firearm*! rifle*! handgun*! pistol* shotgun* ammunition
/Shopping: shop! shopping! store stores buy cart! add_to_cart! basket checkout shipping! free_shipping! price prices discount* coupon* sale deals bargain* sku in_stock out_of_stock product products apparel clothing! clothes shirt shirts t-shirt* hoodie* footwear shoes sizes size_guide gift gifts! collectible* figurine* toys auction* ebay amazon black_friday wish_list wishlist returns_policy customer_reviews brand_name jewelry necklace* earrings bracelet* outlet wholesale antiques warranty promo_code order_now add_to_bag msrp
/Shopping/Apparel: apparel! clothing! clothes! shirt! shirts! t-shirt*! hoodie*! footwear! shoes! jacket* dress dresses trousers handbag* leather jewelry necklace* earrings bracelet* jeans socks underwear
/Shopping/Gifts_and_Special_Event_Items: gift! gifts! gift_ideas! flowers_delivery gift_guide greeting_cards
/Shopping/Toys: toys! toy doll dolls lego plush
/Shopping/Antiques_and_Collectibles: collectible*! figurine*! antiques! memorabilia
/Shopping/Auctions: auction*! bidder* highest_bid
/Shopping/Classifieds: classifieds! for_sale_by_owner
/Sports: bike biker bikers bicycle* mtb sport! sports! football! soccer! basketball! baseball! hockey tennis! golf! golfer* rugby cricket volleyball handball swimming swimmer* athlete* athletics olympic* olympics! championship* tournament* league! playoff* coach! coaches coaching striker goalkeeper! midfielder* quarterback* touchdown* defender* referee* stadium* match matches team teams player players season penalty goals scored score scorer nba nfl nhl mlb fifa uefa premier_league super_bowl world_cup grand_slam boxing boxer* ufc mma wrestling cyclist* cycling mountain_bike* bikes skiing skier* snowboard* surfing skateboard* marathon runner runners sprint formula_one grand_prix nascar motogp racing innings wicket* batting pitcher semifinal* quarterfinal* semi-final* quarter-final* final_score medal* undefeated standings linebacker* wide_receiver halftime roster draft_pick
/Sports/Team_Sports: football! soccer! basketball! baseball! hockey rugby cricket volleyball handball quarterback* touchdown* goalkeeper! midfielder* striker premier_league! nba! nfl! nhl! mlb! fifa uefa linebacker* wide_receiver innings wicket* pitcher
/Sports/Team_Sports/Soccer: soccer! goalkeeper! midfielder*! striker! premier_league! uefa! fifa champions_league! la_liga bundesliga offside
/Sports/Team_Sports/American_Football: nfl! quarterback*! touchdown*! linebacker*! wide_receiver! super_bowl!
/Sports/Team_Sports/Basketball: basketball! nba! rebounds three-pointer* point_guard
/Sports/Team_Sports/Baseball: baseball! mlb! innings pitcher! home_run* shortstop
/Sports/Team_Sports/Hockey: hockey! nhl! puck power_play
/Sports/Individual_Sports: bike bicycle* mtb tennis! golf! golfer* swimmer* athletics cyclist* cycling marathon gymnast* mountain_bike* wimbledon
/Sports/Combat_Sports: boxing! boxer*! ufc! mma! wrestling! judo karate heavyweight
/Sports/Motor_Sports: formula_one! grand_prix! nascar! motogp! racing_team pole_position
/Sports/Winter_Sports: skiing! skier*! snowboard*! biathlon ice_skating figure_skat* ski_resort*
/Sports/Water_Sports: surfing! surfer* swimming rowing kayaking
/Sports/International_Sports_Competitions: olympic*! olympics! world_cup! paralympic*
/Travel_and_Transportation: travel! traveler* traveller* trip trips tourist* tourism! destination* vacation* holiday holidays hotel! hotels! resort* hostel* accommodation* airbnb flight flights! airline* airport* airports! train trains railway* rail station bus buses subway metro passenger* ferry cruise* luggage suitcase* passport itinerary sightseeing beach beaches island islands villa tour tours guidebook backpacker* booking landmarks timetable* departure departures old_town scenic explore getaway honeymoon road_trip national_park* transit commuter* travellers
/Travel_and_Transportation/Hotels_and_Accommodations: hotel! hotels! resort! resorts hostel* accommodation* airbnb guest_room* suites check-in villas
/Travel_and_Transportation/Tourist_Destinations: tourist* beach beaches island islands landmarks sightseeing! attractions old_town national_park* theme_park*
/Travel_and_Transportation/Transportation: train! trains! railway*! rail! subway metro bus buses airline*! airport* timetable* departures tram commuter* traffic passengers
/Travel_and_Transportation/Travel_Guides_and_Travelogues: guidebook itinerary travel_guide travelogue
`;
