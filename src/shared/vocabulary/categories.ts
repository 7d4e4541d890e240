import { labelsOf } from './page-types.ts';

/** Every value of `page_category`, parents before their children (spec: Vocabularies). One line a parent. */
export const CATEGORIES: readonly string[] = labelsOf(`
: Adult | Arts_and_Entertainment | Autos_and_Vehicles | Beauty_and_Fitness | Books_and_Literature | Business_and_Industrial | Computers_and_Electronics | Finance | Food_and_Drink | Games | Health | Hobbies_and_Leisure | Home_and_Garden | Internet_and_Telecom | Jobs_and_Education | Law_and_Government | News | Online_Communities | People_and_Society | Pets_and_Animals | Real_Estate | Reference | Science | Sensitive_Subjects | Shopping | Sports | Travel_and_Transportation
/Arts_and_Entertainment: Celebrities_and_Entertainment_News | Comics_and_Animation | Entertainment_Industry | Events_and_Listings | Fun_and_Trivia | Humor | Movies | Music_and_Audio | Offbeat | Online_Media | Performing_Arts | TV_and_Video | Visual_Art_and_Design
/Arts_and_Entertainment/Comics_and_Animation: Anime_and_Manga | Cartoons | Comics
/Arts_and_Entertainment/Entertainment_Industry: Film_and_TV_Industry | Recording_Industry
/Arts_and_Entertainment/Events_and_Listings: Bars,_Clubs_and_Nightlife | Concerts_and_Music_Festivals | Event_Ticket_Sales | Expos_and_Conventions | Film_Festivals | Food_and_Beverage_Events | Live_Sporting_Events | Movie_Listings_and_Theater_Showtimes
/Arts_and_Entertainment/Fun_and_Trivia: Flash-Based_Entertainment | Fun_Tests_and_Silly_Surveys
/Arts_and_Entertainment/Humor: Funny_Pictures_and_Videos | Live_Comedy | Political_Humor | Spoofs_and_Satire
/Arts_and_Entertainment/Movies: Action_and_Adventure_Films | Animated_Films | Bollywood_and_South_Asian_Films | Classic_Films | Comedy_Films | Cult_and_Indie_Films | DVD_and_Video_Shopping | Documentary_Films | Drama_Films | Family_Films | Horror_Films | Movie_Memorabilia | Movie_Reference | Musical_Films | Romance_Films | Science_Fiction_and_Fantasy_Films | Thriller,_Crime_and_Mystery_Films
/Arts_and_Entertainment/Music_and_Audio: CD_and_Audio_Shopping | Classical_Music | Country_Music | Dance_and_Electronic_Music | Experimental_and_Industrial_Music | Folk_and_Traditional_Music | Jazz_and_Blues | Music_Art_and_Memorabilia | Music_Education_and_Instruction | Music_Equipment_and_Technology | Music_Reference | Music_Streams_and_Downloads | Music_Videos | Podcasts | Pop_Music | Radio | Religious_Music | Rock_Music | Soundtracks | Urban_and_Hip-Hop | Vocals_and_Show_Tunes | World_Music
/Arts_and_Entertainment/Offbeat: Occult_and_Paranormal
/Arts_and_Entertainment/Online_Media: Online_Image_Galleries | Virtual_Tours
/Arts_and_Entertainment/Performing_Arts: Acting_and_Theater | Broadway_and_Musical_Theater | Circus | Dance | Magic | Opera
/Arts_and_Entertainment/TV_and_Video: Online_Video | TV_Commercials | TV_Guides_and_Reference | TV_Networks_and_Stations | TV_Shows_and_Programs
/Arts_and_Entertainment/Visual_Art_and_Design: Architecture | Art_Museums_and_Galleries | Design | Painting | Photographic_and_Digital_Arts | Sculpture | Visual_Arts_and_Design_Education
/Autos_and_Vehicles: Bicycles_and_Accessories | Boats_and_Watercraft | Campers_and_RVs | Classic_Vehicles | Commercial_Vehicles | Custom_and_Performance_Vehicles | Motor_Vehicles_(By_Brand) | Motor_Vehicles_(By_Type) | Personal_Aircraft | Vehicle_Codes_and_Driving_Laws | Vehicle_Parts_and_Services | Vehicle_Shopping | Vehicle_Shows
/Autos_and_Vehicles/Bicycles_and_Accessories: BMX_Bikes | Bike_Accessories | Bike_Frames | Bike_Helmets_and_Protective_Gear | Bike_Parts_and_Repair | Cruiser_Bicycles | Electric_Bicycles | Kids'_Bikes | Mountain_Bikes | Road_Bikes
/Autos_and_Vehicles/Commercial_Vehicles: Cargo_Trucks_and_Trailers
/Autos_and_Vehicles/Motor_Vehicles_(By_Brand): Audi | BMW | Bentley | Buick | Cadillac | Chevrolet | Chrysler | Citroën | Daewoo_Motors | Dodge | Ferrari | Fiat | Ford | GMC | Honda | Hummer | Hyundai | Isuzu | Jaguar | Jeep | Kia | Lamborghini | Land_Rover | Lincoln | Maserati | Mazda | Mercedes-Benz | Mercury | Mini | Mitsubishi | Nissan | Peugeot | Pontiac | Porsche | Ram_Trucks | Renault | Rolls-Royce | SEAT | Saab | Saturn | Skoda | Subaru | Suzuki | Tesla_Motors | Toyota | Vauxhall-Opel | Volkswagen | Volvo
/Autos_and_Vehicles/Motor_Vehicles_(By_Type): Autonomous_Vehicles | Compact_Cars | Convertibles | Coupes | Diesel_Vehicles | Hatchbacks | Hybrid_and_Alternative_Vehicles | Luxury_Vehicles | Microcars_and_Subcompacts | Motorcycles | Off-Road_Vehicles | Scooters_and_Mopeds | Sedans | Sports_Cars | Station_Wagons | Trucks,_Vans_and_SUVs
/Autos_and_Vehicles/Vehicle_Codes_and_Driving_Laws: Drunk_Driving_Law | Vehicle_Licensing_and_Registration
/Autos_and_Vehicles/Vehicle_Parts_and_Services: Gas_Prices_and_Vehicle_Fueling | Towing_and_Roadside_Assistance | Vehicle_Modification_and_Tuning | Vehicle_Parts_and_Accessories | Vehicle_Repair_and_Maintenance
/Autos_and_Vehicles/Vehicle_Shopping: Used_Vehicles | Vehicle_Dealers_and_Retailers | Vehicle_Specs,_Reviews_and_Comparisons
/Beauty_and_Fitness: Beauty_Pageants | Beauty_Services_and_Spas | Body_Art | Cosmetology_and_Beauty_Professionals | Face_and_Body_Care | Fashion_and_Style | Fitness | Hair_Care | Weight_Loss
/Beauty_and_Fitness/Beauty_Services_and_Spas: Cosmetic_Procedures | Manicures_and_Pedicures | Massage_Therapy
/Beauty_and_Fitness/Face_and_Body_Care: Clean_Beauty | Hygiene_and_Toiletries | Make-Up_and_Cosmetics | Perfumes_and_Fragrances | Skin_and_Nail_Care | Sun_Care_and_Tanning_Products | Unwanted_Body_and_Facial_Hair_Removal
/Beauty_and_Fitness/Fashion_and_Style: Fashion_Designers_and_Collections
/Beauty_and_Fitness/Fitness: Bodybuilding | Fitness_Equipment_and_Accessories | Fitness_Instruction_and_Personal_Training | Gyms_and_Health_Clubs | High_Intensity_Interval_Training | Yoga_and_Pilates
/Beauty_and_Fitness/Hair_Care: Hair_Loss | Shampoos_and_Conditioners
/Books_and_Literature: Audiobooks | Book_Retailers | Children's_Literature | E-Books | Fan_Fiction | Literary_Classics | Poetry | Writers_Resources
/Business_and_Industrial: Advertising_and_Marketing | Aerospace_and_Defense | Agriculture_and_Forestry | Automotive_Industry | Business_Education | Business_Finance | Business_Operations | Business_Services | Chemicals_Industry | Construction_and_Maintenance | Energy_and_Utilities | Hospitality_Industry | Industrial_Materials_and_Equipment | Manufacturing | Metals_and_Mining | Pharmaceuticals_and_Biotech | Printing_and_Publishing | Retail_Trade | Shipping_and_Logistics | Small_Business | Textiles_and_Nonwovens
/Business_and_Industrial/Advertising_and_Marketing: Brand_Management | Marketing | Public_Relations | Sales | Telemarketing
/Business_and_Industrial/Aerospace_and_Defense: Aviation_Industry | Space_Technology
/Business_and_Industrial/Agriculture_and_Forestry: Agricultural_Equipment | Aquaculture | Crops_and_Seed | Farms_and_Ranches | Forestry | Livestock
/Business_and_Industrial/Business_Finance: Commercial_Lending | Investment_Banking | Risk_Management | Venture_Capital
/Business_and_Industrial/Business_Operations: Business_Plans_and_Presentations | Flexible_Work_Arrangements | Human_Resources | Management
/Business_and_Industrial/Business_Services: Commercial_Distribution | Consulting | Corporate_Events | E-Commerce_Services | Fire_and_Security_Services | Knowledge_Management | Office_Services | Office_Supplies | Outsourcing | Physical_Asset_Management | Quality_Control_and_Tracking | Shared_Workspaces | Signage | Warehousing | Writing_and_Editing_Services
/Business_and_Industrial/Chemicals_Industry: Agrochemicals | Cleaning_Agents | Coatings_and_Adhesives | Dyes_and_Pigments | Plastics_and_Polymers
/Business_and_Industrial/Construction_and_Maintenance: Building_Materials_and_Supplies | Civil_Engineering
/Business_and_Industrial/Energy_and_Utilities: Electricity | Nuclear_Energy | Oil_and_Gas | Renewable_and_Alternative_Energy | Waste_Management
/Business_and_Industrial/Hospitality_Industry: Event_Planning | Event_Venue_Rentals | Food_Service
/Business_and_Industrial/Industrial_Materials_and_Equipment: Fluid_Handling | Generators | Heavy_Machinery | Industrial_Handling_and_Processing_Equipment | Industrial_Measurement_and_Control_Equipment
/Business_and_Industrial/Manufacturing: Factory_Automation
/Business_and_Industrial/Metals_and_Mining: Precious_Metals
/Business_and_Industrial/Printing_and_Publishing: Document_and_Printing_Services
/Business_and_Industrial/Retail_Trade: Retail_Equipment_and_Technology
/Business_and_Industrial/Shipping_and_Logistics: Freight_Transport | Import_and_Export | Mail_and_Package_Delivery | Moving_and_Relocation | Packaging | Self_Storage
/Business_and_Industrial/Shipping_and_Logistics/Freight_Transport: Maritime_Transport | Rail_Freight
/Business_and_Industrial/Small_Business: Business_Formation | Home_Office | MLM_and_Business_Opportunities
/Computers_and_Electronics: CAD_and_CAM | Computer_Hardware | Computer_Security | Consumer_Electronics | Electronics_and_Electrical | Enterprise_Technology | Networking | Programming | Software
/Computers_and_Electronics/Computer_Hardware: Computer_Components | Computer_Drives_and_Storage | Computer_Peripherals | Computer_Servers | Desktop_Computers | Hardware_Modding_and_Tuning | Laptops_and_Notebooks
/Computers_and_Electronics/Computer_Security: Antivirus_and_Malware | Hacking_and_Cracking | Network_Security
/Computers_and_Electronics/Consumer_Electronics: Audio_Equipment | Camera_and_Photo_Equipment | Car_Electronics | Drones_and_RC_Aircraft | Electronic_Accessories | GPS_and_Navigation | Gadgets_and_Portable_Electronics | Game_Systems_and_Consoles | Home_Automation | Media_Streaming_Devices | TV_and_Video_Equipment | Virtual_Reality_Devices
/Computers_and_Electronics/Electronics_and_Electrical: Data_Sheets_and_Electronics_Reference | Electrical_Test_and_Measurement | Electromechanical_Devices | Electronic_Components | Optoelectronics_and_Fiber | Power_Supplies
/Computers_and_Electronics/Enterprise_Technology: Customer_Relationship_Management_(CRM) | Data_Management | Enterprise_Resource_Planning_(ERP) | Helpdesk_and_Customer_Support_Systems
/Computers_and_Electronics/Networking: Data_Formats_and_Protocols | Distributed_and_Cloud_Computing | Network_Monitoring_and_Management | Networking_Equipment | VPN_and_Remote_Access
/Computers_and_Electronics/Programming: C_and_C++ | Development_Tools | Java_(Programming_Language) | Scripting_Languages | Windows_and_.NET
/Computers_and_Electronics/Software: Business_and_Productivity_Software | Device_Drivers | Educational_Software | Freeware_and_Shareware | Intelligent_Personal_Assistants | Internet_Software | Monitoring_Software | Multimedia_Software | Open_Source | Operating_Systems | Software_Utilities
/Finance: Accounting_and_Auditing | Banking | Credit_and_Lending | Crowdfunding | Financial_Planning_and_Management | Grants,_Scholarships_and_Financial_Aid | Insurance | Investing
/Finance/Accounting_and_Auditing: Billing_and_Invoicing | Bookkeeping | Tax_Preparation_and_Planning
/Finance/Banking: ATMs_and_Branch_Locations | Debit_and_Checking_Services | Mobile_Payments_and_Digital_Wallets | Money_Transfer_and_Wire_Services | Savings_Accounts
/Finance/Credit_and_Lending: Credit_Cards | Credit_Reporting_and_Monitoring | Debt_Collection_and_Repossession | Debt_Management | Loans
/Finance/Financial_Planning_and_Management: Asset_and_Portfolio_Management | Inheritance_and_Estate_Planning | Retirement_and_Pension
/Finance/Grants,_Scholarships_and_Financial_Aid: Government_Grants | Study_Grants_and_Scholarships
/Finance/Insurance: Health_Insurance | Home_Insurance | Life_Insurance | Travel_Insurance | Vehicle_Insurance
/Finance/Investing: Brokerages_and_Day_Trading | Commodities_and_Futures_Trading | Currencies_and_Foreign_Exchange | Derivatives | Funds | Real_Estate_Investment_Trusts | Socially_Responsible_Investing | Stocks_and_Bonds
/Food_and_Drink: Beverages | Cooking_and_Recipes | Food | Food_and_Grocery_Delivery | Food_and_Grocery_Retailers | Restaurants
/Food_and_Drink/Beverages: Alcohol-Free_Beverages | Alcoholic_Beverages | Bottled_Water | Coffee_and_Tea | Energy_Drinks | Juice | Nutrition_Drinks_and_Shakes | Soft_Drinks | Sports_Drinks
/Food_and_Drink/Cooking_and_Recipes: BBQ_and_Grilling | Cuisines | Culinary_Training | Desserts | Healthy_Eating | Salads | Soups_and_Stews
/Food_and_Drink/Food: Baked_Goods | Breakfast_Foods | Candy_and_Sweets | Condiments_and_Dressings | Cooking_Fats_and_Oils | Dairy_and_Egg_Substitutes | Dairy_and_Eggs | Fruits_and_Vegetables | Gourmet_and_Specialty_Foods | Grains_and_Pasta | Herbs_and_Spices | Jams,_Jellies_and_Preserves | Meat_and_Seafood | Meat_and_Seafood_Substitutes | Organic_and_Natural_Foods | Snack_Foods
/Food_and_Drink/Food_and_Grocery_Delivery: Grocery_Delivery_Services | Meal_Kits | Restaurant_Delivery_Services
/Food_and_Drink/Food_and_Grocery_Retailers: Bakeries | Butchers | Convenience_Stores | Delicatessens | Farmers'_Markets
/Food_and_Drink/Restaurants: Catering | Fast_Food | Fine_Dining | Pizzerias | Restaurant_Reviews_and_Reservations
/Games: Arcade_and_Coin-Op_Games | Board_Games | Card_Games | Computer_and_Video_Games | Dice_Games | Educational_Games | Family-Oriented_Games_and_Activities | Gambling | Party_Games | Puzzles_and_Brainteasers | Roleplaying_Games | Table_Games | Tile_Games | Word_Games
/Games/Board_Games: Chess_and_Abstract_Strategy_Games | Miniatures_and_Wargaming
/Games/Card_Games: Collectible_Card_Games | Poker_and_Casino_Games
/Games/Computer_and_Video_Games: Action_and_Platform_Games | Adventure_Games | Browser_Games | Casual_Games | Competitive_Video_Gaming | Driving_and_Racing_Games | Fighting_Games | Gaming_Reference_and_Reviews | Massively_Multiplayer_Games | Music_and_Dance_Games | Sandbox_Games | Shooter_Games | Simulation_Games | Sports_Games | Strategy_Games | Video_Game_Development | Video_Game_Emulation | Video_Game_Mods_and_Add-Ons | Video_Game_Retailers
/Games/Family-Oriented_Games_and_Activities: Drawing_and_Coloring | Dress-Up_and_Fashion_Games
/Games/Gambling: Lottery | Sports_Betting
/Games/Table_Games: Billiards | Table_Tennis
/Health: Aging_and_Geriatrics | Alternative_and_Natural_Medicine | Health_Conditions | Health_Education_and_Medical_Training | Health_Foundations_and_Medical_Research | Medical_Devices_and_Equipment | Medical_Facilities_and_Services | Medical_Literature_and_Resources | Men's_Health | Mental_Health | Nursing | Nutrition | Oral_and_Dental_Care | Pediatrics | Pharmacy | Public_Health | Reproductive_Health | Substance_Abuse | Vision_Care | Women's_Health
/Health/Aging_and_Geriatrics: Alzheimer's_Disease
/Health/Alternative_and_Natural_Medicine: Acupuncture_and_Chinese_Medicine | Cleansing_and_Detoxification
/Health/Health_Conditions: AIDS_and_HIV | Allergies | Arthritis | Blood_Sugar_and_Diabetes | Cancer | Ear_Nose_and_Throat | Eating_Disorders | Endocrine_Conditions | GERD_and_Digestive_Disorders | Genetic_Disorders | Heart_and_Hypertension | Infectious_Diseases | Injury | Neurological_Conditions | Obesity | Pain_Management | Respiratory_Conditions | Skin_Conditions | Sleep_Disorders
/Health/Health_Conditions/Allergies: Environmental_Allergies | Food_Allergies
/Health/Health_Conditions/Infectious_Diseases: Covid-19 | Vaccines_and_Immunizations
/Health/Medical_Devices_and_Equipment: Assistive_Technology
/Health/Medical_Facilities_and_Services: Doctors'_Offices | Hospitals_and_Treatment_Centers | Medical_Procedures | Physical_Therapy
/Health/Medical_Facilities_and_Services/Medical_Procedures: Surgery
/Health/Medical_Facilities_and_Services/Medical_Procedures/Surgery: Cosmetic_Surgery
/Health/Medical_Literature_and_Resources: Medical_Photos_and_Illustration
/Health/Mental_Health: Anxiety_and_Stress | Compulsive_Gambling | Counseling_Services | Depression
/Health/Nursing: Assisted_Living_and_Long_Term_Care
/Health/Nutrition: Special_and_Restricted_Diets | Vitamins_and_Supplements
/Health/Pharmacy: Drugs_and_Medications
/Health/Public_Health: Health_Policy | Occupational_Health_and_Safety | Toxic_Substances_and_Poisoning
/Health/Reproductive_Health: Birth_Control | Infertility | Male_Impotence | OBGYN | Sex_Education_and_Counseling
/Health/Substance_Abuse: Drug_and_Alcohol_Testing | Drug_and_Alcohol_Treatment | Smoking_and_Smoking_Cessation | Steroids_and_Performance-Enhancing_Drugs
/Health/Vision_Care: Eye_Exams_and_Optometry | Eyeglasses_and_Contacts | Laser_Vision_Correction
/Hobbies_and_Leisure: Clubs_and_Organizations | Crafts | Merit_Prizes_and_Contests | Outdoors | Paintball | Radio_Control_and_Modeling | Recreational_Aviation | Special_Occasions | Sweepstakes_and_Promotional_Giveaways | Water_Activities
/Hobbies_and_Leisure/Clubs_and_Organizations: Youth_Organizations_and_Resources
/Hobbies_and_Leisure/Crafts: Art_and_Craft_Supplies | Ceramics_and_Pottery | Fiber_and_Textile_Arts
/Hobbies_and_Leisure/Outdoors: Fishing | Hiking_and_Camping | Hunting_and_Shooting
/Hobbies_and_Leisure/Radio_Control_and_Modeling: Model_Trains_and_Railroads
/Hobbies_and_Leisure/Special_Occasions: Anniversaries | Holidays_and_Seasonal_Events | Weddings
/Hobbies_and_Leisure/Water_Activities: Boating | Diving_and_Underwater_Activities | Surf_and_Swim
/Home_and_Garden: Bed_and_Bath | Domestic_Services | HVAC_and_Climate_Control | Home_Appliances | Home_Furnishings | Home_Improvement | Home_Safety_and_Security | Home_Storage_and_Shelving | Home_Swimming_Pools,_Saunas_and_Spas | Home_and_Interior_Decor | Household_Supplies | Kitchen_and_Dining | Laundry | Patio,_Lawn_and_Garden | Pest_Control
/Home_and_Garden/Bed_and_Bath: Bathroom | Bedroom
/Home_and_Garden/Domestic_Services: Cleaning_Services
/Home_and_Garden/HVAC_and_Climate_Control: Air_Conditioners | Air_Filters_and_Purifiers | Fireplaces_and_Stoves | Heaters | Household_Fans
/Home_and_Garden/Home_Appliances: Vacuums_and_Floor_Care | Water_Filters_and_Purifiers
/Home_and_Garden/Home_Furnishings: Clocks | Countertops | Curtains_and_Window_Treatments | Kitchen_and_Dining_Furniture | Lamps_and_Lighting | Living_Room_Furniture | Outdoor_Furniture | Rugs_and_Carpets
/Home_and_Garden/Home_Improvement: Construction_and_Power_Tools | Doors_and_Windows | Flooring | House_Painting_and_Finishing | Locks_and_Locksmiths | Plumbing | Roofing
/Home_and_Garden/Home_Safety_and_Security: Home_Alarm_and_Security_Systems
/Home_and_Garden/Home_Storage_and_Shelving: Cabinetry
/Home_and_Garden/Household_Supplies: Household_Batteries | Household_Cleaning_Supplies
/Home_and_Garden/Kitchen_and_Dining: Cookware_and_Diningware | Major_Kitchen_Appliances | Small_Kitchen_Appliances
/Home_and_Garden/Laundry: Washers_and_Dryers
/Home_and_Garden/Patio,_Lawn_and_Garden: Barbecues_and_Grills | Garden_Structures | Gardening | Landscape_Design | Yard_Maintenance
/Home_and_Garden/Patio,_Lawn_and_Garden/Yard_Maintenance: Lawn_Mowers
/Internet_and_Telecom: Communications_Equipment | Email_and_Messaging | Mobile_and_Wireless | Search_Engines | Service_Providers | Teleconferencing | Web_Services
/Internet_and_Telecom/Communications_Equipment: Radio_Equipment
/Internet_and_Telecom/Email_and_Messaging: Electronic_Spam | Email | Text_and_Instant_Messaging | Voice_and_Video_Chat
/Internet_and_Telecom/Mobile_and_Wireless: Mobile_Apps_and_Add-Ons | Mobile_Phones | Mobile_and_Wireless_Accessories
/Internet_and_Telecom/Search_Engines: People_Search
/Internet_and_Telecom/Service_Providers: Cable_and_Satellite_Providers | ISPs | Phone_Service_Providers
/Internet_and_Telecom/Web_Services: Affiliate_Programs | Cloud_Storage | Search_Engine_Optimization_and_Marketing | Web_Design_and_Development | Web_Stats_and_Analytics
/Jobs_and_Education: Education | Internships | Jobs
/Jobs_and_Education/Education: Academic_Conferences_and_Publications | Alumni_and_Reunions | Colleges_and_Universities | Computer_Education | Distance_Learning | Early_Childhood_Education | Homeschooling | Open_Online_Courses | Primary_and_Secondary_Schooling_(K-12) | Private_Tutoring_Services | Special_Education | Standardized_and_Admissions_Tests | Study_Abroad | Teaching_and_Classroom_Resources | Training_and_Certification | Vocational_and_Continuing_Education
/Jobs_and_Education/Jobs: Career_Resources_and_Planning | Job_Listings | Resumes_and_Portfolios
/Law_and_Government: Government | Legal | Military | Public_Safety | Social_Services
/Law_and_Government/Government: Courts_and_Judiciary | Embassies_and_Consulates | Executive_Branch | Government_Contracting_and_Procurement | Intelligence_and_Counterterrorism | Legislative_Branch | Lobbying | Public_Policy | Royalty | Visa_and_Immigration
/Law_and_Government/Legal: Accident_and_Personal_Injury_Law | Bankruptcy | Business_and_Corporate_Law | Constitutional_Law_and_Civil_Rights | Family_Law | Intellectual_Property | Labor_and_Employment_Law | Legal_Education | Legal_Services | Product_Liability | Real_Estate_Law
/Law_and_Government/Military: Air_Force | Army | Marines | Navy | Veterans
/Law_and_Government/Public_Safety: Crime_and_Justice | Emergency_Services | Law_Enforcement | Security_Products_and_Services
/Law_and_Government/Social_Services: Welfare_and_Unemployment
/News: Business_News | Gossip_and_Tabloid_News | Health_News | Local_News | Politics | Sports_News | Technology_News | Weather | World_News
/News/Business_News: Company_News | Economy_News | Financial_Markets_News | Fiscal_Policy_News
/News/Gossip_and_Tabloid_News: Scandals_and_Investigations
/News/Politics: Campaigns_and_Elections | Media_Critics_and_Watchdogs | Political_Polls_and_Surveys
/Online_Communities: Blogging_Resources_and_Services | Dating_and_Personals | File_Sharing_and_Hosting | Online_Goodies | Online_Journals_and_Personal_Sites | Photo_and_Video_Sharing | Social_Networks | Virtual_Worlds
/Online_Communities/Dating_and_Personals: Matrimonial_Services | Personals | Photo_Rating_Sites
/Online_Communities/Online_Goodies: Clip_Art_and_Animated_GIFs | Skins,_Themes_and_Wallpapers | Social_Network_Apps_and_Add-Ons
/Online_Communities/Photo_and_Video_Sharing: Photo_and_Image_Sharing | Video_Sharing
/People_and_Society: Family_and_Relationships | Kids_and_Teens | Religion_and_Belief | Self-Help_and_Motivational | Seniors_and_Retirement | Social_Issues_and_Advocacy | Social_Sciences | Subcultures_and_Niche_Interests
/People_and_Society/Family_and_Relationships: Etiquette | Family | Marriage | Romance | Troubled_Relationships
/People_and_Society/Family_and_Relationships/Family: Parenting
/People_and_Society/Family_and_Relationships/Family/Parenting: Babies_and_Toddlers
/People_and_Society/Family_and_Relationships/Family/Parenting/Babies_and_Toddlers: Nursery_and_Playroom
/People_and_Society/Kids_and_Teens: Children's_Interests | Teen_Interests
/People_and_Society/Social_Issues_and_Advocacy: Charity_and_Philanthropy | Discrimination_and_Identity_Relations | Drug_Laws_and_Policy | Ethics | Green_Living_and_Environmental_Issues | Housing_and_Development | Human_Rights_and_Liberties | Poverty_and_Hunger | Work_and_Labor_Issues
/People_and_Society/Social_Sciences: Anthropology | Archaeology | Communications_and_Media_Studies | Demographics | Economics | Political_Science | Psychology
/Pets_and_Animals: Animal_Products_and_Services | Pets | Wildlife
/Pets_and_Animals/Animal_Products_and_Services: Animal_Welfare | Pet_Food_and_Pet_Care_Supplies | Veterinarians
/Pets_and_Animals/Pets: Birds | Cats | Dogs | Exotic_Pets | Fish_and_Aquaria | Horses | Rabbits_and_Rodents | Reptiles_and_Amphibians
/Real_Estate: Property_Development | Real_Estate_Listings | Real_Estate_Services
/Real_Estate/Real_Estate_Listings: Bank-Owned_and_Foreclosed_Properties | Commercial_Properties | Lots_and_Land | Residential_Rentals | Residential_Sales | Timeshares_and_Vacation_Properties
/Real_Estate/Real_Estate_Services: Property_Inspections_and_Appraisals | Property_Management | Real_Estate_Agencies | Real_Estate_Title_and_Escrow
/Reference: Directories_and_Listings | General_Reference | Geographic_Reference | Humanities | Language_Resources | Libraries_and_Museums | Technical_Reference
/Reference/Directories_and_Listings: Business_and_Personal_Listings
/Reference/General_Reference: Biographies_and_Quotations | Calculators_and_Reference_Tools | Dictionaries_and_Encyclopedias | Educational_Resources | Forms_Guides_and_Templates | How-To,_DIY_and_Expert_Content | Public_Records | Time_and_Calendars
/Reference/Geographic_Reference: Maps
/Reference/Humanities: History | Myth_and_Folklore | Philosophy
/Reference/Language_Resources: Foreign_Language_Resources
/Reference/Libraries_and_Museums: Libraries | Museums
/Science: Astronomy | Biological_Sciences | Chemistry | Computer_Science | Earth_Sciences | Ecology_and_Environment | Engineering_and_Technology | Mathematics | Physics | Scientific_Equipment | Scientific_Institutions
/Science/Biological_Sciences: Genetics | Neuroscience
/Science/Computer_Science: Machine_Learning_and_Artificial_Intelligence
/Science/Earth_Sciences: Atmospheric_Science | Geology | Paleontology
/Science/Ecology_and_Environment: Climate_Change_and_Global_Warming
/Science/Engineering_and_Technology: Augmented_and_Virtual_Reality | Robotics
/Science/Mathematics: Statistics
/Sensitive_Subjects: Accidents_and_Disasters | Death_and_Tragedy | Firearms_and_Weapons | Recreational_Drugs | Self-Harm | Violence_and_Abuse | War_and_Conflict
/Shopping: Antiques_and_Collectibles | Apparel | Auctions | Classifieds | Consumer_Resources | Discount_and_Outlet_Stores | Entertainment_Media | Gifts_and_Special_Event_Items | Green_and_Eco-Friendly_Shopping | Luxury_Goods | Mass_Merchants_and_Department_Stores | Photo_and_Video_Services | Shopping_Portals | Swap_Meets_and_Outdoor_Markets | Tobacco_and_Vaping_Products | Toys | Wholesalers_and_Liquidators
/Shopping/Apparel: Apparel_Services | Athletic_Apparel | Casual_Apparel | Children's_Clothing | Clothing_Accessories | Costumes | Eyewear | Footwear | Formal_Wear | Headwear | Men's_Clothing | Outerwear | Pants_and_Shorts | Shirts_and_Tops | Sleepwear | Suits_and_Business_Attire | Swimwear | Undergarments | Uniforms_and_Workwear | Women's_Clothing
/Shopping/Consumer_Resources: Consumer_Advocacy_and_Protection | Coupons_and_Discount_Offers | Customer_Services | Identity_Theft_Protection | Product_Reviews_and_Price_Comparisons
/Shopping/Entertainment_Media: Entertainment_Media_Rentals
/Shopping/Gifts_and_Special_Event_Items: Custom_and_Personalized_Items | Flowers | Gifts | Greeting_Cards | Party_and_Holiday_Supplies
/Shopping/Photo_and_Video_Services: Event_and_Studio_Photography | Photo_Printing_Services | Stock_Photography
/Shopping/Toys: Action_Figures | Building_Toys | Die-cast_and_Toy_Vehicles | Dolls_and_Accessories | Educational_Toys | Outdoor_Toys_and_Play_Equipment | Puppets | Ride-On_Toys_and_Wagons | Stuffed_Toys
/Sports: Animal_Sports | College_Sports | Combat_Sports | Extreme_Sports | Fantasy_Sports | Individual_Sports | International_Sports_Competitions | Motor_Sports | Sport_Scores_and_Statistics | Sporting_Goods | Sports_Coaching_and_Training | Sports_Fan_Gear_and_Apparel | Team_Sports | Water_Sports | Winter_Sports
/Sports/Animal_Sports: Equestrian
/Sports/Combat_Sports: Boxing | Fencing | Martial_Arts | Wrestling
/Sports/Extreme_Sports: Climbing_and_Mountaineering | Drag_and_Street_Racing | Stunts_and_Dangerous_Feats
/Sports/Individual_Sports: Bowling | Cycling | Golf | Gymnastics | Racquet_Sports | Running_and_Walking | Skate_Sports | Track_and_Field
/Sports/International_Sports_Competitions: Olympics
/Sports/Motor_Sports: Auto_Racing | Motorcycle_Racing
/Sports/Sporting_Goods: American_Football_Equipment | Baseball_Equipment | Basketball_Equipment | Bowling_Equipment | Combat_Sports_Equipment | Cricket_Equipment | Electric_Skateboards_and_Scooters | Equestrian_Equipment_and_Tack | Golf_Equipment | Gymnastics_Equipment | Hockey_Equipment | Ice_Skating_Equipment | Roller_Skating_and_Rollerblading_Equipment | Skateboarding_Equipment | Soccer_Equipment | Sports_Memorabilia | Squash_and_Racquetball_Equipment | Table_Tennis_Equipment | Tennis_Equipment | Volleyball_Equipment | Water_Sports_Equipment | Winter_Sports_Equipment
/Sports/Team_Sports: American_Football | Australian_Football | Baseball | Basketball | Cheerleading | Cricket | Handball | Hockey | Rugby | Soccer | Volleyball
/Sports/Water_Sports: Surfing | Swimming
/Sports/Winter_Sports: Ice_Skating | Skiing_and_Snowboarding
/Travel_and_Transportation: Hotels_and_Accommodations | Luggage_and_Travel_Accessories | Specialty_Travel | Tourist_Destinations | Transportation | Travel_Agencies_and_Services | Travel_Guides_and_Travelogues
/Travel_and_Transportation/Hotels_and_Accommodations: Vacation_Rentals_and_Short-Term_Stays
/Travel_and_Transportation/Luggage_and_Travel_Accessories: Backpacks_and_Utility_Bags
/Travel_and_Transportation/Specialty_Travel: Adventure_Travel | Agritourism | Business_Travel | Ecotourism | Family_Travel | Honeymoons_and_Romantic_Getaways | Low_Cost_and_Last_Minute_Travel | Luxury_Travel | Medical_Tourism | Religious_Travel
/Travel_and_Transportation/Tourist_Destinations: Beaches_and_Islands | Historical_Sites_and_Buildings | Mountain_and_Ski_Resorts | Regional_Parks_and_Gardens | Theme_Parks | Vineyards_and_Wine_Tourism | Zoos,_Aquariums_and_Preserves
/Travel_and_Transportation/Transportation: Air_Travel | Car_Rentals | Carpooling | Chartered_Transportation_Rentals | Cruises_and_Charters | Long_Distance_Bus_and_Rail | Parking | Scooter_and_Bike_Rentals | Taxi_and_Ride_Hail_Services | Traffic_and_Route_Planners | Urban_Transit
/Travel_and_Transportation/Transportation/Parking: Airport_Parking_and_Transportation
/Travel_and_Transportation/Travel_Agencies_and_Services: Guided_Tours_and_Escorted_Vacations | Sightseeing_Tours | Vacation_Offers
`);
