/** Finnish. */
export const FI = `
/Arts_and_Entertainment: näyttelij*! laulaja* musiik*! muusik* artist* elokuva*! ohjaaja konsert*! festivaali* albumi* kappale bändi* teatter*! ooppera sarja tv-sarja* julkkis*! museo* näyttely* taide taiteilija* kulttuuri* tanssi*
/Autos_and_Vehicles: auto! autot autoja autoilu! ajoneuvo*! moottoripyör*! moottori kuorma-auto* bensiini* diesel renkaat ajokortti sähköauto*! asuntoauto*
/Beauty_and_Fitness: kauneus! meikki*! muoti! muodin iho ihonhoito! kosmetiik* hajuve* hiukset kampau* kynnet kuntosali*! treeni* laihdut*! mekko
/Books_and_Literature: kirja! kirjat kirjoja kirjan romaani*! kirjailija*! runo* kirjallisuu*! lukija* kustantaja* novelli* kirjakaup* luku dekkari*
/Business_and_Industrial: yritys! yrityks* yrittäj*! teollisuu* tehdas tehtaan markkinoi* mainos* asiakka* tuotan* maatalou* maanviljel* energia öljy logistiik* rakennus*
/Computers_and_Electronics: tietokone*! ohjelmisto*! ohjelmoin*! kehittäjä* kannettava windows linux android sovellus* sovelluks* teknologia* tekoäly*! robot* hakkeri* palvelin tulostin elektroniik*
/Finance: pankki! pankin rahoitu* laina lainaa asuntolaina*! luotto* sijoit*! pörssi*! osake osakkee* inflaatio korko korot vero verot vakuutu*! säästä* velka velat eläke* kryptovaluut* bitcoin
/Food_and_Drink: resepti*! ruoka! ruoan ruuan ainekset! ruokalusikal* teelusikal* rkl tl jauho* sokeri* voi munaa kananmun* valkosipuli* sipuli* juusto* kana liha kala salaatti* keitto* jälkiruo* kakku* leipä suklaa* viini*! olut! oluet kahvi* juoma* ravintola*! kokki uuni* maku
/Food_and_Drink/Cooking_and_Recipes: resepti*! ainekset! rkl! uuni*
/Games: peli pelit! videopeli*! tietokonepeli* playstation! xbox! nintendo! shakki*! kasino* lotto* pokeri lautapeli*!
/Health: terveys! terveyd* lääkäri*! sairaala* sairaus! sairau* potila* oire* hoito rokot*! virus korona* covid* pandemia syöpä! diabetes leikkau* infektio* kipu raskau* ravitsemu* vitamiini* masennu* terapia* lääke lääkk* hoitaja*
/Hobbies_and_Leisure: harrastu*! askartel*! neulo* virkka* ompel* kalastu*! metsästy*! retkeily*! vaellu* häät syntymäpäiv* joulu* keräil*
/Home_and_Garden: puutarha*! kasvit! kasveja huonekalu*! sisustu*! sohva verhot patja kylpyhuone* makuuhuone* remont* lämpöpumppu*! lämmitys siivou*
/Internet_and_Telecom: internet* netti puhelin älypuhelin*! iphone whatsapp! sosiaalinen_media google selain laajakaista*! operaattori*
/Jobs_and_Education: koulutu*! koulu! koulut koulun oppila*! opiskelij*! opettaj*! yliopisto*! kurssi* tentti ylioppila* työpaik*! avoimet_työpaikat rekrytoi* palkka
/Law_and_Government: hallitu*! ministeri*! pääministeri* presidentti* eduskun*! kansanedustaj* laki lain tuomari* oikeus oikeude* käräjä* syyttäj* asianajaj* tuomi* rikos rikoks* poliisi*! pidätet* vankila* vaali* äänest* kunta kunnan armeija puolustusvoim* poliitti* politii* puolue*
/News: uutiset! uutisia pääministeri* presidentti* hallitu* oppositio* vaalit mielenosoitu* kriisi* trump putin ukraina* venäjä* lakko
/Online_Communities: foorumi* keskustelupalsta* blogi* facebook twitter instagram tiktok
/People_and_Society: yhteiskun* perhe* vanhem* äiti isä lapset lapsi avioliit* avioero* kirkko! kirkon katoli* paavi* piispa* jumala* usko* uskonno* muslimi* islam* naiset tasa-arvo! feminis* ihmisoikeu*! pakolai* siirtolai* köyhyy* vapaaehtoi* rasismi*
/Pets_and_Animals: lemmik*! koira*! kissa*! eläinlääkär*! eläin eläimet! eläimiä lintu linnut hevo*
/Real_Estate: kiinteistö*! asunto! asunnot! vuokra* kiinteistönvälit* neliömet*
/Reference: sanakirja*! tietosanakirja*! määritelmä kielioppi* wikipedia käännö* kirjasto*
/Science: tiede! tieteelli*! tutkija*! tutkimu* fysiik* kemia* biologi* dna solu solut planeet* avaruu*! nasa! astronaut* satelliit* maailmankaikkeu* ilmasto* tulivuor* maanjäristy* dinosauru* matemati* laboratori*
/Sensitive_Subjects: kuoli! kuollu* kuolema* surma* murha*! tapettu* ruumi* ampumi* ammuttu* onnettomuu*! uhri* loukkaantu* sota! sodan pommi* hyökkäy* terrori* tulva* raiskau* väkival*! itsemurh* huume*
/Shopping: osta! ostaa kauppa! verkkokaupp*! hinta hinnat tarjou* alennu* ostoskori! toimitu* vaatteet! kengät lahja* lelu* korut
/Sports: jalkapallo*! urheilu*! maali maalin ottelu*! pelaaja*! valmentaj*! joukkue* mestar* turnau* cup mm-kisat maalivah*! hyökkääj* jääkiekko*! koripallo*! tennis! hiihto* hiihtäj* pyöräil* yleisurheil* olympia*! mitali* formula_1 voitto tappio liiga
/Travel_and_Transportation: matka matkat! matkailu*! matkust*! turist* hotelli*! lento lennot lentokenttä* lentoase* juna! junat bussi* metro asema ranta rannat! saari loma lomat! risteily* matkatavara* liikenne lentokone*
`;

