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
