/** Spanish. */
export const ES = `
/Arts_and_Entertainment: actor! actores actriz! actrices cantante* músic* artista* película*! cine! director_de_cine concierto*! festival álbum canción canciones banda teatro! ópera famoso* farándula espectáculo* serie telenovela* televisión estreno* netflix celebridad* museo* pintor* pintura exposición galería escultura arte cultura* baile comedia reguetón
/Arts_and_Entertainment/Movies: película*! cine! cineasta* taquilla
/Arts_and_Entertainment/Music_and_Audio: canción! canciones! álbum! concierto*! cantante*! banda guitarra
/Arts_and_Entertainment/TV_and_Video: telenovela*! televisión serie
/Autos_and_Vehicles: coche*! auto! autos! automóvil*! automotriz vehículo*! motocicleta* motor camioneta* camión gasolina conductor* neumático* llanta* taller híbrido kilometraje
/Beauty_and_Fitness: belleza! maquillaje*! moda! piel cosmétic* perfume*! cabello peinado* uñas gimnasio! ejercicio* adelgazar! bajar_de_peso estilo vestido* ropa_deportiva
/Books_and_Literature: libro*! novela*! escritor*! autor autora poesía! poeta* poema* literatura! lector* editorial_libro cuento cuentos librería* capítulo
/Business_and_Industrial: empresa*! negocio*! empresari* industria* fábrica* marketing! publicidad emprende* ventas clientes producción exportacion* agricult* ganader* cosecha* energía petróleo minería construcción proveedor*
/Computers_and_Electronics: ordenador*! computadora*! software! hardware programación! programador* código portátil windows linux android aplicación aplicaciones tecnología* inteligencia_artificial robot* ciberseguridad hacker* servidor* chip chips electrónic* impresora* pantalla
/Finance: banco! bancos bancari* finanz* financier* préstamo*! crédito* hipoteca* inversión* inversor* bolsa acciones inflación dólar tasa_de_interés impuesto* seguro seguros ahorro* deuda pensión pensiones criptomoneda* bitcoin
/Food_and_Drink: receta*! cocina! cocinar* ingrediente*! cucharada* cucharadita* harina azúcar mantequilla huevo* aceite_de_oliva ajo cebolla queso pollo carne pescado ensalada sopa postre* pastel* pan chocolate vino*! cerveza*! café bebida* restaurante*! chef comida* plato* horno sabor* desayuno almuerzo
/Food_and_Drink/Cooking_and_Recipes: receta*! ingrediente*! cucharada*! cucharadita*! horno
/Games: videojuego*! juego juegos! jugador_de consola* playstation! xbox! nintendo! ajedrez! casino* apuestas lotería póker gamer*
/Games/Computer_and_Video_Games: videojuego*! playstation! xbox! nintendo! gamer*
/Health: salud! médic*! medicina* hospital* enfermedad*! paciente* síntoma*! tratamiento* vacuna*! virus covid* coronavirus pandemia cáncer diabetes cirugía infección* dolor embarazo* dieta nutrición vitamina* ansiedad depresión terapia enfermer* contagio* dengue
/Health/Health_Conditions: cáncer! diabetes! enfermedad*! síntoma*! infección*
/Hobbies_and_Leisure: manualidades! bricolaje pesca caza acampar senderismo boda*! novia_vestido cumpleaños navidad coleccion* tejer costura pasatiempo*
/Home_and_Garden: jardín! jardiner* planta plantas! hogar muebles! decoración! sofá cortina* colchón baño dormitorio reforma calefacción electrodoméstic*! limpieza lavadora
/Internet_and_Telecom: internet! celular* móvil* smartphone*! iphone whatsapp! redes_sociales google navegador* correo_electrónico telefonía banda_ancha wifi página_web
/Jobs_and_Education: educación! escuela*! colegio* estudiante*! alumno* profesor* maestro* docente* universidad*! universitari* clase* curso* examen* beca* empleo! empleos trabajo vacante* currículum contratación
/Law_and_Government: gobierno*! presidente* ministro* ministra ministerio congreso! senado* senador* diputad*! ley leyes! juez jueza jueces! tribunal! corte justicia! fiscal! fiscalía! abogad* juicio* sentencia* delito* policía*! policial detenid* arrest* cárcel* preso* prisión elecciones! electoral* votación alcalde*! municip* ejército militar* decreto* constitución* político* política* régimen partido_político sindicat* gremio* reforma
/News: noticia noticias! última_hora presidente* gobierno* ministro* oposición elecciones! candidat* protesta* manifestación crisis trump putin ucrania rusia venezuela huelga* denunci* declaró aseguró alcalde* fiscal policía* asesinat*
/News/Politics: elecciones! candidat*! diputad* oposición presidencial*! senador*
/Online_Communities: foro! foros blog blogs facebook twitter instagram tiktok citas_en_línea
/People_and_Society: sociedad familia* padres madre* padre hijos matrimonio* pareja divorcio iglesia*! católic*! papa_francisco obispo* dios fe religión religios* musulm* mujeres género feminis* lgbt* derechos_humanos! migrante*! refugiad* pobreza voluntari* racismo discriminación indígena*
/Pets_and_Animals: mascota*! perro*! gato*! veterinari*! animal animales! ave aves especie fauna caballo* zoológico
/Real_Estate: inmobiliari*! vivienda*! alquiler! piso pisos apartamento* departamento_en inquilino* propietario* metros_cuadrados hipoteca*
/Reference: diccionario*! enciclopedia*! definición significado gramática wikipedia traducción biblioteca*
/Science: ciencia*! científic*! investigador* investigación_científica física químic* biolog* genétic* adn célula* planeta* espacio espacial* nasa! astronauta* satélite* universo clima* cambio_climático volcán* terremoto* sismo* especie* dinosaurio* matemátic* laboratorio
/Science/Astronomy: nasa! planeta*! astronauta* universo galaxia* telescopio*
/Sensitive_Subjects: muert*! murió asesin*! homicidio* matar mató cadáver! disparo* balead* tiroteo! accidente*! choque víctima* herido* guerra! bomba* ataque* terroris* terremoto* inundacion* violación violencia! secuestr*! suicidio droga* cocaína narcotráfico femicidio feminicidio fallec*
/Shopping: comprar! tienda*! precio* oferta* descuento* carrito! envío_gratis envío* ropa! zapatos camiseta* regalo* juguete* rebajas joyas
/Sports: fútbol! deporte*! deportiv*! gol goles! liga! partido partidos jugador*! entrenador*! equipo* selección campeon*! torneo copa mundial penal portero delantero* estadio* baloncesto béisbol tenis! tenista* boxeo ciclis* atleta* atletismo olímpic*! medalla* carrera fórmula_1 victoria derrota clasificación árbitro liderato
/Sports/Team_Sports: fútbol! baloncesto! béisbol! voleibol gol goles!
/Sports/Team_Sports/Soccer: fútbol! goles! portero delantero* liga_mx
/Travel_and_Transportation: viaje*! viajar turis*! hotel*! vuelo*! aeropuerto* aerolínea* tren trenes autobús metro pasajero* playa*! isla* destino* vacaciones! turístic* crucero* equipaje hospedaje alojamiento* carretera transporte
`;