/** Turkish. */
export const TR = `
/Arts_and_Entertainment: oyuncu* şarkıcı* müzik*! müzisyen* film*! sinema*! yönetmen* konser* festival* albüm* şarkı* tiyatro*! dizi* televizyon* ünlü* müze* sergi* sanat* kültür*
/Food_and_Drink: tarif* malzeme* yemek! yemekler şeker un tereyağı yumurta sarımsak soğan peynir tavuk et balık salata çorba tatlı kek ekmek çikolata şarap bira kahve restoran*! mutfak lezzet*
/Health: sağlık*! doktor* hastane* hastalık*! hasta hastalar belirti* tedavi*! aşı* virüs* koronavirüs* covid* kanser*! diyabet ameliyat* enfeksiyon* ilaç*
/Law_and_Government: hükümet*! cumhurbaşkan* bakan bakanı bakanlığı! meclis* milletvekil* yasa* kanun* mahkeme*! yargı* savcı* avukat* polis* tutuklan* ordu asker* seçim* siyas* parti*
/News: haber haberler! haberi son_dakika! cumhurbaşkan* muhalefet seçim* kriz*
/Science: bilim*! araştırmacı* fizik* kimya* biyolog* dna hücre* gezegen* uzay*! nasa uydu* iklim* yanardağ* deprem* dinozor* matematik*
/Sensitive_Subjects: öldü! ölüm* öldür*! cinayet*! kaza kazası ceset yaralı* savaş*! saldırı* bomba* terör*
/Shopping: satın sepet! indirim* fiyat* kargo! mağaza* alışveriş!
/Sports: futbol*! spor*! gol maç*! oyuncu* antrenör* teknik_direktör* takım* şampiyon* turnuva* kupa* basketbol*! voleybol* tenis* olimpi* madalya* lig
/Travel_and_Transportation: seyahat*! turist* turizm* otel*! uçuş* uçak* havaalan* havalimanı tren* otobüs* metro yolcu* plaj* ada tatil*!
`;

/** Indonesian. */
export const ID = `
/Arts_and_Entertainment: aktor aktris penyanyi! musik! musisi artis! film! bioskop sutradara konser! festival album lagu teater drama serial televisi selebriti! museum pameran seni seniman budaya
/Food_and_Drink: resep! bahan-bahan masak memasak! tepung gula mentega telur bawang keju ayam daging ikan salad sup kue roti cokelat anggur bir kopi minuman restoran! makanan! kuliner!
/Health: kesehatan! dokter! rumah_sakit! penyakit! pasien gejala! pengobatan vaksin* virus corona covid* kanker! diabetes operasi infeksi obat
/Law_and_Government: pemerintah! presiden menteri! kementerian dpr! undang-undang! hukum hakim! pengadilan! jaksa polisi! ditangkap tentara militer pemilu! politik partai gubernur bupati
/News: berita! terkini presiden pemilu krisis demo
/Science: ilmu ilmuwan! peneliti! penelitian fisika kimia biologi dna sel planet! luar_angkasa! antariksa! nasa satelit iklim gunung_berapi gempa dinosaurus matematika
/Sensitive_Subjects: tewas! meninggal pembunuhan! dibunuh kecelakaan! korban perang! serangan bom teroris
/Shopping: beli! toko harga! diskon! keranjang ongkir
/Sports: sepak_bola! sepakbola! olahraga! gol pertandingan! pemain! pelatih tim juara! turnamen piala! basket bulu_tangkis! tenis olimpiade! medali liga
/Travel_and_Transportation: perjalanan! wisata! wisatawan! turis hotel! penerbangan! pesawat bandara! kereta bus penumpang pantai! pulau liburan!
`;

