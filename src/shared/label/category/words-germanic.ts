/** Dutch. */
export const NL = `
/Arts_and_Entertainment: acteur* actrice* zanger* muziek*! muzikant* artiest* film! films! bioscoop* regisseur* concert*! festival* album nummer liedje* band theater*! opera serie televisie bekende_nederlander* museum tentoonstelling* kunst* schilder* cultuur dans cabaret*
/Autos_and_Vehicles: auto! auto's! autorijden voertuig* motorfiets* motor vrachtwagen* benzine diesel banden rijbewijs elektrische_auto* caravan* camper*
/Beauty_and_Fitness: schoonheid! make-up! mode! huid huidverzorging! cosmetica parfum* haar kapsel* kapper* nagels sportschool! fitness! afvallen! jurk* kleding
/Books_and_Literature: boek! boeken! roman! romans schrijver* auteur* poëzie! dichter* gedicht* literatuur! lezer* uitgever* verhaal boekhandel hoofdstuk
/Business_and_Industrial: bedrijf! bedrijven! bedrijfs* ondernem*! industrie* fabriek* marketing! reclame klanten productie landbouw! boer boeren! veehouder* energie olie logistiek bouw medewerker*
/Computers_and_Electronics: computer*! software! hardware programmeren! ontwikkelaar* laptop* windows linux android app apps technologie kunstmatige_intelligentie robot* hacker* server printer elektronica
/Finance: bank! banken! financ* lening*! hypothe*! krediet belegg*! beurs aandelen! inflatie rente belasting* verzekering*! sparen spaargeld schuld* pensioen* crypto* bitcoin
/Food_and_Drink: recept! recepten! koken! keuken ingrediënten! eetlepel* theelepel* bloem suiker boter eieren olijfolie knoflook ui uien kaas kip vlees vis salade soep soepen dessert* taart* brood chocolade wijn! wijnen! bier! bieren koffie drank* restaurant*! chef eten gerecht* oven pompoen* groente* smaak lekker
/Food_and_Drink/Cooking_and_Recipes: recept! recepten! ingrediënten! eetlepel*! theelepel*! bereiding oven
/Games: games! videogame*! spelcomputer* playstation! xbox! nintendo! schaken! casino* gokken loterij poker bordspel*!
/Health: gezondheid*! arts! artsen dokter* ziekenhuis* ziekte*! patiënt* symptom* behandeling* vaccin*! virus corona* covid* pandemie kanker! diabetes operatie infectie* pijn zwanger* dieet voeding vitamine* angst depressie therapie medicijn* verpleegkund*
/Hobbies_and_Leisure: hobby* knutselen! breien! haken naaien vissen jacht kamperen wandelen bruiloft* verjaardag* kerst verzamel*
/Home_and_Garden: tuin! tuinieren! tuinen planten! meubel*! interieur! bank gordijn* matras* badkamer* slaapkamer* verbouw* verwarming* warmtepomp*! huishoud* schoonmaken
/Internet_and_Telecom: internet! telefoon* smartphone*! iphone whatsapp! sociale_media google browser e-mail* glasvezel provider* wifi website*
/Jobs_and_Education: onderwijs! school! scholen! leerling*! student*! leraar* leraren docent* universiteit*! les lessen cursus* examen* diploma* opleiding* baan banen vacature*! sollicit*! salaris stage
/Law_and_Government: regering! kabinet! minister*! ministerie president tweede_kamer! kamerlid* wet! wetten rechter*! rechtbank! justitie officier_van_justitie advoca* vonnis misdrijf politie! agent agenten aangehouden* gevangenis* verkiezing*! stem* burgemeester! gemeente* leger militair* politiek* partij*
/News: nieuws! premier president regering oppositie verkiezing*! protest* crisis trump poetin oekraïne rusland staking* woordvoerder*
/Online_Communities: forum forums blog facebook twitter instagram tiktok
/People_and_Society: samenleving gezin ouders! moeder vader kinderen huwelijk relatie* scheiding kerk! kerken katholi* paus! bisschop* god geloof religi* moslim* islam! joods* vrouwen gender feminis* lhbt* mensenrechten! vluchteling* migrant* armoede vrijwillig* racisme
/Pets_and_Animals: huisdier*! hond! honden! kat katten! dierenarts*! dier dieren! vogel* paard* dierentuin
/Real_Estate: vastgoed! woning*! huur! huurder* makelaar*! vierkante_meter appartement*
/Reference: woordenboek*! encyclopedie*! definitie betekenis grammatica wikipedia vertaling* bibliothe*
/Science: wetenschap*! onderzoeker* natuurkund*! scheikund* biolog* genetisch* dna cel cellen planeet planeten ruimte ruimtevaart*! nasa! astronaut* satelliet* heelal klimaat* vulkaan* aardbeving* soort* dinosaur* wiskund*! laboratorium
/Sensitive_Subjects: dood! doden overleden moord! vermoord* lijk schietpartij! neergeschoten ongeluk! ongeval! slachtoffer* gewond* oorlog! bom* aanval* aanslag*! terror* aardbeving* overstroming* verkrachting misbruik geweld! ontvoer* zelfmoord drugs cocaïne
/Shopping: kopen! winkel! winkels webshop! prijs prijzen aanbieding* korting* winkelwagen! bezorg* kleding schoenen cadeau* speelgoed sieraden
/Sports: voetbal*! sport! sporten eredivisie! doelpunt*! wedstrijd*! speler*! coach trainer ploeg team kampioen* toernooi beker wk ek penalty keeper spits stadion hockey! tennis! schaatsen! wielren*! atleet atletiek olympisch*! medaille* formule_1 winst nederlaag scheidsrechter
/Travel_and_Transportation: reis reizen! reiziger* toeris*! hotel*! vlucht vluchten vliegveld* trein! treinen! bus metro station strand! stranden eiland* bestemming* vakantie*! cruise* bagage verkeer vliegtuig*
`;