/** French. */
export const FR = `
/Arts_and_Entertainment: acteur* actrice*! chanteu*! musique*! musicien* artiste* film! films! cinéma! réalisateur* réalisatrice concert*! festival* album* chanson* théâtre*! opéra* spectacle* série télévis* people célébrité* exposition* peintre* peinture* sculpt* galerie* musée* photograph* culture* danse* humoriste* bande_dessinée animé rappeur
/Arts_and_Entertainment/Movies: film! films! cinéma! réalisateur*! cinéaste*
/Arts_and_Entertainment/Music_and_Audio: chanson*! album* concert*! musique*! chanteu*! guitare*
/Arts_and_Entertainment/Performing_Arts: théâtre*! opéra* ballet* spectacle*
/Autos_and_Vehicles: voiture*! automobile*! véhicule*! moto motos! moteur* camion* essence diesel pneu* carrosserie conducteur* garage citadine hybride
/Beauty_and_Fitness: beauté! maquillage*! mode! peau soin soins cosmétique* parfum*! cheveu* coiffure* ongle* mincir minceur! musculation! fitness! gym vêtement* robe robes défilé* tendance*
/Books_and_Literature: livre livres! roman romans! auteur* écrivain*! littéra*! poésie! poète* poème* lecteur* lecture éditeur* librairie* chapitre nouvelle_littéraire conte contes
/Business_and_Industrial: entreprise*! industri* usine* société_anonyme commerc* marketing! publicité entrepreneu* patron* client* production agricult*! agriculteur* éleveur* énergie pétrole logistique fournisseur* salarié* management bâtiment
/Computers_and_Electronics: ordinateur*! logiciel*! informatique*! programmation! développeur* code_source windows linux android application* numérique intelligence_artificielle robot* cybersécurité pirate_informatique serveur* processeur* imprimante* écran électronique*
/Finance: banque*! bancaire* financ* prêt prêts crédit* hypothè* investisse* bourse! actionnaire* inflation impôt* assurance*! épargne* dette* retraite* taux_d cryptomonnaie* bitcoin
/Food_and_Drink: recette*! cuisine! cuisiner* cuisson ingrédient*! cuillère* farine sucre beurre œuf* oeuf* huile_d'olive ail oignon* fromage* poulet viande* poisson* salade* soupe* dessert* gâteau* pain chocolat* vin! vins! bière* café* boisson* restaurant*! chef plat plats four saveur* légume* déjeuner petit-déjeuner gourmand* aubergine* anchois aliment*
/Food_and_Drink/Cooking_and_Recipes: recette*! ingrédient*! cuillère*! cuisson! préchauff*
/Games: jeu jeux! jeux_vidéo! joueurs_de console* playstation! xbox! nintendo! échecs casino* loterie poker gamer*
/Games/Computer_and_Video_Games: jeux_vidéo! jeu_vidéo! playstation! xbox! nintendo!
/Health: santé! médecin*! médical* médecine hôpita* maladie*! patient* symptôme*! traitement* vaccin*! virus covid* coronavirus pandémie cancer* diabète chirurg* infection* douleur* grossesse* nutrition* vitamine* intestin* bactérie* anxiété dépression thérap* infirmi* pharmac* épidémie
/Health/Health_Conditions: cancer*! diabète! maladie*! symptôme*! infection*
/Hobbies_and_Leisure: bricolage loisirs_créatifs tricot* couture pêche chasse camping randonnée* mariage*! mariée anniversaire* noël collection* loisir*
/Home_and_Garden: jardin*! jardinage! plante* maison meuble*! décoration! canapé* rideau* matelas salle_de_bain* chambre rénovation* travaux chauffage! électroménager! ménage pelouse
/Internet_and_Telecom: internet! téléphon* smartphone*! iphone whatsapp! réseaux_sociaux google navigateur* courriel* fibre_optique opérateur* haut_débit wifi site_web
/Jobs_and_Education: éducation! école*! élève*! étudiant*! enseign*! professeur* université*! universitaire* examen* diplôme* bac lycée* collège formation* emploi*! recrutement* cv salaire* stage stages! embauche* chercheurs revues évaluation
/Law_and_Government: gouvernement*! président* ministre*! ministère assemblée_nationale député*! sénat* sénateur* loi lois! juge juges! tribunal*! cour justice! procureur* avocat* procès! condamn* délit* police! policier* gendarm* arrêté* prison* élection*! électora* vote* maire! mairie municip* armée militaire* décret* constitution* politique* syndicat* juridi*
/News: actualité actualités! info infos président* gouvernement* ministre* opposition élection*! manifestation* grève* crise trump putin poutine macron ukraine russie enquête* déclaré conseil_municipal
/News/Politics: élection*! candidat*! député* présidentielle* macron
/Online_Communities: forum forums! blog blogs facebook twitter instagram tiktok rencontre_en_ligne
/People_and_Society: société* famille* parents! mère* père* enfant* couple* divorce* église*! catholi*! pape! évêque* dieu foi religi* musulman* islam juif femmes féminis* genre lgbt* droits_de_l'homme! migrant* réfugié* pauvreté bénévol* racisme discrimination* sociolog* philosoph*
/Pets_and_Animals: animaux! animal chien*! chat chats! vétérinaire*! oiseau* cheval chevaux espèce faune zoo
/Real_Estate: immobili*! logement*! appartement*! loyer*! locataire* propriétaire* mètres_carrés location
/Reference: dictionnaire*! encyclopédie*! définition* grammaire wikipédia traduction* bibliothèque*
/Science: science*! scientifique*! chercheur* physique* chimi* biolog* génétique* adn cellule* planète* espace spatial* nasa! astronaute* satellite* univers climat* réchauffement* volcan* séisme* espèce* dinosaure* mathémat* laboratoire*
/Science/Astronomy: nasa! planète*! astronaute* galaxie* télescope*
/Sensitive_Subjects: mort morts! décès décédé* tué* meurtr*! assassin* homicide* cadavre* fusillade! accident*! victime* blessé* guerre! bombe* attaque* attentat*! terroris* séisme* inondation* viol! violence* enlèvement suicide* drogue* cocaïne
/Shopping: acheter! achat* boutique*! magasin* prix promo* soldes! remise* panier! livraison! vêtement* chaussure* cadeau* jouet* bijou* t-shirt*
/Sports: sport! sports! sporti* football*! but buts! ligue! match! matchs joueur*! joueuse* entraîneur*! équipe* sélectionneur champion*! tournoi* coupe mondial penalty gardien attaquant* stade* basket* rugby! tennis! boxe cyclis* athlète* athlétisme olympique*! médaille* formule_1 victoire* défaite* classement arbitre* ski handball
/Sports/Team_Sports: football*! rugby! basket* handball! volley* ligue_1
/Sports/Team_Sports/Soccer: football*! ligue_1! penalty attaquant*
/Travel_and_Transportation: voyage*! voyageu* touris*! hôtel*! vol vols aéroport* compagnie_aérienne train! trains! bus métro! passager* plage*! île* destination* vacances! croisière* bagage* séjour* transport* trottinette* gare gares sncf hébergement
`;