/** Russian. */
export const RU = `
/Arts_and_Entertainment: актёр* актер* актрис* певец певц* певиц* музык*! музыкант* артист* фильм*! кино! кинотеатр* режиссёр* режиссер* концерт*! фестивал* альбом* песн* театр*! опер* сериал*! телевид* телеканал* звезд* шоу музей музе* выставк* художник* картин* искусств* культур* танц* комеди* аниме
/Autos_and_Vehicles: автомобил*! авто! автомоби* машин* мотоцикл*! двигател* грузовик* бензин* дизел* шины шин водител* гибдд электромобил* внедорожник* седан*
/Beauty_and_Fitness: красот* макияж*! мода! моды модн* кож* косметик*! парфюм*! духи волос* причёск* стрижк* маникюр* фитнес*! тренировк* похуде*! платье*
/Books_and_Literature: книг*! роман романа романы! писател*! автор поэзи*! поэт* стих стихи! литератур*! читател* издательств* рассказ* глава фанфик*
/Business_and_Industrial: компани*! бизнес*! предприят* промышлен* завод* маркетинг*! реклам* предпринимат* клиент* производств* сельск* фермер* урожа* энерг* нефт* газ логистик* строительств* поставщик*
/Computers_and_Electronics: компьютер*! программн* программиров*! программист* ноутбук*! процессор* видеокарт* windows linux android приложени* технолог* искусственн* робот* хакер* сервер* принтер* электроник* аккумулятор* запчаст* дисплей*
/Finance: банк*! финанс* кредит*! ипотек*! инвест* бирж*! акции акций инфляц* рубл* доллар* курс_валют налог* страхов* вклад* долг* пенси* криптовалют*! биткоин*
/Food_and_Drink: рецепт*! готовить кулинар*! ингредиент*! ложк* мук* сахар* масл* яйц* чеснок* лук сыр* курин* куриц* мяс* рыб* салат* суп* десерт* пирог* торт* хлеб* шоколад* вино! вина пиво! кофе напит* ресторан*! шеф-повар* еда еды блюд* духовк* вкус* продукт*
/Food_and_Drink/Cooking_and_Recipes: рецепт*! ингредиент*! ложк* духовк* приготовлени*
/Games: видеоигр*! компьютерн_игр* игровой геймер*! playstation! xbox! nintendo! шахмат*! казино! лотере* покер
/Health: здоровь*! врач*! медицин*! больниц*! болезн*! заболеван*! пациент* симптом*! лечени* вакцин*! вирус* коронавирус* covid* пандеми* рак диабет* операци* инфекц* боль беременн* диет* питани* витамин* депресси* терапи* лекарств* аптек*
/Hobbies_and_Leisure: хобби! рукодели*! вязани*! шить рыбалк*! охот* поход* кемпинг* свадьб*! невест* рождени* рождеств* коллекц*
/Home_and_Garden: сад садов* огород*! растени* мебел*! интерьер*! диван* шторы матрас* ванн* спальн* ремонт* отоплени* уборк*
/Internet_and_Telecom: интернет! мобильн* телефон* смартфон*! iphone whatsapp! telegram социальн_сет* google яндекс браузер* провайдер* wi-fi сайт сайта
/Jobs_and_Education: образовани*! школ*! школьник* ученик* студент*! учител*! преподавател* университет*! вуз вузы урок* экзамен* егэ диплом* работа вакансии! вакансий резюме! зарплат*
/Law_and_Government: правительств*! президент* министр*! министерств* госдум*! дума депутат*! сенат* закон*! суд суда судья! прокурор*! прокуратур* адвокат* приговор* преступлен* полици*! задержа* арест* тюрьм* выбор* губернатор* мэр* арми* военн* указ* политик* политическ* парти*
/News: новости! новостей президент* правительств* оппозиц* выборы санкци* протест* кризис* трамп* путин* украин* росси* забастовк* заявил* сообщает сообщил* тасс риа_новости
/News/Politics: путин* госдум* оппозиц*! выборы! депутат*
/Online_Communities: форум*! блог* вконтакте facebook instagram знакомств*
/People_and_Society: обществ* семь* родител*! мать отец дет* брак развод* церков*! церкв* православн*! христиан* папа_римский бог бога вера религи*! мусульман* ислам* женщин* гендер* феминис* лгбт* прав_человека беженц* мигрант* бедност* волонтёр* волонтер*
/Pets_and_Animals: собак*! кошк*! кот котёнок котят* щенк* ветеринар*! животн*! птиц* лошад* зоопарк*
/Real_Estate: недвижимост*! квартир*! аренд* жиль* ипотек* новостройк*! застройщик*
/Reference: словар*! энциклопеди*! определение грамматик* википеди* перевод библиотек*
/Science: наук*! научн*! учён*! учен* исследовател* физик* хими* биолог* генетическ* днк клетк* планет*! космос*! космическ*! наса nasa астронавт* космонавт* спутник* вселенн* климат* вулкан* землетрясен* динозавр* математик* лаборатор*
/Sensitive_Subjects: погиб*! смерт*! умер* убийств*! убит* убил* труп* стрельб* застрел* дтп! авари* жертв* ранен* войн*! бомб* атак* теракт*! террор* землетрясен* наводнен* изнасилован* насили* похищ* самоубийств* наркотик* обстрел*
/Shopping: купить! магазин*! интернет-магазин*! цена цены! ценам скидк*! корзин*! доставк*! товар*! одежд* обувь подарк* игрушк* распродаж*
/Sports: футбол*! спорт*! гол голы матч*! игрок* тренер*! команд* сборн* чемпион*! турнир* кубок кубка пенальти вратар*! нападающ* стадион* хоккей* хоккеист* баскетбол*! теннис*! бокс боксёр* велос* атлет* олимпи*! медал* формул* победа побед* поражен* лига лиги
/Sports/Team_Sports: футбол*! хоккей*! хоккеист* баскетбол*! волейбол*
/Travel_and_Transportation: путешеств*! турист*! туризм* отель отел*! гостиниц* рейс* аэропорт* поезд*! автобус* метро пассажир* пляж*! остров* отпуск* круиз* багаж авиакомпани* самолёт* самолет* транспорт*
`;