/** Swedish. */
export const SV = `
/Arts_and_Entertainment: skådespelar*! sångare* musik*! artist* film! filmer! filmen bio regissör* konsert*! festival* album låt låtar band teater*! opera serie tv-serie* kändis*! museum utställning* konst konstnär* kultur* dans komiker
/Autos_and_Vehicles: bil! bilar! bilen! fordon*! motorcykel* motor lastbil* bensin diesel däck körkort elbil* husbil* husvagn*
/Beauty_and_Fitness: skönhet*! smink*! mode! hud hudvård! kosmetik parfym* hår frisyr* naglar gym! träning*! banta gå_ner_i_vikt klänning*
/Books_and_Literature: bok! böcker! roman! romaner författar*! poesi! poet* dikt* litteratur! läsare förlag* novell* bokhandel kapitel deckare
/Business_and_Industrial: företag*! industri* fabrik* marknadsföring! reklam entreprenör* kunder produktion jordbruk! lantbruk*! bönder energi olja logistik bygg* näringsliv*
/Computers_and_Electronics: dator*! programvara! hårdvara programmering! utvecklare laptop windows linux android appar teknik artificiell_intelligens robot* hackare server skrivare elektronik
/Finance: bank! banker! finans* lån bolån! kredit* investera* börs*! aktie*! inflation ränta räntor skatt* försäkring*! spara sparande skuld* pension* kryptovalut* bitcoin
/Food_and_Drink: recept! matlagning! laga_mat ingredienser! matsked* tesked* msk tsk mjöl socker smör ägg olivolja vitlök lök ost kyckling kött fisk sallad soppa efterrätt* kaka kakor bröd choklad vin! viner öl kaffe dryck* restaurang*! kock mat maträtt* ugn smak*
/Food_and_Drink/Cooking_and_Recipes: recept! ingredienser! matsked*! tesked*! msk tsk
/Games: spel tv-spel*! datorspel*! playstation! xbox! nintendo! schack! kasino* casino* lotteri poker brädspel*!
/Health: hälsa! läkar*! sjukhus* sjukdom*! patient* symptom* symtom* behandling* vaccin*! virus corona* covid* pandemi cancer! diabetes operation infektion* smärt* gravid* kost näring vitamin* ångest depression terapi medicin* sjuksköter*
/Hobbies_and_Leisure: hobby* pyssel! sticka! virka sy fiske! jakt camping vandring* bröllop! födelsedag* jul samla*
/Home_and_Garden: trädgård*! växter! odla möbler! inredning! soffa gardin* madrass* badrum sovrum renover* värmepump*! hushåll* städ*
/Internet_and_Telecom: internet! mobil mobiltelefon*! smartphone*! iphone whatsapp! sociala_medier google webbläsare e-post bredband! operatör wifi webbplats*
/Jobs_and_Education: utbildning*! skola! skolan skolor! elev*! student* lärare*! universitet*! lektion* kurs kurser examen prov jobb! lediga_jobb rekryter* lön praktik
/Law_and_Government: regering*! minister*! statsminister* president riksdag*! lag lagar! domare! domstol*! åklagare*! advokat* dom dömd brott! polis*! gripen häktad fängelse* val valet väljar* kommun* militär* armé politik* parti partier
/News: nyheter! senaste_nytt statsminister* president regering* opposition val protest* kris trump putin ukraina ryssland strejk*
/Online_Communities: forum blogg bloggar facebook twitter instagram tiktok
/People_and_Society: samhälle familj föräldrar! mamma pappa barn äktenskap skilsmässa kyrka! kyrkan katolsk* påve* biskop* gud tro religi* muslim* islam! judisk* kvinnor jämställdhet! feminis* hbtq* mänskliga_rättigheter flykting* migrant* fattigdom volontär* rasism
/Pets_and_Animals: husdjur*! hund! hundar! katt! katter! veterinär*! djur! fågel fåglar häst*
/Real_Estate: fastighet*! bostad! bostäder lägenhet*! hyra hyresgäst* mäklare* kvadratmeter
/Reference: ordbok! uppslagsverk definition betydelse grammatik wikipedia översättning bibliotek*
/Science: vetenskap*! forskare! forskning! fysik kemi biolog* genetisk* dna cell celler planet* rymd*! nasa! astronaut* satellit* universum klimat* vulkan* jordbävning* dinosauri* matemati*! laboratori*
/Sensitive_Subjects: död döda! dödad* avliden mord! mördad* lik skjutning! skjuten olycka! olyckan offer skadad* krig! bomb* attack* terror* jordbävning* översvämning* våldtäkt* övergrepp våld! kidnapp* självmord droger kokain
/Shopping: köp! köpa butik! butiker pris priser erbjudande* rabatt* varukorg! frakt! leverans kläder! skor present* leksak* smycken
/Sports: fotboll*! sport! idrott* mål allsvenskan! match! matchen matcher spelare! tränare! lag laget mästare mästerskap* turnering* cup vm em straff målvakt! anfallare arena ishockey*! hockey tennis! skid* cykling friidrott* olympisk*! medalj* formel_1 seger förlust domare golf
/Travel_and_Transportation: resa! resor! resenär* turis*! hotell*! flyg flygplats* tåg! buss tunnelbana station strand! stränder ö öar resmål* semester! kryssning* bagage trafik flygplan*
`;