/** Portuguese. */
export const PT = `
/Arts_and_Entertainment: ator atores atriz! cantor* cantora música*! músico* artista* filme! filmes! cinema! diretor_de_cinema show shows festival álbum canção canções banda teatro! ópera famos* celebridade* série novela novelas televisão estreia* museu* pintor* exposição arte cultura* dança comédia bbb
/Arts_and_Entertainment/Movies: filme! filmes! cinema! cineasta* bilheteria
/Arts_and_Entertainment/Music_and_Audio: música*! álbum! canção canções cantor* cantora! banda
/Autos_and_Vehicles: carro carros! automóve*! veículo*! moto motos! motocicleta* motor caminhão caminhões gasolina motorista* pneu* oficina
/Beauty_and_Fitness: beleza! maquiagem*! moda! pele cosmétic* perfume* cabelo* unhas academia exercício* emagrec*! treino vestido*
/Books_and_Literature: livro livros! romance escritor* autor autora poesia! poeta* poema* literatura! leitor* editora conto contos livraria* capítulo
/Business_and_Industrial: empresa*! negócio* empresári* indústria* fábrica* marketing! publicidade empreende* vendas clientes produção exportaç* agricult* agronegócio pecuár* safra energia petróleo mineração construção
/Computers_and_Electronics: computador*! software! hardware programação! programador* código notebook windows linux android aplicativo* tecnologia* inteligência_artificial robô* segurança_digital hacker* servidor* eletrônic* impressora*
/Finance: banco bancos! bancári* financ* empréstimo*! crédito* investi* bolsa ações inflação dólar juros imposto* seguro* poupança dívida* aposentadoria criptomoeda* bitcoin
/Food_and_Drink: receita*! cozinha! cozinhar ingrediente*! colher colheres farinha açúcar manteiga ovo ovos azeite alho cebola queijo frango carne peixe salada sopa sobremesa* bolo pão chocolate vinho*! cerveja*! café bebida* restaurante*! chef comida* prato* forno sabor*
/Food_and_Drink/Cooking_and_Recipes: receita*! ingrediente*! colheres! forno
/Games: videogame*! jogo_eletrônico jogos console* playstation! xbox! nintendo! xadrez! cassino* apostas loteria pôquer gamer*
/Health: saúde! médic*! medicina hospita* doença*! paciente* sintoma*! tratamento* vacina*! vírus covid* coronavírus pandemia câncer diabetes cirurgia infecç* dor gravidez grávida dieta nutrição vitamina* ansiedade depressão terapia enferm* dengue
/Hobbies_and_Leisure: artesanato! pesca caça acampamento trilha casamento*! noiva aniversário natal coleç* costura passatempo*
/Home_and_Garden: jardim! jardinagem! planta plantas! casa móveis! decoração! sofá cortina* colchão banheiro quarto reforma eletrodoméstico*! limpeza
/Internet_and_Telecom: internet! celular* smartphone*! iphone whatsapp! redes_sociais google navegador e-mail* telefonia banda_larga wi-fi
/Jobs_and_Education: educação! escola*! estudante*! aluno* professor* universidade*! universitári* aula* curso* prova vestibular! enem bolsa_de_estudo emprego*! vaga vagas! currículo concurso_público
/Law_and_Government: governo*! presidente* ministro* ministério congresso! senado* senador* deputad*! lei leis! juiz juíza juízes! tribunal! justiça! promotor* procurador* advogad* julgamento* sentença crime crimes polícia*! policia* delegad*! preso* prisão presídio eleições! eleitoral* prefeit*! municip* exército militar* decreto* político* política*
/News: notícia notícias! últimas presidente* governo* ministro* oposição eleições! candidat* protesto* crise lula bolsonaro trump putin ucrânia rússia greve* polícia* investig* confronto*
/News/Politics: eleições! candidat*! deputad* bolsonaro lula senador*
/Online_Communities: fórum fóruns blog blogs facebook twitter instagram tiktok
/People_and_Society: sociedade família* pais mãe* pai filho* casamento casal divórcio igreja*! católic*! papa bispo* deus fé religi* muçulman* mulheres gênero feminis* lgbt* direitos_humanos! imigrante* refugiad* pobreza voluntári* racismo
/Pets_and_Animals: cachorro*! cão cães! gato*! veterinári*! animal animais! pet pets ave aves espécie cavalo* zoológico
/Real_Estate: imóve*! imobiliári*! apartamento* aluguel! inquilino* metros_quadrados
/Reference: dicionário*! enciclopédia*! definição significado gramática wikipédia tradução biblioteca*
/Science: ciência*! científic*! cientista*! pesquisador* física químic* biolog* genétic* dna célula* planeta* espaço espacia* nasa! astronauta* satélite* universo clima* mudança_climática vulc* terremoto* espécie* dinossauro* matemátic* laboratório
/Sensitive_Subjects: mort*! morreu assassin*! homicídio* matar matou corpo corpos cadáver! tiro tiros tiroteio! acidente*! vítima* ferid* guerra! bomba* ataque* terroris* terremoto* inundaç* enchente* estupro*! violência! sequestr*! suicídio droga* cocaína tráfico feminicídio
/Shopping: comprar! loja*! preço* oferta* desconto* carrinho! frete! entrega roupa*! sapato* camiseta* presente* brinquedo* joias
/Sports: futebol! esporte*! desporto* gol gols golos! campeonato*! partida* jogador*! treinador* técnico time seleção campe* torneio copa pênalti goleiro! atacante* estádio* basquete vôlei tênis boxe ciclis* atleta* atletismo olímpic*! medalha* fórmula_1 vitória derrota brasileirão! flamengo
/Sports/Team_Sports: futebol! basquete! vôlei! gol gols! goleiro!
/Travel_and_Transportation: viage* viajar turis*! hotel hotéis! voo voos! aeroporto* trem ônibus metrô passageiro* praia*! ilha* destino* férias! cruzeiro bagagem hospedagem rodovia transporte
`;

