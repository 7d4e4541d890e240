import { type Known, tableOf } from './schema.ts';
import { FOLDERS_OF_THE_WORLD, PAGES_OF_THE_WORLD } from './slugs-world.ts';

/**
 * Words of addresses, folded (`slugOf`): a value, its points, and the slugs that speak for it. German, Spanish, French,
 * Portuguese, Italian, Dutch, Russian (also in Latin letters), Japanese and Chinese beside English.
 */

/** What a page is whose address ends so. */
const PAGES = tableOf(`
/Core_Page/About_Page 9 about about-us about-me aboutus about-the-company who-we-are our-story our-company our-mission our-team meet-the-team company-profile uber-uns ueber-uns uber-mich ueber-mich wir-uber-uns wir-ueber-uns das-unternehmen unternehmen team acerca-de acerca sobre-nosotros quienes-somos nosotros sobre-mi a-propos qui-sommes-nous qui-suis-je notre-histoire l-entreprise sobre sobre-nos quem-somos a-empresa chi-siamo chi-sono azienda over-ons over over-mij wie-zijn-wij o-nas o-mnie o-kompanii o-proekte o-kompaniyi o-нас о-нас о-компании о-проекте about-company kaisha company-info gongsi gaiyou 会社概要 关于我们 關於我們
/Core_Page/Contact_Page 9 contact contact-us contactus contact-me contacts get-in-touch contact-form kontakt kontaktformular kontakte kontakty contacto contactenos contactanos contacta contactez-nous nous-contacter contato fale-conosco contacte-nos contatti contattaci neem-contact-op contact-opnemen контакты связаться-с-нами toiawase otoiawase inquiry お問い合わせ 联系我们 聯絡我們 lianxi
/Core_Page/FAQ_Page 9 faq faqs frequently-asked-questions haufige-fragen haeufige-fragen haufig-gestellte-fragen preguntas-frecuentes foire-aux-questions questions-frequentes perguntas-frequentes domande-frequenti veelgestelde-vragen chasto-zadavaemye-voprosy voprosy-i-otvety частые-вопросы よくある質問 常见问题
/Core_Page/Blog_Index 8 blog blogs news-blog archive archives newsroom press-releases news nachrichten aktuelles neuigkeiten noticias actualites actualite novidades notizie notiziario nieuws nyheter novosti новости magazin magazine press presse お知らせ 新闻 新闻中心
/Core_Page/Services_Page 8 services our-services leistungen dienstleistungen unsere-leistungen servicios nuestros-servicios nos-services prestations servicos nossos-servicos servizi i-nostri-servizi diensten onze-diensten uslugi услуги solutions loesungen losungen what-we-do サービス 服务
/Core_Page/Portfolio_Page 8 portfolio our-work work selected-work referenzen projekte our-projects proyectos nuestros-trabajos realisations nos-realisations portfolio-items portefolio progetti realizzazioni projecten portfolio-page портфолио nashi-raboty 制作実績 作品集
/Core_Page/Careers_Page 9 careers career jobs-and-careers work-with-us work-for-us join-us join-our-team karriere stellenangebote-und-karriere arbeiten-bei-uns trabaja-con-nosotros trabaje-con-nosotros empleo carrieres nous-rejoindre recrutement trabalhe-conosco carreiras lavora-con-noi carriere werken-bij vacatures-en-werken vakansii вакансии карьера recruit 採用情報 招聘 加入我们
/Core_Page/Privacy_Policy_Page 10 privacy privacy-policy privacypolicy privacy-notice privacy-statement cookie-policy cookies datenschutz datenschutzerklarung datenschutzerklaerung datenschutzhinweise politica-de-privacidad privacidad politica-privacidad aviso-de-privacidad politique-de-confidentialite confidentialite protection-des-donnees vie-privee politica-de-privacidade privacidade informativa-privacy informativa-sulla-privacy privacybeleid privacyverklaring politika-konfidencialnosti политика-конфиденциальности プライバシーポリシー 隐私政策
/Core_Page/T&C_Page 10 terms terms-of-use terms-of-service terms-and-conditions termsofuse termsofservice tos terms-conditions conditions-of-use terms-of-sale eula agb allgemeine-geschaftsbedingungen nutzungsbedingungen terminos-y-condiciones terminos-de-uso condiciones-de-uso condiciones-generales conditions-generales conditions-generales-de-vente conditions-d-utilisation cgv cgu mentions-legales termos-de-uso termos-e-condicoes termini-e-condizioni condizioni-generali termini-di-servizio algemene-voorwaarden gebruiksvoorwaarden voorwaarden polzovatelskoe-soglashenie пользовательское-соглашение 利用規約 服务条款
/Core_Page 8 login log-in signin sign-in register registration signup sign-up anmelden anmeldung registrieren iniciar-sesion acceder connexion se-connecter inscription entrar accedi registrati inloggen registreren voyti vhod войти ログイン 登录 impressum imprint legal-notice aviso-legal sitemap site-map accessibility barrierefreiheit
/Landing_Page/Pricing_Page 9 pricing prices price-list plans pricing-plans plans-and-pricing plans-pricing preise preisliste tarife precios tarifas planes-y-precios tarifs nos-tarifs prix precos planos planos-e-precos prezzi tariffe listino-prezzi prijzen tarieven ceny tarify цены тарифы 料金 料金プラン 价格
/Landing_Page/Product_Feature_Page 8 features feature-list product-features funktionen caracteristicas funcionalidades fonctionnalites funzionalita functies vozmozhnosti возможности 機能 功能
/Landing_Page/Product_Page 6 product platform the-product produkt
/Listing_Collection 6 search suche buscar recherche zoeken ricerca search-results
/Listing_Collection/Product 7 category products shop store catalog catalogue produkte katalog productos tienda catalogo produits boutique produtos loja prodotti negozio producten winkel katalog-tovarov товары каталог search-products new-arrivals sale 商品一覧 产品
/Listing_Collection/Property 9 properties real-estate for-sale for-rent immobilien wohnungen inmuebles immobilier imoveis immobili apartments homes-for-sale nedvizhimost недвижимость
/Listing_Collection/Job 9 jobs job-search vacancies openings open-positions current-openings job-openings stellenangebote stellen jobborse empleos ofertas-de-empleo offres-d-emploi emplois vagas offerte-di-lavoro vacatures
/Listing_Collection/Event 9 events event-calendar calendar whats-on upcoming-events veranstaltungen termine veranstaltungskalender eventos calendario agenda evenements eventi evenementen meropriyatiya афиша イベント 活动
/Listing_Collection/Location 8 locations our-locations store-locator find-a-store stores branches standorte filialen ubicaciones sucursales agences magasins unidades sedi negozi vestigingen winkels filialy店舗一覧 店舗一覧 門店
/Listing_Collection/Business 8 directory business-directory companies firmenverzeichnis branchenbuch directorio annuaire empresas aziende bedrijven restaurants hotels firmy dealers members-directory
/Listing_Collection/Service 8 service-directory find-a-service all-services service-catalog service-catalogue find-a-provider dienstleister-finden
/Interactive_Tools/Map 7 map maps interactive-map karte stadtplan mapa carte-interactive mappa kaart karta карта 地図 地图
/Interactive_Tools/Calculator 8 calculator rechner calculadora calculatrice calcolatore kalkulator kalkulyator калькулятор
/Interactive_Tools/Configurator 8 configurator konfigurator configurador configurateur configuratore build-your-own build-and-price
/Interactive_Tools/Simulator 8 simulator simulador simulateur simulatore
/Interactive_Tools/Generator 8 generator generador generateur gerador generatore
/Interactive_Tools/Quiz 7 quiz quizzes
/Interactive_Tools/Poll 7 poll polls umfrage umfragen encuesta encuestas sondage sondages enquete sondaggio sondaggi opros
/Image/Photography 6 gallery photo-gallery photos galerie bildergalerie fotogalerie fotos galeria galeria-de-fotos galleria fotografie фотогалерея ギャラリー
/Video 6 videos video-gallery mediathek
/Audio/Podcast 7 podcast podcasts
/User_Generated_Content/Discussions 8 forum forums index-forum board boards message-board community discussions foro foros forumdisplay viewforum community-forum
/User_Generated_Content/Q&A 7 questions ask
/User_Generated_Content/Reviews 7 reviews customer-reviews bewertungen kundenbewertungen opiniones resenas avis avis-clients avaliacoes recensioni beoordelingen otzyvy отзывы レビュー
/User_Generated_Content/Testimonials 8 testimonials testimonial kundenstimmen testimonios temoignages depoimentos testimonianze
/User_Generated_Content/Comments 7 comments kommentare comentarios commentaires comentarios-dos-leitores commenti kommentarii
/Article/Definitions 6 glossary glossar lexikon glosario glossaire glossario begriffe woordenlijst
${PAGES_OF_THE_WORLD.trim()}
`);