/** Ukrainian. */
export const UK = `
/Arts_and_Entertainment: актор* актрис* співак* співачк* музик*! музикант* фільм*! кіно! режисер* концерт*! фестивал* альбом* пісн* театр*! серіал*! телебачен* зірк* музе* виставк* художник* мистецтв* культур*
/Food_and_Drink: рецепт*! інгредієнт*! цукор цукр* борошн* сир м'яс* риб* салат* суп* пиво вино кава ресторан*! їжа їжі страв* смак*
/Health: здоров*! лікар*! медицин*! лікарн* хвороб*! захворюван* пацієнт* симптом*! лікуван* вакцин*! вірус* коронавірус* covid* інфекці* операці*
/Law_and_Government: уряд*! президент* міністр*! парламент* депутат*! закон*! суд суду суддя прокурор* поліці*! армі* військов* вибор* політик* політичн* парті*
/News: новини! президент* уряд* вибори протест* санкці*
/Science: наук*! науков*! вчен* дослідник* фізик* хімі* біолог* днк клітин* планет*! космос* космічн*! супутник* клімат* вулкан* землетрус* динозавр* математик*
/Sensitive_Subjects: загинул*! смерт* вбивств*! вбит* жертв* поранен* війн*! обстріл* вибух*
/Sports: футбол*! спорт*! гол голи матч*! гравець гравц* тренер*! команд* чемпіон*! турнір* кубок олімпі*! теніс* медал*
/Travel_and_Transportation: подорож*! турист*! готел*! рейс* аеропорт* поїзд* потяг* автобус* метро пасажир* пляж* острів літак*
`;