/** Italian. */
export const IT = `
/Arts_and_Entertainment: attore! attori attrice! cantante* musica*! musicist* artist* film! cinema! regista! concerto* concerti festival album canzone canzoni band teatro! opera serie spettacol* televisione gossip museo musei pittor* mostra arte cultura danza commedia sanremo
/Autos_and_Vehicles: auto! automobil*! macchina veicol* moto! motocicl* motore motori camion benzina diesel pneumatic* patente guida
/Beauty_and_Fitness: bellezza! trucco! moda! pelle cosmetic* profumo* capelli unghie palestra! esercizi dimagrire! fitness! abito abiti sfilata
/Books_and_Literature: libro! libri! romanzo! romanzi scrittor*! autore poesia! poeta letteratura! lettor* editore racconto racconti libreria capitolo
/Business_and_Industrial: azienda! aziende! impresa! imprese industria* fabbrica* marketing! pubblicità imprenditor* vendite clienti produzione agricol* agricoltura energia petrolio cantier*
/Computers_and_Electronics: computer! software! hardware programmazione! sviluppator* codice portatile windows linux android tecnologi* intelligenza_artificiale robot* sicurezza_informatica hacker* server elettronic* stampante
/Finance: banca! banche! bancari* finanz* prestit*! mutuo! mutui credito investi* borsa! azioni inflazione tassi tasse imposta assicurazion*! risparmi* debito pensione pensioni criptovalut* bitcoin
/Food_and_Drink: ricetta! ricette! cucina! cucinare ingredienti! cucchiai* farina zucchero burro uova olio_d'oliva aglio cipolla formaggi* pollo carne pesce insalata zuppa dolce dolci torta! pane cioccolato vino! vini! birra! birre caffè bevand* ristorant*! chef cibo piatto piatti forno sapore pasta verdure
/Food_and_Drink/Cooking_and_Recipes: ricetta! ricette! ingredienti! cucchiai*! forno
/Games: videogioc*! giochi console playstation! xbox! nintendo! scacchi! casinò scommesse lotteria poker gamer*
/Health: salute! medic*! ospedal* malatti*! pazient* sintom*! terapi* vaccin*! virus covid* coronavirus pandemia tumor* cancro diabete chirurg* infezion* dolore gravidanza* dieta nutrizion* vitamin* ansia depressione farmac* infermier*
/Hobbies_and_Leisure: hobby fai_da_te pesca caccia campeggio escursion* matrimonio! sposa compleanno natale collezion* cucito uncinetto
/Home_and_Garden: giardin*! piante! casa mobili! arredamento! divano tende materasso bagno camera ristruttur* riscaldamento elettrodomestic*! pulizia
/Internet_and_Telecom: internet! cellular* smartphone*! iphone whatsapp! social_network google browser e-mail* telefonia fibra banda_larga wi-fi
/Jobs_and_Education: istruzione! scuola! scuole! student*! insegnant* professor* università! universitari* lezion* corsi esame esami laurea maturità lavoro concorso_pubblico curriculum assunzion*
/Law_and_Government: governo! presidente ministr*! ministero parlamento! senato senator* deputat*! legge! leggi giudice! giudici tribunale! corte giustizia procura! avvocat* processo sentenza reato polizia! carabinieri! arrestat* carcere elezioni! elettoral* voto sindaco! comune esercito militar* decreto* politic*
/News: notizia notizie! ultima_ora cronaca! presidente governo ministr* opposizione elezioni! candidat* protest* crisi meloni trump putin ucraina russia sciopero indagin*
/Online_Communities: forum blog facebook twitter instagram tiktok
/People_and_Society: società famiglia genitori! madre padre figli coppia divorzio chiesa! chiese cattolic*! papa! vescov* dio fede religi* musulman* donne genere femminis* lgbt* diritti_umani! migrant* rifugiat* povertà volontar* razzismo
/Pets_and_Animals: cane! cani! gatto! gatti! veterinari*! animal* uccelli cavall* specie zoo
/Real_Estate: immobil*! appartament* affitto! inquilin* metri_quadrati
/Reference: dizionari*! enciclopedi*! definizione significato grammatica wikipedia traduzione bibliotec*
/Science: scienz*! scienziat*! scientific* ricercator* fisica chimic* biolog* genetic* dna cellul* pianet* spazio spazial* nasa! astronaut* satellit* universo clima* cambiamento_climatico vulcan* terremot* specie dinosaur* matematic* laboratorio
/Sensitive_Subjects: mort* morto omicid*! ucciso uccisa cadavere! sparatoria! incidente! incidenti vittim* ferit* guerra! bomb* attacco attentat*! terroris* terremot* alluvion* stupro violenz* sequestr* suicid* droga cocaina femminicidi*
/Shopping: acquist* comprare! negozi*! prezz* offert* scont* carrello! spedizion*! vestiti scarpe! regal* giocattol* gioielli
/Sports: calcio! sport! sportiv* gol! serie_a! partita! partite giocator*! allenator*! squadra! squadre nazionale campion*! torneo coppa mondiali rigore portiere attaccante stadio basket pallavolo tennis! pugilato ciclis* atlet* olimpi*! medagli* formula_1 vittoria sconfitta classifica arbitro sci
/Sports/Team_Sports: calcio! serie_a! basket pallavolo! rigore
/Travel_and_Transportation: viaggi*! turis*! hotel! albergo volo voli! aeroport* treno! treni! autobus metropolitana passegger* spiaggi*! isola isole destinazion* vacanz*! crociera bagagl* trasport*
`;