/** What a page is that stands below such a folder. */
const FOLDERS = tableOf(`
/Article/Recipe 6 recipe recipes rezept rezepte receta recetas recette recettes receita receitas ricetta ricette recept recepten recepty retsepty рецепты レシピ
/Article/News_Update 5 news noticias noticia nachrichten actualites actualite notizie nieuws nyheter novosti latest-news breaking-news press-releases pressemitteilungen meldungen новости
/Article 5 article articles artikel articulo articulos artigo artigos articoli articolo blog blogs post posts story magazine magazin
/Article/Opinion_Piece 6 opinion opinions op-ed editorial editorials columnists columns kommentar kommentare meinung columna columnas tribune tribunes chronique opiniao opinione opinioni commenti mnenie мнения 社説
/Article/Product_or_Brand_Review 6 review reviews testberichte tests rezensionen resena critique critiques analisis recensione
/Article/How_to 6 how-to howto diy so-geht-s
/Article/Tutorial_or_Guide 6 tutorial tutorials guide guides ratgeber anleitungen guias tutoriels guide-pratique tutoriais handleidingen instrukcii
/Article/Listicle 6 listicle listicles lists
/Article/Comparisons 6 compare comparisons comparison vergleich vergleiche comparativas comparatifs comparativos confronti vergelijken vs
/Article/Roundup 6 roundup roundups round-up
/Article/Thought_Leadership 6 insights perspectives thought-leadership viewpoints
/Article/Story 6 stories longreads long-reads short-stories reportage reportagen features-stories kurzgeschichten cuentos
/Article/Checklists 7 checklist checklists checklisten
/Article/FAQ 6 faq faqs
/Article/Study_or_Research_Findings 6 studies research-news studien
/Article/Definitions 7 glossary glossar lexikon dictionary definition definitions woerterbuch worterbuch glosario diccionario glossaire dictionnaire dicionario dizionario woordenboek slovar terms-glossary encyclopedia words
/Article/Wiki 7 wiki wikis moin
/Listing/Product 7 product products produkt produkte producto productos produit produits produto produtos prodotto prodotti item items dp tovar tovary 商品
/Listing/Property 7 property properties listing-detail homedetails immobilie immobilien expose inmueble inmuebles imovel imoveis annonce-immobiliere real-estate
/Listing/Job 8 job jobs vacancy vacancies career careers position positions opening openings stellenangebote stellenanzeige stellenangebot karriere empleo empleos oferta-de-empleo offre-emploi emploi vaga vagas lavoro vacature vacatures vakansii
/Listing/Event 7 event events concert concerts konzert konzerte conciertos whats-on exhibition exhibitions ausstellung ausstellungen exposiciones expositions performances gigs festivals tickets termine veranstaltungskalender afisha афиша veranstaltung veranstaltungen evento eventos evenement evenements eventi evenementen
/Listing/Location 6 place places attraction attractions sehenswuerdigkeiten sehenswurdigkeiten lugares lieux destinations
/Listing/Business 6 biz firma firmen empresa entreprise azienda bedrijf restaurant hotel company-profile
/Listing/Service 6 service-listing gig gigs
/Landing_Page/Service_Page 7 services service leistungen dienstleistungen servicios servicio servicos servico servizi diensten uslugi услуги solutions
/Landing_Page/Location_Page 7 locations location standorte standort ubicaciones sucursales agences unidades sedi vestigingen branches
/Landing_Page/Course_Sales_Page 7 course courses kurs kurse curso cursos formation formations corso corsi cursus kursy
/Landing_Page/Product_Feature_Page 7 features feature funktionen funcionalidades fonctionnalites
/Landing_Page 6 lp landing landingpage landing-page
/Interactive_Tools/Calculator 8 calculator calculators rechner calculadoras calculadora simulateurs-calculs calcolatori kalkulyatory
/Interactive_Tools/Quiz 8 quiz quizzes
/Interactive_Tools/Poll 7 poll polls umfrage umfragen encuestas sondages
/Interactive_Tools/Generator 8 generator generators
/Interactive_Tools/Configurator 8 configurator konfigurator
/Interactive_Tools/Simulator 8 simulator simulators
/Interactive_Tools/SaaS_Software 6 software apps app
/Interactive_Tools 6 tools tool
/Image/Infographic 8 infographic infographics infografik infografiken infografia infografias infographie infographies infografica
/Image/Photography 7 gallery galleries photos photo photo-gallery picture-gallery slideshow galerie bildergalerie fotostrecke fotos galeria fotogalerias diaporama fotogallery
/Image/Vector_Illustration 8 vector vectors vektoren vectores vecteurs clipart cliparts svg
/Image/Meme 8 meme memes
/Image/Diagram 7 diagram diagrams
/Image/Flowchart 7 flowchart flowcharts
/Video 7 video videos watch videoclip player mediathek
/Video/Webinar 7 webinar webinars webinare
/Video/Vlog 8 vlog vlogs
/Audio/Podcast 8 podcast podcasts episode episodes
/Audio/Audiobook 8 audiobook audiobooks hoerbuch horbuch audiolibro audiolibros livre-audio
/Audio/Music 7 song songs album albums track tracks lyrics
/Audio/Sound_Byte 8 sound-bites soundbites sound-effects sounds
/Audio 6 audio audios radio
/Document/Case_Study 8 case-study case-studies customer-stories success-stories fallstudie fallstudien casos-de-exito casos-de-estudio etudes-de-cas estudos-de-caso casi-di-studio praktijkcases
/Document/Ebook 8 ebook ebooks e-book e-books
/Document/White_Paper 8 white-paper white-papers whitepaper whitepapers
/Document/Slide_Deck 8 slides slide-deck presentations slideshare prasentationen presentaciones
/Document/Research_Paper 7 paper papers abs preprint preprints doi
/Document/Template 8 template templates vorlage vorlagen plantilla plantillas modele modeles modelos modelli sjablonen shablony
/Document/Report 7 report reports annual-report annual-reports berichte jahresberichte informes rapports relatorios rapporti
/Document/Manual 7 manual manuals user-guide user-manual handbuch handbucher manuales manuels manuais manuali handleiding docs documentation
/Document/Worksheet 8 worksheet worksheets arbeitsblatt arbeitsblatter arbeitsblaetter fichas hojas-de-trabajo
/User_Generated_Content/Forum_Thread 8 thread threads viewtopic showthread discussion forum-topic f-topic
/User_Generated_Content/Discussions 7 forum forums board boards foro foros community bbs discuss
/User_Generated_Content/Q&A 8 questions question q
/User_Generated_Content/Reviews 6 product-reviews bewertungen opiniones avis recensioni otzyvy
/User_Generated_Content/Testimonials 7 testimonials testimonial kundenstimmen testimonios temoignages
/Core_Page/Blog_Index 6 topic topics tag tags tagged label category author authors archive archives schlagwort kategorie etiqueta etiquetas auteur autor
/Core_Page/Portfolio_Page 7 portfolio our-work referenzen
${FOLDERS_OF_THE_WORLD.trim()}
`);

/** `terms-and-conditions` and `termsandconditions` are one word. */
const bare = (slug: string): string => slug.replaceAll('-', '');
/** Accents and the marks of kana go from addresses, and so from the tables. */
const folded = (slug: string): string => {
  const plain = bare(slug);
  return ASCII.test(plain) ? plain : plain.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
};
const ASCII = /^[ -~]*$/;
const withoutHyphens = (table: ReadonlyMap<string, Known>): ReadonlyMap<string, Known> =>
  new Map([...table].map(([slug, known]) => [folded(slug), known] as const));
const pages = withoutHyphens(PAGES);
const folders = withoutHyphens(FOLDERS);

export function pageNamed(slug: string): Known | undefined {
  return pages.get(bare(slug));
}

export function folderNamed(slug: string): Known | undefined {
  return folders.get(bare(slug));
}