/** Polish. */
export const PL = `
/Arts_and_Entertainment: aktor* aktork* piosenkar* muzyk*! muzyczn* artyst* film! filmy! filmu kino! kina reżyser* koncert*! festiwal* album* piosenk* zespół teatr*! opera serial*! telewizj* gwiazd* celebryt* muzeum wystaw* malarz* obraz sztuk* kultur* taniec komedi*
/Autos_and_Vehicles: samochod*! samochód! auto! auta! pojazd*! motocykl*! silnik* ciężarów* benzyn* diesel opon* kierowc* warsztat prawo_jazdy
/Beauty_and_Fitness: uroda! urody makijaż*! moda! mody skór* kosmetyk*! perfum*! włos* fryzur* paznokci* siłowni* ćwiczeni* trening* odchudzan*! sukienk*
/Books_and_Literature: książk*! powieś*! pisarz* autor autorka poezj*! poet* wiersz* literatur*! czytelnik* wydawnictw* opowiadani* księgarni* rozdział
/Business_and_Industrial: firma firmy! firm przedsiębior*! przemysł* fabryk* marketing*! reklam* klient* produkcj* rolnic* rolnik* energi* ropa logistyk* budow* biznes*
/Computers_and_Electronics: komputer*! oprogramowani*! programowani*! programist* laptop* windows linux android aplikacj* technologi* sztucznej_inteligencji robot* haker* serwer* drukark* elektroni*
/Finance: bank! banki banku finans* kredyt*! pożyczk*! hipote* inwest* giełd*! akcje akcji inflacj* stop_procentowych podat* ubezpieczeni*! oszczędno* dług* emerytur* kryptowalut* bitcoin*
/Food_and_Drink: przepis*! gotowa* kuchni* składnik*! łyżk* łyżecz* mąk* cukier cukru masł* jajk* czosn* cebul* ser sera kurczak* mięs* ryb* sałatk* zup* deser* ciast*! chleb* czekolad* wino wina! piwo! piwa kaw* napój napoj* restauracj*! danie dania piekarnik* smak*
/Food_and_Drink/Cooking_and_Recipes: przepis*! składnik*! łyżk* piekarnik*
/Games: gry_komputerowe! gracz* gra gier konsol* playstation! xbox! nintendo! szach*! kasyn* loteri* poker planszów*!
/Health: zdrowi*! zdrowot* lekarz*! medycyn* szpital*! chorob*! pacjent* objaw*! leczeni* szczepi*! wirus* koronawirus* covid* pandemi* rak raka nowotw* cukrzyc* operacj* zakażeni* ból ciąż* diet* witamin* depresj* terapi* lek leki aptek*
/Hobbies_and_Leisure: hobby majsterkow* szydełk* wędkar*! polowani* kemping* wędrówk* ślub*! wesel* urodzin* święta kolekcj*
/Home_and_Garden: ogród! ogrod*! roślin* mebl*! wnętrz*! kanap* zasłon* materac* łazienk* sypialni* remont* ogrzewani* sprzątani*
/Internet_and_Telecom: internet*! telefon* smartfon*! iphone whatsapp! media_społecznościowe google przeglądark* operator* wi-fi strona_internetowa
/Jobs_and_Education: edukacj*! szkoł*! uczni* student*! nauczyciel*! uniwersytet*! uczelni* lekcj* kurs* egzamin* matur* praca pracy oferty_pracy! rekrutacj* wynagrodzeni*
/Law_and_Government: rząd*! prezydent* minister*! ministr* sejm*! senat* poseł posł* ustaw*! prawo sąd sądu! sędzi* prokurat*! adwokat* wyrok* przestępst* policj*! policjan* zatrzym* więzieni* wybor* wyborcz* burmistrz* gmin* wojsk* armi* polity* parti*
/News: wiadomości! aktualności prezydent* premier* rząd* opozycj* wybory protest* kryzys* tusk kaczyńsk* trump* putin* ukrain* rosj* strajk*
/Online_Communities: forum! blog* facebook twitter instagram tiktok randki
/People_and_Society: społecz* rodzin* rodzic* matk* ojciec dzieci małżeństw* rozwód kości* katolic*! papież* biskup* bóg boga wiar* religi* muzułma* islam* kobiet* feminis* lgbt* praw_człowieka uchodźc* migrant* ubóstw* wolontari*
/Pets_and_Animals: pies psy psów! kot koty! weterynar*! zwierz*! ptak* koń konie zoo
/Real_Estate: nieruchomoś*! mieszkani*! wynajem! wynajm* czynsz* deweloper* metr_kwadratowy
/Reference: słownik*! encyklopedi*! definicj* gramatyk* wikipedi* tłumaczeni* bibliotek*
/Science: nauk* naukow*! naukowiec naukowc*! badacz* fizyk* chemi* biolog* genety* dna komór* planet*! kosmos* kosmiczn*! nasa! astronaut* satelit* wszechświat* klimat* wulkan* trzęsieni* dinozaur* matematy* laborator*
/Sensitive_Subjects: śmier*! zmarł* zginę*! zabójst*! zabit* morder* zwłok* strzelanin* wypad* wypadek! ofiar* rann* wojn*! bomb* atak* zamach* terror* powód* gwałt* przemoc* porwa* samobój* narkotyk*
/Shopping: kupić! sklep*! cena ceny! promocj* rabat* koszyk! wysyłk* dostaw* odzież! ubrani* buty prezent* zabawk* biżuteri*
/Sports: piłk*! sport*! gol gole bramk* mecz*! zawodni* trener*! drużyn* reprezentacj* mistrz* turniej* puchar* karny napastnik* stadion* siatków*! koszyków*! tenis*! boks* kolar* lekkoatlet* olimpi*! medal* formuł* zwycięst* poraż* liga ligi żużel*
/Travel_and_Transportation: podróż*! turyst*! hotel*! lot loty lotnisk* pociąg*! autobus* metro pasażer* plaż*! wysp* wakacj*! rejs* bagaż linie_lotnicze samolot* transport*
`;

/** Czech and, in part, Slovak. */
export const CS = `
/Arts_and_Entertainment: herec herečk* zpěv* hudb*! hudebn* film! filmy filmu kino režis* koncert* festival* album* píseň písn* divadl*! opera seriál* televiz* muzeum výstav* malíř* umění kultur*
/Food_and_Drink: recept*! ingredienc*! lžíc* mouk* cukr* máslo vejce česnek sýr kuře maso ryb* salát* polévk* dort* víno! pivo! káva restaurac*! jídl* chuť
/Health: zdrav* lékař*! nemocnic* nemoc*! onemocněn* pacient* příznak* léčb* vakcín* očkován* virus* koronavirus* covid* rakovin* infekc* operac*
/Law_and_Government: vlád*! prezident* ministr*! parlament* poslan* zákon*! soud* policie! policist* armád* volb* politi* stran*
/News: zprávy! premiér* vlád* volby protest* krize
/Science: věd* vědec* vědci! výzkum* fyzik* chemi* biolog* dna buň* planet* vesmír*! nasa družic* klima* sopk* zemětřesen* dinosaur* matemat*
/Sensitive_Subjects: smrt* zemřel* vražd*! zabit* oběti nehod* válk*! útok*
/Shopping: koupit! obchod* cena sleva! košík! doprava_zdarma
/Sports: fotbal*! sport* gól* zápas*! hráč* trenér*! tým mistr* turnaj* pohár hokej*! tenis*! olymp* medail* liga
/Travel_and_Transportation: cest* turist*! hotel*! let letišt* vlak*! autobus* metro cestující* pláž* ostrov* dovolen*! letadl*
`;

