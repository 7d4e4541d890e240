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