/** Danish; most of it Norwegian too. */
export const DA = `
/Arts_and_Entertainment: skuespiller*! sanger* musik*! musikk* kunstner* artist* film! filmen biograf* kino instruktør* koncert*! konsert* festival* album sang band teater*! opera serie tv-serie* kendis* museum udstilling* kunst kultur* dans komiker*
/Autos_and_Vehicles: bil! biler! bilen! køretøj*! kjøretøy* motorcykel* motor lastbil* benzin diesel dæk kørekort elbil* autocamper* campingvogn*
/Beauty_and_Fitness: skønhed! skjønnhet makeup! mode! hud hudpleje! kosmetik parfume* hår frisure* negle træning*! fitness! vægttab! kjole*
/Books_and_Literature: bog! bøger! bøker roman! romaner forfatter*! poesi! digter* digt* litteratur! læser* forlag* novelle* boghandel kapitel krimi
/Business_and_Industrial: virksomhed*! bedrift* industri* fabrik* marketing! markedsføring! reklame* iværksætter* kunder produktion landbrug*! landmænd landmand* energi olie logistik byggeri* erhvervsliv*
/Computers_and_Electronics: computer*! datamaskin* software! hardware programmering! udvikler* laptop windows linux android apps teknologi kunstig_intelligens robot* hacker* server printer elektronik
/Finance: bank! banker! finans* lån boliglån! kredit* invester* børs*! aktie*! inflation rente renter skat skatte* forsikring*! opsparing gæld pension* kryptovaluta bitcoin
/Food_and_Drink: opskrift*! oppskrift* madlavning! ingredienser! spiseske* teske* spsk tsk mel sukker smør æg olivenolie hvidløg løg ost kylling kød fisk salat suppe dessert* kage kager brød chokolade vin! vine øl kaffe drikke* restaurant*! kok mad retter ovn smag*
/Food_and_Drink/Cooking_and_Recipes: opskrift*! ingredienser! spsk! tsk! spiseske* teske*
/Games: spil computerspil*! videospil* dataspill* playstation! xbox! nintendo! skak! casino* lotteri poker brætspil*!
/Health: sundhed*! helse* læge*! lege sygehus* hospital* sykehus* sygdom*! sykdom* patient* symptom* behandling* vaccin*! virus corona* covid* pandemi kræft! diabetes operation infektion* smerte* gravid* kost ernæring vitamin* angst depression terapi medicin* sygeplejerske*
/Hobbies_and_Leisure: hobby* strikke*! hækle* sy fiskeri! lystfisk* jagt camping vandre* bryllup*! fødselsdag* jul saml*
/Home_and_Garden: have haven! havearbejde hage planter! møbler! indretning! sofa gardin* madras* badeværelse* soveværelse* renover* varmepumpe*! husholdning* rengøring*
/Internet_and_Telecom: internet! mobil mobiltelefon*! smartphone*! iphone whatsapp! sociale_medier google browser e-mail* bredbånd! wifi hjemmeside*
/Jobs_and_Education: uddannelse*! utdanning* skole! skoler! skolen elev*! studerende! student* lærer*! universitet*! undervisning*! kursus eksamen job! jobs ledige_stillinger rekrutter* løn praktik
/Law_and_Government: regering*! minister*! statsminister* præsident* folketing*! storting* lov love! dommer! domstol* anklager* advokat* dom dømt politi*! anholdt fængsel* valg vælger* kommune* forsvaret militær* hær politik* parti partier borgmester*
/News: nyheder! nyheter! seneste_nyt statsminister* præsident* regering* opposition valg protest* krise trump putin ukraine rusland strejke*
/Online_Communities: forum debat blog facebook twitter instagram tiktok
/People_and_Society: samfund familie forældre! mor far børn barn ægteskab skilsmisse kirke! kirken katolsk* pave* biskop* gud tro religi* muslim* islam! jødisk* kvinder ligestilling! feminis* lgbt* menneskerettigheder! flygtning* migrant* fattigdom frivillig* racisme
/Pets_and_Animals: kæledyr*! hund! hunde! kat katte! dyrlæge*! dyr! fugl fugle hest heste
/Real_Estate: ejendom*! bolig*! lejlighed*! leje lejer* mægler* kvadratmeter
/Reference: ordbog! leksikon! definition betydning grammatik wikipedia oversættelse bibliotek*
/Science: videnskab*! vitenskap* forsker*! forskning! fysik kemi biolog* genetisk* dna celle celler planet* rum rummet rumfart*! nasa! astronaut* satellit* univers* klima* vulkan* jordskælv* dinosaur* matematik*! laboratori*
/Sensitive_Subjects: død! døde dræbt* afdød mord! myrdet lig skyderi! skudt ulykke*! offer ofre såret krig! bombe* angreb* terror* jordskælv* oversvømmelse* voldtægt* overgreb vold! kidnap* selvmord stoffer kokain
/Shopping: køb! købe kjøp* butik! butikker pris priser tilbud rabat* indkøbskurv! kurv levering fragt tøj! sko gave* legetøj smykker
/Sports: fodbold*! fotball* sport! sports* superliga*! mål kamp kampen kampe spiller spillere! træner* hold holdet mester* mesterskab* turnering* pokal vm em straffespark målmand! angriber stadion håndbold*! ishockey*! tennis! ski cykling! cykelløb* atletik* olympisk*! medalje* formel_1 sejr nederlag dommer golf
/Travel_and_Transportation: rejse! rejser! reise* rejsende turis*! hotel*! fly flyv* lufthavn* tog! bus metro station strand! strande ø øer destination* ferie! krydstogt* bagage trafik*
`;