/** Japanese. Words are found wherever they stand: the writing does not part them. */
export const JA = `
/Arts_and_Entertainment: 俳優! 女優! 歌手! 音楽! 映画! 監督 コンサート! ライブ アルバム 楽曲 バンド アニメ! 漫画! マンガ! ドラマ! テレビ番組 芸能! タレント! アイドル! お笑い 美術館! 展覧会 芸術 演劇 舞台 文化 ミュージカル 声優
/Arts_and_Entertainment/Comics_and_Animation: アニメ! 漫画! マンガ! コミック!
/Autos_and_Vehicles: 自動車! クルマ! 車両 バイク! エンジン トヨタ ホンダ 日産 電気自動車 タイヤ 運転 ガソリン 新型車
/Beauty_and_Fitness: 美容! メイク! コスメ! 化粧品! スキンケア! 香水 ヘアスタイル ネイル ファッション! ダイエット! 筋トレ! フィットネス! ヨガ
/Books_and_Literature: 小説! 書籍! 作家! 文学! 詩人 読者 出版社 文庫 絵本 著者
/Business_and_Industrial: 企業! 会社 経営! 産業 工場! 製造 マーケティング! 広告 農業! 農家 物流 建設 社長 起業 事業 業績
/Computers_and_Electronics: コンピュータ! パソコン! ソフトウェア! プログラミング! プログラマ 開発者 サーバー アプリ 人工知能 ロボット セキュリティ ハッカー 半導体 プリンター データベース
/Finance: 銀行! 金融! 株価! 株式! 投資! 融資 住宅ローン 保険! 税金 年金 為替 円安 日経平均 ビットコイン 仮想通貨
/Food_and_Drink: レシピ! 料理! 材料 大さじ! 小さじ! 砂糖 バター 卵 チーズ 鶏肉 豚肉 牛肉 魚介 サラダ スープ デザート ケーキ パン屋 チョコレート ワイン! ビール! 日本酒! コーヒー レストラン! ラーメン! 寿司 食品 グルメ! 野菜 ランチ
/Food_and_Drink/Cooking_and_Recipes: レシピ! 大さじ! 小さじ! 作り方
/Games: ゲーム! プレイステーション! 任天堂! ニンテンドー! ポケモン 将棋! 囲碁 カジノ 宝くじ eスポーツ
/Health: 健康! 医療! 医師! 病院! 病気! 患者! 症状! 治療! ワクチン! ウイルス 新型コロナ 感染症 がん 糖尿病 手術 妊娠 栄養 うつ病 薬
/Hobbies_and_Leisure: 趣味! 手芸! 編み物! 釣り! キャンプ! 登山 結婚式! 誕生日 クリスマス
/Home_and_Garden: 園芸! ガーデニング! 家具! インテリア! ソファ カーテン 掃除 家電! リフォーム! 収納
/Internet_and_Telecom: インターネット! スマートフォン! スマホ! 携帯電話! ドコモ ソフトバンク 通信 ブラウザ メール sns グーグル
/Jobs_and_Education: 教育! 学校! 学生! 生徒! 大学! 教師 教員 授業! 試験 受験! 求人! 転職! 就職! 採用 履歴書
/Law_and_Government: 政府! 首相! 大臣! 国会! 議員! 法律! 裁判! 裁判所! 弁護士! 検察! 警察! 逮捕! 容疑者! 刑務所 選挙! 知事 市長 自治体 自衛隊! 軍 憲法 政治 政党 政策
/News: ニュース! 首相 大統領! 速報! 報道 会談! 選挙 首脳 外相 記者会見 北朝鮮 中国 トランプ プーチン ウクライナ
/News/World_News: 国際ニュース! 大統領! 首脳!
/Online_Communities: 掲示板! ブログ! フェイスブック ツイッター インスタグラム 出会い系
/People_and_Society: 社会 家族! 親子 結婚 離婚 教会! キリスト教! 仏教! 宗教! イスラム教 ジェンダー! 人権! 難民! 貧困 ボランティア! 差別 子育て!
/Pets_and_Animals: ペット! 犬 猫 動物! 獣医! 動物園 鳥
/Real_Estate: 不動産! 賃貸! マンション! 物件! 家賃 住宅
/Reference: 辞書! 辞典! 百科事典! 意味 文法 翻訳 図書館 ウィキペディア
/Science: 科学! 研究者! 研究 物理! 化学! 生物 遺伝子! 細胞! 惑星! 宇宙! nasa 衛星 気候 火山 地震 恐竜 数学! 実験
/Sensitive_Subjects: 死亡! 殺人! 殺害! 遺体! 銃撃! 事故! 死者! 被害者 負傷 戦争! 爆発! 爆弾 攻撃 テロ! 自爆 洪水 性的暴行 虐待! 誘拐 自殺! 薬物 大麻
/Shopping: 購入 通販! ショップ! 価格! 送料! セール! 割引 カート! 買い物! 商品 プレゼント おもちゃ ギフト
/Sports: スポーツ! サッカー! 野球! バスケットボール! テニス! ゴルフ! 選手! 試合! 監督 優勝! 大会 ゴール 得点 リーグ! 五輪! オリンピック! メダル! 相撲! ラグビー! 陸上 水泳 スキー マラソン ボクシング ワールドカップ!
/Sports/Team_Sports: サッカー! 野球! バスケットボール! ラグビー! バレーボール!
/Travel_and_Transportation: 旅行! 観光! 観光客! ホテル! 旅館! 航空! 空港! 飛行機 鉄道! 電車! 新幹線! 駅 バス 乗客 ビーチ 島 旅 フェリー 温泉!
`;

/** Chinese; simplified and traditional writing. */
export const ZH = `
/Arts_and_Entertainment: 演员! 演員! 歌手! 音乐! 音樂! 电影! 電影! 导演! 導演! 演唱会! 演唱會! 专辑 專輯 歌曲! 乐队 樂隊 动漫! 動漫! 漫画! 漫畫! 电视剧! 電視劇! 综艺! 綜藝! 明星! 娱乐! 娛樂! 美术馆 展览 藝術 艺术 戏剧 文化 舞蹈
/Autos_and_Vehicles: 汽车! 汽車! 轿车! 轎車! 摩托车! 机车 发动机! 引擎 新能源车 电动车! 電動車! 轮胎 輪胎 驾驶 車款 车型! suv
/Beauty_and_Fitness: 美容! 化妆! 化妝! 护肤! 護膚! 香水 发型 髮型 时尚! 時尚! 减肥! 減肥! 健身! 瑜伽 穿搭!
/Books_and_Literature: 小说! 小說! 书籍! 書籍! 作家! 文学! 文學! 诗歌! 诗人 读者 出版社 章节 著作
/Business_and_Industrial: 企业! 企業! 公司 经营 產業 产业! 工厂! 工廠! 制造 營銷 营销! 广告 廣告 农业! 農業! 物流 建设 创业! 創業! 行业 能源
/Computers_and_Electronics: 电脑! 電腦! 计算机! 软件! 軟體! 编程! 程式! 程序员! 服务器! 伺服器 人工智能! 人工智慧! 机器人 機器人 网络安全 黑客 芯片! 晶片! 数据库 硬件 处理器! 處理器
/Finance: 银行! 銀行! 金融! 股票! 股市! 投资! 投資! 贷款! 貸款! 保险! 保險! 税收 养老金 汇率 匯率 基金! 比特币 a股
/Food_and_Drink: 食谱! 食譜! 菜谱! 烹饪! 料理! 食材! 汤匙 白糖 黄油 鸡蛋 雞蛋 奶酪 鸡肉 雞肉 猪肉 豬肉 牛肉 沙拉 甜点 甜點 蛋糕! 面包 麵包 巧克力 葡萄酒! 啤酒! 咖啡! 餐厅! 餐廳! 美食! 做法 蔬菜
/Games: 游戏! 遊戲! 电竞! 電競! 玩家! 手游! 任天堂! 主机 象棋 围棋 赌场 彩票!
/Health: 健康! 医疗! 醫療! 医生! 醫生! 医院! 醫院! 疾病! 患者! 病人 症状! 症狀! 治疗! 治療! 疫苗! 病毒! 新冠 感染 癌症! 糖尿病! 手术! 手術! 怀孕 营养! 營養! 药物 藥物
/Hobbies_and_Leisure: 爱好 手工! 编织 钓鱼! 釣魚! 露营! 露營! 登山 婚礼! 婚禮! 生日 圣诞
/Home_and_Garden: 园艺! 園藝! 家具! 家居! 装修! 裝潢! 沙发 窗帘 家电! 家電! 植物
/Internet_and_Telecom: 互联网! 網際網路! 智能手机! 智慧型手機! 手机! 手機! 5g 电信! 電信! 浏览器! 瀏覽器! 微信! 运营商! 宽带 谷歌
/Jobs_and_Education: 教育! 学校! 學校! 学生! 學生! 大学! 大學! 教师! 老師 老师 课程! 課程! 考试! 考試! 高考! 招聘! 求职! 求職! 就业! 毕业
/Law_and_Government: 政府! 总理! 總理 部长! 部長! 国会! 國會! 议员! 議員! 法律! 法院! 法官! 律师! 律師! 检察! 檢察 警察! 警方! 逮捕! 嫌疑人! 监狱 选举! 選舉! 市长 军队! 軍隊! 军事 宪法 政治! 政党 政策
/News: 新闻! 新聞! 总统! 總統! 报道 報導 会谈 外交部! 发言人 特朗普 川普 普京 乌克兰 記者 记者
/Online_Communities: 论坛! 論壇! 博客! 部落格! 社群 微博 贴吧 交友!
/People_and_Society: 社会 社會 家庭! 父母! 孩子 婚姻! 离婚 教会! 教會! 基督教! 佛教! 宗教! 伊斯兰 性别! 性別! 人权! 人權! 难民! 难民 贫困 志愿者! 歧视 育儿!
/Pets_and_Animals: 宠物! 寵物! 狗狗 猫咪 貓咪 动物! 動物! 兽医 鸟类
/Real_Estate: 房地产! 房地產! 房价! 房價! 租房! 楼盘! 二手房! 公寓
/Reference: 词典! 字典! 百科! 含义 语法 文法 翻译 翻譯 图书馆 維基
/Science: 科学! 科學! 科学家! 科學家! 研究人员! 研究人員 物理! 化学! 化學! 生物! 基因! 细胞! 細胞! 行星! 太空! 宇航员! 太空人! 卫星! 衛星! 航天! 宇宙! 气候! 氣候! 火山 地震 恐龙! 恐龍! 数学! 數學! 实验! 實驗
/Science/Astronomy: 太空! 宇航员! 太空人! 行星! 航天!
/Sensitive_Subjects: 死亡! 遇难! 谋杀! 謀殺! 尸体 枪击! 槍擊! 事故! 遇难者! 受害者! 受伤 战争! 戰爭! 爆炸! 炸弹 袭击! 襲擊! 恐怖! 洪水 强奸 虐待! 绑架 自杀! 自殺! 毒品! 毒品
/Shopping: 购买! 購買! 购物! 購物! 商店! 价格 價格 优惠! 優惠! 折扣! 购物车! 購物車! 包邮 服装 礼物 玩具! 商品
/Sports: 体育! 體育! 足球! 篮球! 籃球! 棒球! 网球! 網球! 球员! 球員! 教练! 教練! 比赛! 比賽! 冠军! 冠軍! 联赛! 聯賽! 进球! 得分 奥运! 奧運! 奖牌! 獎牌! 世界杯! 世界盃! 游泳 滑雪 马拉松 拳击 运动员! 運動員! 球队! 球隊!
/Sports/Team_Sports: 足球! 篮球! 籃球! 棒球! 排球!
/Travel_and_Transportation: 旅游! 旅遊! 旅行! 游客! 遊客! 酒店! 飯店! 航班! 机场! 機場! 飞机! 飛機! 航空 火车! 火車! 高铁! 高鐵! 地铁! 地鐵! 乘客! 海滩! 海灘! 岛屿 島 景点! 景點! 景区! 度假!
`;