/** German. Most words are beginnings: inflections and compounds go on after them. */
export const DE = `
/Arts_and_Entertainment: nachtclub* clubkultur* reality-tv trennung_von_seiner schauspieler*! sänger* musiker* künstler* kultur promi promis! unterhaltung konzert*! festival* kino*! film! filme! filmen regisseur* bühne* theater*! oper opern* album alben musik*! song songs popstar* rapper* serie serien staffel fernseh* moderator* tv-star* streaming ausstellung* maler gemälde malerei museum kunst* galerie* comedy kabarett* komiker* techno dj djs hollywood premiere drehbuch* soap dschungelcamp podcast* royals prinz prinzessin horoskop* liebes-aus
/Arts_and_Entertainment/Celebrities_and_Entertainment_News: ehe-aus ehezoff trennungsgerücht* promi-paar* promi! promis! promi-* realitystar* reality-star* dschungelcamp! royals! hollywood-star* liebes-aus klatsch*
/Arts_and_Entertainment/Movies: kino*! film! filme! spielfilm* regisseur*! schauspieler* drehbuch* leinwand kinostart blockbuster
/Arts_and_Entertainment/Music_and_Audio: musik*! konzert*! album! alben song! songs! sänger* band bands techno rapper* orchester* gitarre* podcast* schlagzeug* schlager dj
/Arts_and_Entertainment/Performing_Arts: theater*! oper! opern* ballett* schauspielhaus inszenierung* zirkus*
/Arts_and_Entertainment/TV_and_Video: fernseh*! serie! serien! staffel! tv-* quote quoten sendung sender
/Arts_and_Entertainment/Visual_Art_and_Design: gemälde*! malerei! bildhauer* ausstellung*! galerie* fotograf* architekt* grafik*
/Autos_and_Vehicles: auto! autos! autobauer* autofahrer* autohersteller* automobil*! pkw! suv kfz* fahrzeug*! elektroauto*! e-auto* elektromobil* motor motoren motorrad*! motorräder roller lkw lastwagen getriebe diesel benzin tanken hubraum reifen* felgen karosserie werkstatt tuning oldtimer* kombi limousine cabrio vw volkswagen bmw audi mercedes* opel porsche tesla toyota ford skoda gebrauchtwagen neuwagen probefahrt führerschein* wohnmobil* caravan* camper* reichweite ladestation* verbrenner* verkehrsregel* tempolimit bußgeldkatalog
/Autos_and_Vehicles/Campers_and_RVs: wohnmobil*! caravan*! camper* wohnwagen*! reisemobil*
/Autos_and_Vehicles/Motor_Vehicles_(By_Type)/Motorcycles: motorrad*! motorräder! biker
/Autos_and_Vehicles/Vehicle_Parts_and_Services: reifen felgen ersatzteil* werkstatt autoteile
/Autos_and_Vehicles/Bicycles_and_Accessories: fahrrad*! e-bike* rennrad* lastenrad*
/Beauty_and_Fitness: beauty! schönheit* kosmetik*! make-up! lippenstift* wimpern* haut! hautpflege*! gesichtspflege gesichtsbehandlung* pflege creme cremes serum haare haar haarpflege* frisur*! friseur* shampoo parfum* parfüm*! duft düfte nagellack* mode! fashion! outfit*! look looks styling kleid kleider modetrend* designer strick* pullover handtasche* schuhe sneaker fitness*! workout* training abnehmen! diät* yoga* pilates muskel* kraftsport* sport-bh tattoo* piercing* wellness* massage*
/Beauty_and_Fitness/Face_and_Body_Care: hautpflege*! kosmetik*! make-up! lippenstift* gesichtspflege! creme cremes parfum* parfüm* serum gesichtsbehandlung*
/Beauty_and_Fitness/Fashion_and_Style: mode! fashion! outfit*! modetrend*! designer styling kleid* strickmode trendfarbe*
/Beauty_and_Fitness/Fitness: fitness*! workout*! yoga* pilates muskelaufbau* liegestütz* trainingsplan*
/Beauty_and_Fitness/Hair_Care: frisur*! friseur*! shampoo haarpflege*!
/Beauty_and_Fitness/Weight_Loss: abnehmen! kalorien*
/Books_and_Literature: buch! bücher! roman! romane! autor! autorin! autoren schriftsteller*! literatur*! lesen leser leserin leserinnen lesung* verlag* rezension*! gedicht*! lyrik! dichter* erzählung* bestseller* taschenbuch* hörbuch* krimi krimis thriller kapitel fantasy buchhandlung* buchmesse* kurzgeschichte* märchen* protagonist* klappentext isbn
/Books_and_Literature/Poetry: gedicht*! lyrik! dichter*
/Business_and_Industrial: unternehmen*! firma firmen wirtschaft* industrie*! betrieb betriebe handwerk*! mittelstand* mittelständ* vertrieb*! marketing*! werbung kunde kunden kundenbindung management manager* führung führungskraft führungskräfte* mitarbeiter* mitarbeitende* geschäftsführ* gründer* startup* start-up* unternehmer*! produktion maschinenbau* logistik* lieferkette* handel händler großhandel export landwirt*! landwirtschaft*! agrar* bauern ackerbau* düng* traktor* milchvieh* stall ernte getreide energie* strom stromnetz* wasserstoff* windkraft* solar* photovoltaik* erdgas baugewerbe baustelle* chemie* stahl* verpackung* umsatz branche branchen messe* teamarbeit vorstand aufsichtsrat konzern* insolvenz* digitalisierung
/Business_and_Industrial/Advertising_and_Marketing: marketing*! werbung! werbe* marken* kampagne* zielgruppe* werbeagentur*
/Business_and_Industrial/Agriculture_and_Forestry: landwirt*! agrar*! ackerbau* düng*! traktor* milchvieh* kuhstall getreide forstwirt* rinder schweinehalt*
/Business_and_Industrial/Energy_and_Utilities: energiewende! stromnetz* wasserstoff*! windkraft*! photovoltaik*! erdgas kraftwerk* energieversorg*
/Business_and_Industrial/Small_Business: gründer*! gründung* startup*! start-up*! selbstständig* selbständig*
/Business_and_Industrial/Business_Operations: führungskraft! führungskräfte*! mitarbeiterführung personalmanagement* management
/Business_and_Industrial/Shipping_and_Logistics: logistik*! spedition* lieferkette* fracht*
/Computers_and_Electronics: computer*! software*! hardware! laptop* notebook* pc pcs linux! windows ubuntu macos macbook* mac ipad* programmier*! entwickler* code quellcode* datenbank* server betriebssystem* prozessor* grafikkarte* festplatte* ssd usb drucker* scanner tastatur* bildschirm* monitor* kamera kameras kopfhörer* lautsprecher* elektronik* roboter* künstliche_intelligenz ki chatgpt algorithm* it-sicherheit! cyber* hacker*! schadsoftware malware ransomware verschlüssel* update updates datei dateien download* installier* app apps ios android apple microsoft raspberry_pi schaltung* treiber technik* smart_home gadget* cloud datentechnik speicherkarte*
/Computers_and_Electronics/Programming: programmier*! quellcode*! javascript python php sql github compiler*
/Computers_and_Electronics/Computer_Hardware: laptop*! notebook*! prozessor*! grafikkarte*! festplatte*! ssd drucker*! tastatur* arbeitsspeicher mainboard*
/Computers_and_Electronics/Computer_Security: it-sicherheit! cyberangriff*! cyber-angriff* cybersicherheit hacker*! schadsoftware! malware ransomware phishing virenscanner
/Computers_and_Electronics/Software: software*! linux! windows betriebssystem*! app apps update updates
/Computers_and_Electronics/Consumer_Electronics: kopfhörer*! lautsprecher* kamera kameras smartwatch* fernseher*
/Finance: finanz*! bank! banken! sparkasse* kredit*! darlehen*! leasing zins zinsen* zinssatz hypothek* aktie! aktien*! aktionär* börse*! dax fonds etf etfs anleger*! geldanlage* investor* investition* rendite* dividende* versicherung*! versicherer steuer steuern* steuererklärung* finanzamt rente renten* altersvorsorge* sparen konto girokonto* kreditkarte* bitcoin* krypto* währung* inflation* schulden gläubiger* insolvenz* bilanz* buchhalt* wirtschaftsprüf* vermögen finanzierung* ezb notenbank*
/Finance/Banking: bank! banken! sparkasse*! girokonto*! tagesgeld* festgeld*
/Finance/Credit_and_Lending: kredit*! darlehen*! autokredit* baufinanzierung* hypothek*! leasing! ratenkredit*
/Finance/Insurance: versicherung*! versicherer! versicherte* haftpflicht* krankenkasse*
/Finance/Investing: aktie! aktien*! börse*! dax fonds etf etfs anleger*! dividende*! bitcoin* krypto* rendite* kursziel*
/Food_and_Drink: rezept! rezepte!  kochen! koch köche backen! gebacken backofen* küche essen speise speisen gericht_mit zutaten! teelöffel* esslöffel* el tl mehl zucker butter eier sahne milch salz pfeffer zwiebel* knoblauch käse* fleisch* hähnchen* rind rindfleisch lachs fisch suppe suppen salat salate soße sauce dessert* nachtisch kuchen! torte torten! plätzchen! keks kekse brot* teig! nudel* pasta reis kartoffel* gemüse* obst apfel äpfel schokolade* vanille* zimt mandel* wein! weine! weinkeller* winzer* weingut* rotwein* weißwein* bier biere! brauerei* brauer cocktail* whisky kaffee* tee vegan vegane veganer vegetarisch* lecker* köstlich* genuss* kulinar* restaurant* gastronom* wirtshaus frühstück* mittagessen abendessen mahlzeit* snack* süßigkeit* getränk* gewürz* aroma tomate* pilze kürbis* spargel* lebensmittel*
/Food_and_Drink/Cooking_and_Recipes: rezept!  rezepte! zutaten! esslöffel* teelöffel* teig! backofen*! backen! portionen zubereitung! verrühren umrühren plätzchen köcheln
/Food_and_Drink/Beverages: wein! weine! weinkeller* winzer*! weingut! bier! biere! brauerei*! cocktail* whisky kaffee* rotwein* weißwein* dekantieren
/Food_and_Drink/Restaurants: restaurant*! gastronom*! speisekarte* wirtshaus sternekoch*
/Games: clan clans zocker*! e-sports ligaspiel* spiel_des_jahres spiele spieler* gaming! gamer*! videospiel*! computerspiel*! konsole konsolen playstation! xbox! nintendo! ps5 ps4 mmo mmorpg! rpg rollenspiel*! multiplayer gameplay! steam addon quest quests dungeon* esport* e-sport* brettspiel*! kartenspiel*! gesellschaftsspiel*! schach*! puzzle* rätsel* casino* glücksspiel*! lotto* poker minecraft! fortnite pokémon shooter level zocken zocker* patch
/Games/Computer_and_Video_Games: gaming! gamer*! videospiel*! computerspiel*! playstation! xbox! nintendo! mmo mmorpg! gameplay! minecraft! fortnite
/Games/Board_Games: brettspiel*! gesellschaftsspiel*! schach*!
/Games/Gambling: casino*! glücksspiel*! lotto*! spielautomat* sportwette*
/Health: gesundheit*! gesund krankheit*! krank patient*! arzt! ärzt*! medizin*! klinik* krankenhaus* therapie*! behandlung* diagnos* symptom*! schmerz* medikament*! arznei* apotheke* impf*! virus viren corona* covid* infektion* pandemie grippe krebs! tumor* diabetes! allergie* entzündung* blutdruck herzinfarkt* schlaganfall* depression* psych* therapeut* pflege pflegeheim* pflegekräfte schwanger*! geburt hebamme* ernährung* vitamin* nährstoff* darm* immunsystem zahnarzt* zähne hautarzt* übergewicht* demenz* alzheimer chirurg* op nebenwirkung* heilpraktiker* homöopath* burnout
/Health/Health_Conditions: krebs! tumor* diabetes! krankheit*! symptom*! infektion* allergie* entzündung* schlaganfall* herzinfarkt* demenz* corona* covid*
/Health/Mental_Health: depression*! psychotherap*! psychiatr* angststörung* burnout!
/Health/Nutrition: nährstoff*! vitamin*! ernährung*! darmflora
/Health/Reproductive_Health: schwanger*! geburt hebamme*! verhütung*
/Health/Pharmacy: apotheke*! arzneimittel*! medikament*
/Health/Public_Health: impf*! pandemie! epidemie*
/Health/Oral_and_Dental_Care: zahnarzt*! zahnärzt* zähne zahnpflege*
/Hobbies_and_Leisure: angel angelrute* angelsport* angelverein* fischereischein* petri_heil hobby*! basteln! bastel*! handarbeit* stricken häkeln! nähen! schablone* malen diy heimwerk* werken holzwerk* tischler* kreissäge* hobel* drechsel* schnitzen angeln! angler*! fischen fischerei* köder* hecht hechte* karpfen* forelle* jagd*! jäger*! wild camping* zelten wandern wanderung* outdoor* modellbau* modelleisenbahn* sammler* briefmarke* münzen geburtstag*! kindergeburtstag*! hochzeit*! braut brautkleid* weihnacht* ostern halloween silvester party deko_ideen geschenkideen verein vereine pfadfinder* gewinnspiel* freizeit* kostüm*
/Hobbies_and_Leisure/Crafts: basteln! bastel*! handarbeit*! häkeln! nähen! stricken! stricknadel* schnittmuster* holzwerk*
/Hobbies_and_Leisure/Outdoors: angeln! angler*! angelrute* köder* hecht hechte* karpfen* jagd* jäger*! wandern wanderung* camping zelten
/Hobbies_and_Leisure/Special_Occasions: geburtstag*! kindergeburtstag*! hochzeit*! braut brautkleid* weihnacht* silvester halloween
/Home_and_Garden: einrichtungsidee* wohneinrichtung* werkzeugkasten akkuschrauber* heimwerker* garten*! gärten gärtner* pflanze! pflanzen! beet beete rasen* hecke hecken blumen* rosen balkon* terrasse* kompost* gießen saatgut wohnen wohnung_einrichten möbel*! sofa sofas couch bett matratze* teppich* vorhang* lampe* leuchte* wohnzimmer* schlafzimmer* badezimmer* bad küchenzeile* renovier*! sanier*! tapete* streichen wandfarbe* malerrolle* altbau* dämm* heizung*! wärmepumpe*! gasheizung* ölheizung* kamin* ofen fußbodenheizung* fliesen* parkett* laminat dach dachdecker* haushalt* haushaltsgerät* waschmaschine* kühlschrank* spülmaschine* staubsauger* putzen reinigung* bohrmaschine* werkzeug* smart-home swimmingpool* sauna* hausbau*
/Home_and_Garden/Patio,_Lawn_and_Garden: garten*! gärtner*! rasen*! beet! beete! kompost* hecke balkonpflanz* blumen* terrasse*
/Home_and_Garden/HVAC_and_Climate_Control: heizung*! wärmepumpe*! klimaanlage* gasheizung*! heizkörper* thermostat*
/Home_and_Garden/Home_Improvement: renovier*! sanier*! heimwerker* tapete* fliesen* dämm* bohrmaschine*
/Home_and_Garden/Home_Furnishings: möbel*! sofa! sofas couch matratze*! teppich* lampe*
/Home_and_Garden/Home_Appliances: haushaltsgerät*! waschmaschine*! kühlschrank*! spülmaschine*! staubsauger*!
/Internet_and_Telecom: internet*! website* webseite* webdesign* webhosting* homepage_erstellen domain domains browser* online smartphone*! handy*! iphone*! samsung_galaxy telekom! vodafone o2 mobilfunk*! mobile_daten 5g lte wlan* router* breitband* glasfaser*! festnetz e-mail* email* messenger whatsapp! suchmaschine* seo google facebook social_media datenschutz netzpolitik* digitalpolit* virales_marketing youtube sim-karte* telefon*
/Internet_and_Telecom/Mobile_and_Wireless: smartphone*! handy*! iphone*! mobilfunk*! 5g lte sim-karte*
/Internet_and_Telecom/Service_Providers: glasfaser*! breitband*! telekom! vodafone festnetz internetanbieter*
/Internet_and_Telecom/Web_Services: webhosting*! webdesign*! hosting
/Jobs_and_Education: schule! schulen! schüler*! lehrer*! lehrkraft lehrkräfte* unterricht*! universität* uni hochschul* studium! studier*! student* professor* bildung*! ausbildung*! azubi* abitur* prüfung* lernen lernpfad* aufgabe aufgaben übung übungen kita* kindergarten* weiterbildung* seminar* kurs kurse stipendi* promotion job jobs! stellenangebot*! stellenanzeige* bewerb*! bewerbung*! lebenslauf karriere*! gehalt beruf berufe* arbeitgeber* arbeitnehmer* arbeitsmarkt* personalabteilung fachkräfte* praktikum! praktika hausaufgabe* klasse klassen zeugnis*
/Jobs_and_Education/Education: schule! schulen! schüler*! lehrer*! unterricht*! universität*! hochschul*! studium! studier* bildung* abitur* lernpfad*
/Jobs_and_Education/Jobs: stellenangebot*! bewerbung*! lebenslauf! karriere* jobs! gehalt vorstellungsgespräch* arbeitsmarkt*
/Jobs_and_Education/Internships: praktikum! praktika!
/Law_and_Government: gesetz*! recht rechtlich* rechts* gericht*! richter* urteil urteile* anwalt*! anwält* kanzlei* klage klagen kläger* verfassung* strafrecht* strafprozess* staatsanwalt* staatsanwält* polizei*! polizist* justiz* bundestag*! bundesrat bundesregierung*! regierung*! minister*! bundesminister* ministerium kanzler* abgeordnet* fraktion! partei parteien politik* politisch* cdu csu spd fdp grünen afd wahlen wähler* landtag* kommune kommunal* gemeinde bürgermeister* behörde* verwaltung* verordnung* richtlinie* antrag bußgeld* datenschutz-grundverordnung dsgvo bundeswehr*! soldat* nato militär* eu-kommission europäische_union asyl* aufenthalt* staatsangehörigkeit feuerwehr* paragraph* bgh bverfg haftung* vertragsrecht* mietrecht* arbeitsrecht* verkehrsrecht ordnungswidrig* präsident*
/Law_and_Government/Legal: gericht*! urteil! urteile! anwalt*! anwält* kanzlei* klage kläger* strafrecht*! staatsanwalt* bgh! bverfg! paragraph* arbeitsrecht* mietrecht*
/Law_and_Government/Government: bundestag*! bundesregierung*! minister*! bundesminister*! ministerium! landtag*! fraktion! verwaltung* behörde*
/Law_and_Government/Military: bundeswehr*! soldat*! militär*! nato streitkräfte* panzer
/Law_and_Government/Public_Safety: polizei*! polizist*! feuerwehr*! rettungsdienst*
/News: nachricht nachrichten! aktuelle_meldungen eilmeldung* reporter* journalist* zeitung* pressekonferenz* sprecher* regierung* opposition* präsident* bundeskanzler* politiker*! wahlkampf* krise* proteste demonstrat* putin trump biden selenskyj merkel scholz ukraine russland* eu-gipfel sanktionen* koalition* ministerpräsident* dpa afp lokalnachrichten
/News/Politics: politiker*! wahlkampf*! koalition*! bundeskanzler*! opposition* ministerpräsident* parteitag* landtagswahl* bundestagswahl* umfrage
/News/Weather: wetter! wettervorhersage* unwetter* regen schneefall* gewitter* hitzewelle* temperaturen
/News/World_News: außenminister* vereinte_nationen eu-gipfel ukraine diplomat* sanktionen*
/Online_Communities: forum! foren blog blogs blogger* thread themen beitrag beiträge mitglied_seit registriert facebook instagram tiktok twitter community partnersuche singlebörse* dating
/Online_Communities/Social_Networks: facebook instagram tiktok twitter influencer* follower
/Online_Communities/Dating_and_Personals: partnersuche! singlebörse*! dating partnervermittlung*
/People_and_Society: ehe ehen ehepaar* ehefrau* ehemann* eheleute transgender* transsexuell* intergeschlechtlich* gesellschaft* familie familien* eltern! kinder kind mutter mütter vater väter baby babys beziehung* partnerschaft* scheidung* jugend* jugendliche* senioren* kirche! kirchen! kirchlich* christ christen* christlich* katholi*! evangelisch* papst! bischof* pfarrer* priester gott glaube* glauben gebet* bibel* jesus predigt* islam*! muslim*! moschee* imam koran juden jüdisch* synagoge religion*! religiös* theolog* ethik* moral gender* feminis* gleichstellung* gleichberechtigung lgbt* queer* intersex* schwul* lesbisch* homosexuell* diskriminier* rassis* flüchtling* migrant* migration* integration* menschenrecht* ehrenamt* spenden hilfsorganisation* armut obdachlos* philosoph* soziolog* psycholog* radikalisier* antisemit* demokratie engagement inklusion* behinderung*
/People_and_Society/Religion_and_Belief: kirche! kirchen katholi*! evangelisch* papst! bischof*! pfarrer* gott bibel* jesus islam*! muslim*! moschee* religion*! religiös* theolog* glaube gebet*
/People_and_Society/Family_and_Relationships: ehe ehen ehepaar* eheleute eltern! familie! mutter vater baby babys beziehung* partnerschaft* scheidung* erziehung*
/People_and_Society/Social_Issues_and_Advocacy: diskriminier*! rassis*! flüchtling* menschenrecht*! ehrenamt* feminis* gleichstellung* obdachlos* queer* lgbt* inklusion*
/Pets_and_Animals: haustier*! hund! hunde! hündin welpe* katze! katzen! kater kitten tier tiere! tierarzt* tierheim* tierschutz* fell futter hundefutter* katzenfutter* pferd pferde! reiter* kaninchen* hamster* meerschwein* aquarium* aquarist* vogel vögel! wildtier*! wolf wölfe bär bären zoo* elefant* insekten bienen rasse züchter* leine katzenklo freigänger*
/Pets_and_Animals/Pets: haustier*! hund! hunde! katze! katzen! welpe*! kater kaninchen* hamster* katzenklo tierarzt*
/Pets_and_Animals/Wildlife: wildtier*! wölfe elefant* zoo* artenschutz*
/Real_Estate: immobilie*! immobilien*! makler*! wohnung wohnungen! eigentumswohnung*! miete! mieten vermiet*! mieter* kaltmiete! grundstück* wohnfläche quadratmeter* hauskauf* kaufpreis* neubau* exposé wohnungsmarkt* bauträger* eigenheim*
/Real_Estate/Real_Estate_Listings: kaltmiete! exposé wohnfläche! zimmerwohnung
/Reference: wörterbuch*! lexikon*! enzyklopäd*! wikipedia! definition bedeutung synonym* übersetzung* grammatik*! rechtschreibung* vokabel* museum museen archiv* bibliothek* geschichte historisch* landkarte* stadtplan* branchenbuch* telefonbuch*
/Reference/Language_Resources: wörterbuch*! grammatik*! synonym* vokabel* übersetzung* rechtschreibung*
/Reference/Libraries_and_Museums: museum! museen! bibliothek*!
/Science: wissenschaft*! forsch*! forscher*! studie physik*! physiker* chemie*! chemiker* chemisch* molekül* atom atome* atomkern* quanten* teilchen* biolog*! gene genetik* genom dna zelle zellen* protein* bakterien evolution* fossil* dinosaurier* klimawandel*! klima* co2 ökosystem* ökolog* artenvielfalt geolog* erdbeben vulkan* astronom*! weltraum*! weltall raumfahrt*! nasa esa rakete* satellit* planet planeten* mars mond sterne galaxie* teleskop* mathemat*! geometrie* quader* prisma prismen* gleichung* statistik* labor experiment* hypothese* mikroskop* neuro* isotop* universum
/Science/Astronomy: astronom*! weltraum*! raumfahrt*! nasa esa planet planeten* galaxie* teleskop* mars mond rakete*
/Science/Biological_Sciences: biolog*! genetik* genom dna bakterien evolution* protein*
/Science/Physics: physik*! physiker*! quanten* teilchen* atomkern*
/Science/Chemistry: chemie*! chemiker*! molekül*! chemisch*
/Science/Mathematics: mathemat*! geometrie*! gleichung*! quader* volumen algebra
/Science/Ecology_and_Environment: klimawandel*! klimaschutz*! ökosystem*! umweltschutz* artenvielfalt naturschutz*
/Sensitive_Subjects: mord! morde* mörder* getötet* tot tote toter toten! leiche*! tödlich* gestorben schuss schüsse* schießerei* messer messerangriff* anschlag*! terror* krieg! kriegs* angriff* bombe* explosion* unfall*! verunglückt* erdbeben hochwasser* flut überschwemmung* katastrophe* vergewaltig*! missbrauch*! gewalt*! entführ* geisel* suizid* selbstmord* drogen*! kokain heroin cannabis* waffe waffen* amoklauf* opfer verletzt*
/Sensitive_Subjects/Accidents_and_Disasters: unfall*! verunglückt* erdbeben! hochwasser*! überschwemmung* katastrophe*! flugzeugabsturz* waldbrand*
/Sensitive_Subjects/Violence_and_Abuse: mord! mörder* vergewaltig*! missbrauch*! messerangriff* schießerei* amoklauf*
/Sensitive_Subjects/War_and_Conflict: krieg! bombardier* luftangriff* terroranschlag* waffenruhe
/Sensitive_Subjects/Recreational_Drugs: kokain! heroin! cannabis*! marihuana drogenhandel
/Shopping: kaufen! warenkorb! shop! online-shop! onlineshop! versand! versandkosten*! lieferung* bestellen rabatt*! gutschein*! angebot angebote schnäppchen* sale artikelnummer* lieferzeit* preis preise preisvergleich* kleidung! schuhe hemd hemden hose hosen jacke jacken t-shirt* schmuck! kette armband ohrringe geschenk! geschenke! geschenkidee* geschenkset* spielzeug*! produkt produkte marke marken größe größen kundenbewertung* rückgabe* mwst auktion* antiquität* black_friday
/Shopping/Apparel: kleidung! hemd hemden! hose hosen jacke jacken schuhe! schmuck! t-shirt* handtasche* unterwäsche
/Shopping/Gifts_and_Special_Event_Items: geschenk! geschenke! geschenkidee*! gift_guide
/Shopping/Toys: spielzeug*! puppen plüsch*
/Sports: bundesligist* aufstieg abstieg fanclub* fans eintracht ligaspiel* radtour* fahrrad* sport! sportler*! sportverein* fußball*! bundesliga*! tor tore torwart* torhüter* stürmer* mittelfeld* trainer! trainerin mannschaft*! spieler spielerin elfmeter! liga! champions_league! dfb uefa fifa wm em weltmeister*! europameister* meisterschaft*! turnier*! pokal* sieg siegte gewann niederlage* halbzeit* tabelle tabellenführer* handball*! basketball*! eishockey*! tennis*! volleyball* golf golfer* leichtathlet* schwimm* olympi*! medaille* formel_1! radsport*! rennrad* radfahr* mountainbike*! mtb! bike bikes biken tour_de_france ski skifahr* skirennen snowboard* biathlon* bergsteig* kletter* marathon* läufer* boxen boxer* ringen judo reiten turnen satz_gewonnen stadion* saison* athlet* trails strava tubeless davis_cup grand_slam schiedsrichter* verein
/Sports/Team_Sports: fußball*! bundesliga*! handball*! basketball*! eishockey*! volleyball* torwart* elfmeter! stürmer* champions_league!
/Sports/Team_Sports/Soccer: fußball*! bundesliga*! torwart*! elfmeter*! stürmer*! champions_league! dfb uefa
/Sports/Individual_Sports: tennis*! golf leichtathlet*! radsport*! mountainbike*! mtb! rennrad* marathon* grand_slam! turnen
/Sports/Motor_Sports: formel_1! grand_prix! motogp rennfahrer* rallye*
/Sports/Winter_Sports: skirennen! biathlon*! snowboard*! skispring* eiskunstlauf*
/Sports/Combat_Sports: boxen! boxer* judo! boxkampf*
/Sports/International_Sports_Competitions: olympi*! weltmeister* paralymp*
/Travel_and_Transportation: reise! reisen! reisende* urlaub*! tourismus*! tourist* hotel*! unterkunft* unterkünfte ferienwohnung*! ferienhaus* flug! flüge! flughafen* airline* fluggesellschaft* bahn! zug züge bahnhof* deutsche_bahn ice fahrplan* bus busse nahverkehr* öpnv fähre* kreuzfahrt*! strand strände! insel inseln sehenswürdigkeit*! altstadt! ausflug* ausflugsziel* stadtführung* therme* thermen wellnesshotel* reiseziel*! reiseführer* reisetipp* rundreise* pauschalreise* koffer* buchen wanderweg* küste metropole* backpack* stau verkehr* radweg* nationalpark*
/Travel_and_Transportation/Hotels_and_Accommodations: hotel*! unterkunft! unterkünfte! ferienwohnung*! ferienhaus*! wellnesshotel* pension
/Travel_and_Transportation/Tourist_Destinations: sehenswürdigkeit*! strand strände! altstadt! ausflugsziel*! freizeitpark* nationalpark*
/Travel_and_Transportation/Transportation: bahn! bahnhof*! fahrplan*! nahverkehr*! öpnv! flughafen* airline* zug züge straßenbahn* u-bahn*
`;