/** Korean. Particles join words, so most are beginnings. */
export const KO = `
/Arts_and_Entertainment: 배우* 여배우* 가수* 음악* 영화*! 감독* 콘서트*! 앨범* 노래* 밴드* 드라마*! 방송* 예능*! 연예*! 아이돌*! 시청자* 시청률*! 출연* 미술관* 전시* 예술* 문화* 연극* 뮤지컬* 웹툰*
/Autos_and_Vehicles: 자동차*! 차량* 오토바이* 엔진* 전기차*! 타이어*
/Business_and_Industrial: 기업*! 회사* 경영* 산업* 공장* 마케팅* 광고* 농업*
/Computers_and_Electronics: 컴퓨터*! 소프트웨어*! 프로그래밍*! 개발자* 서버* 인공지능*! 로봇* 해커* 반도체*
/Finance: 은행*! 금융*! 주식*! 투자*! 대출*! 보험* 세금* 연금* 비트코인*
/Food_and_Drink: 레시피*! 요리*! 재료* 설탕* 버터* 치즈* 닭고기* 소고기* 케이크* 와인*! 맥주*! 커피* 레스토랑* 맛집*! 음식*!
/Games: 게임*! 플레이스테이션* 닌텐도* 게이머* e스포츠*
/Health: 건강*! 의료* 의사* 병원*! 질병*! 환자*! 증상*! 치료*! 백신*! 바이러스* 코로나* 암 당뇨* 수술* 임신*
/Law_and_Government: 정부*! 대통령* 장관* 국회*! 의원* 법률* 법원*! 판사* 변호사* 검찰*! 경찰*! 체포* 선거* 시장 군대* 정치* 정당*
/News: 뉴스*! 속보* 대통령* 보도* 기자회견* 북한* 트럼프* 푸틴* 우크라이나*
/Science: 과학*! 과학자*! 연구원* 물리* 화학* 생물* 유전자* 세포* 행성* 우주*! 위성* 기후* 화산* 지진* 공룡* 수학*
/Sensitive_Subjects: 사망*! 살인*! 살해* 시신* 총격* 사고* 피해자* 전쟁*! 폭발* 테러* 자살*
/Shopping: 쇼핑*! 구매* 가격* 할인* 배송*! 장바구니!
/Sports: 스포츠*! 축구*! 야구*! 농구*! 테니스* 골프* 선수*! 경기* 우승*! 대회* 득점* 리그*! 올림픽*! 메달*!
/Travel_and_Transportation: 여행*! 관광*! 관광객* 호텔*! 항공* 공항*! 비행기* 기차* 열차* 지하철* 버스* 승객* 해변* 휴가*
`;
