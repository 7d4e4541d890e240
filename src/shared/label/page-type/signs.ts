import type { Page } from '../../page/page.ts';

/**
 * Words that every site of a kind puts around its things: a forum counts replies and tells who joined when, a shop
 * sorts what it lists and has a cart. One line a sign: its kind, its name, and short texts that show it,
 * without accents and numbers; a text may go on after a colon or after two words (`last post by …`).
 */
const SIGNS = `
forum threads thread threads topic topics themen temas sujets topicos discussioni onderwerpen temy watki tematy amnen тема темы тем 主题 スレッド トピック
forum posts posts beitrage messages mensajes mensagens messaggi berichten posty inlagg сообщения сообщений 帖子
forum replies replies antworten respuestas reponses respostas risposte reacties antwoorden odpowiedzi svar ответы ответов 回复 返信
forum views views hits zugriffe aufrufe vistas visitas vues visualizacoes visualizzazioni weergaven bekeken odslony просмотры просмотров 查看
forum last last-post last-reply last-message latest-post letzter-beitrag letzte-antwort ultimo-mensaje ultima-respuesta dernier-message derniere-reponse ultima-mensagem ultimo-messaggio laatste-bericht ostatni-post последнее-сообщение последний-ответ 最后发表 最終投稿
forum joined joined join-date member-since mitglied-seit registriert registriert-seit dabei-seit fecha-de-ingreso miembro-desde membre-depuis inscrit-le date-d-inscription registrado-em membro-desde iscritto-dal lid-sinds geregistreerd dolaczyl зарегистрирован регистрация дата-регистрации junior-member senior-member moderator moderators erfahrener-benutzer 注册时间
forum quote quote reply-with-quote zitieren zitat citar citer cita citeer cytuj цитата цитировать 引用
forum threads konular konu temata темы-форума θεματα المواضيع مواضيع موضوع กระทู้ หัวข้อ विषय chu-de topik 주제
forum posts gonderiler mesajlar mesaj prispevky prispevkov hozzaszolasok poruke postovi mesaje viestit viesteja indlaeg δημοσιευσεις μηνυματα المشاركات مشاركات โพสต์ bai-viet postingan
forum replies cevaplar cevap yanitlar odpovedi odgovori valaszok raspunsuri vastaukset vastauksia απαντησεις отговори відповіді الردود ردود ตอบ उत्तर tra-loi balasan 답글
forum views goruntuleme goruntulenme okunma zobrazeni zobrazenia pogledi megtekintesek vizualizari katselut visningar visninger προβολες прегледи перегляди المشاهدات مشاهدات เข้าชม luot-xem dilihat 조회 조회수
forum last son-mesaj son-gonderi posledni-prispevek posledny-prispevok zadnji-prispevek utolso-hozzaszolas ultimul-mesaj viimeisin-viesti senaste-inlagg siste-innlegg τελευταια-δημοσιευση последно-мнение останнє-повідомлення последние-сообщения آخر-مشاركة โพสต์ล่าสุด bai-viet-cuoi pesan-terakhir 마지막-글
forum joined kayit-tarihi uyelik-tarihi registrovan clenem-od csatlakozott liittynyt medlem-sedan medlem-siden εγγραφη регистриран зареєстрований репутация تاريخ-التسجيل สมัครเมื่อ tham-gia bergabung 가입일
forum quote alinti citovat idez citeaza lainaa citera sitat παραθεση اقتباس อ้างอิง trich-dan kutip 인용 ответить-с-цитатой
forum board yeni-konu nove-tema uj-tema subiect-nou uusi-aihe νεο-θεμα موضوع-جديد ตั้งกระทู้ใหม่ chu-de-moi автор-темы список-тем вернуться-к-началу кто-сейчас-на-форуме кто-сейчас-на-конференции участники-форума личное-сообщение ответить-в-тему создать-тему правила-форума
forum board board-index forum-index mark-forums-read forum-statistics forum-actions forum-rules forum-tools thread-tools topic-tools thread-starter topic-starter started-by themenstarter new-topic new-thread post-reply post-new-topic neues-thema neue-beitrage new-posts today-s-posts active-topics unanswered-topics unanswered-posts who-is-online wer-ist-online foren-ubersicht index-du-forum nuevo-tema nouveau-sujet список-форумов новая-тема
single quantity quantity qty menge anzahl cantidad quantite quantidade quantita aantal ilosc количество 数量
single stock availability in-stock out-of-stock verfugbarkeit auf-lager lieferzeit sofort-lieferbar disponibilidad en-stock disponibilite disponibilidade disponibilita beschikbaarheid op-voorraad наличие в-наличии 在庫
single order add-to-cart add-to-bag add-to-basket buy-now in-den-warenkorb anadir-al-carrito ajouter-au-panier adicionar-ao-carrinho aggiungi-al-carrello in-winkelwagen do-koszyka в-корзину カートに入れる 加入购物车
single number sku item-number item-no item product-code model model-number part-number artikelnummer artikel-nr art-nr referencia reference ref codigo artikelnr артикул код-товара 型番
single wish add-to-wishlist add-to-wish-list add-to-favorites add-to-compare auf-den-merkzettel auf-die-merkliste email-a-friend tell-a-friend send-to-a-friend
single review write-a-review be-the-first write-review submit-a-review bewertung-schreiben bewertung-abgeben escribir-una donner-votre-avis scrivi-una
single saving you-save your-price list-price retail-price sie-sparen usted-ahorra hai-risparmiato uvp rrp msrp
single about product-description product-details product-information produktbeschreibung produktdetails specifications technische-daten artikelbeschreibung descripcion-del caracteristicas-tecnicas description-du scheda-tecnica productomschrijving specificaties описание характеристики 商品説明
many sort sort-by sort sorting sortieren sortieren-nach sortierung ordenar-por ordenar trier-par trier-par trier ordina-per ordina sorteren sorteer-op sortuj сортировать сортировка 並び替え 排序
many pages per-page items-per results-per products-per show-per artikel-pro produkte-pro por-pagina par-page per-pagina показывать-по
many filter filter filters filter-by refine refine-by refine-results refine-your narrow-by narrow-your shop-by filtern filter-zurucksetzen filtrar filtrar-por filtrer filtrer-par filtra filtra-per filteren фильтр 絞り込み 筛选
many order price-low low-to-high price-ascending price-high high-to-low best-selling preis-aufsteigend preis-absteigend preis-aufwarts precio-ascendente prix-croissant prezzo-crescente prijs-laag
many view grid-view list-view view-as view-all grid list gallery-view rasteransicht listenansicht ansicht
shop cart cart my-cart view-cart shopping-cart shopping-bag your-cart basket shopping-basket my-basket checkout check-out warenkorb zur-kasse carrito mi-carrito panier mon-panier carrinho carrello winkelwagen winkelmandje koszyk корзина カート 购物车
event tickets tickets buy-tickets get-tickets book-tickets ticket tickets-kaufen karten entradas comprar-entradas billets billetterie reserver biglietti acquista-biglietti bilety билеты купить-билет チケット
event venue venue venues doors doors-open einlass veranstaltungsort spielort lugar lieu luogo locatie aanvang sold-out ausverkauft agotado complet add-to-calendar
event list all-events past-events upcoming-events more-events event-details alle-veranstaltungen kommende-veranstaltungen proximos-eventos tous-les-evenements prossimi-eventi
blog older older-posts older-entries newer-posts newer-entries older-articles previous-posts previous-entries altere-beitrage neuere-beitrage altere-artikel aeltere-beitraege altere-posts entradas-antiguas entradas-anteriores entradas-mas-antiguas articles-precedents articles-plus-anciens messages-plus-anciens postagens-mais-antigas posts-antigos posts-anteriores articoli-precedenti post-piu-vecchi articoli-meno-recenti oudere-berichten nieuwere-berichten starsze-posty starsze-wpisy poprzednie-wpisy starsi-prispevky stariji-postovi regebbi-bejegyzesek postari-mai-vechi старые-сообщения предыдущие-записи ранние-записи більш-ранні-записи παλαιοτερες-αναρτησεις eski-yazilar onceki-yayinlar aldre-inlagg eldre-innlegg aeldre-indlaeg vanhemmat-tekstit postingan-lama bai-dang-cu-hon المقالات-القديمة 過去の記事 前のページ 上一页 下一页 古い投稿 較舊的文章 이전-글
docs contents on-this-page in-this-article in-this-section table-of-contents auf-dieser-seite en-esta-pagina sur-cette-page dans-cette-page nesta-pagina in-questa-pagina op-deze-pagina na-tej-strone na-teto-strance на-этой-странице содержание-страницы на-цій-сторінці bu-sayfada di-halaman-ini tren-trang-nay ในหน้านี้ इस-पृष्ठ-पर في-هذه-الصفحة در-این-صفحه このページの内容 目次 本页目录 本页内容 本頁內容 이-페이지의-내용 목차
docs edit edit-this-page edit-on edit-on-github edit-this-page-on-github view-page-source show-source view-source improve-this-page suggest-edits suggest-changes report-a-bug-in-the-docs diese-seite-bearbeiten editar-esta-pagina modifier-cette-page modifica-questa-pagina edytuj-te-strone редактировать-страницу редактировать-эту-страницу редагувати-цю-сторінку bu-sayfayi-duzenle edit-halaman-ini chinh-sua-trang-nay แก้ไขหน้านี้ इस-पृष्ठ-को-संपादित-करें تعديل-هذه-الصفحة حرر-هذه-الصفحة このページを編集 编辑此页 編輯此頁 在-github-上编辑此页 이-페이지-편집
docs made made-with-material built-with-sphinx built-with-mkdocs built-with-docusaurus created-using-sphinx powered-by-gitbook built-with-vitepress built-with-starlight read-the-docs generated-by-doxygen generated-by-javadoc
docs next next-topic previous-topic next-chapter previous-chapter next-page-in-docs nachstes-kapitel chapitre-suivant siguiente-capitulo следующая-глава 次の章 下一章
docs helpful was-this-page-helpful was-this-helpful is-this-page-helpful war-diese-seite-hilfreich cette-page-vous-a-t-elle-ete-utile fue-util-esta-pagina была-ли-эта-страница-полезной このページは役に立ちましたか 此页面有帮助吗
recipe heading ingredients zutaten ingredientes ingredienti ingredienten skladniki suroviny hozzavalok ingredienser malzemeler sastojci ainekset ингредиенты 材料
`;

export type SignKind = 'forum' | 'single' | 'many' | 'shop' | 'event' | 'blog' | 'docs' | 'recipe';

/** How often each sign stands on the page, by kind and name: `forum replies`. */
export class Signs {
  readonly #counts = new Map<string, number>();

  add(sign: string): void {
    this.#counts.set(sign, (this.#counts.get(sign) ?? 0) + 1);
  }

  of(sign: `${SignKind} ${string}`): number {
    return this.#counts.get(sign) ?? 0;
  }

  /** Signs of a kind that stand there, each counted once. */
  distinct(kind: SignKind): number {
    return this.#of(kind).length;
  }

  total(kind: SignKind): number {
    return this.#of(kind).reduce((sum, count) => sum + count, 0);
  }

  #of(kind: SignKind): number[] {
    return [...this.#counts].flatMap(([sign, count]) => (sign.startsWith(`${kind} `) ? [count] : []));
  }
}

/** Boilerplate counts too: a sign is what a program writes around the things, and so often stands there. */
export function signsOf({ segments, links }: Page): Signs {
  const signs = new Signs();
  for (const { text } of segments.slice(0, SEGMENTS)) {
    if (text.length > SHORT) continue;
    const sign = signIn(text);
    if (sign !== undefined) signs.add(sign);
    if (DIGITS.test(text) && RANGE.test(text)) signs.add('many range');
  }
  if (links.some((href) => CART.test(href))) signs.add('shop cart');
  return signs;
}

/** By what stands before its colon, and of that all words or the first two. */
function signIn(text: string): string | undefined {
  const colon = text.indexOf(':');
  const words = wordsOf(colon > 0 ? text.slice(0, colon) : text);
  const whole = words.length <= WORDS ? table.get(words.join(' ')) : undefined;
  return whole ?? table.get(`${words[0] ?? ''} ${words[1] ?? ''}`);
}

/** Words without accents and numbers, lower case: `29 Réponses` is `reponses`. */
function wordsOf(text: string): readonly string[] {
  const plain = ASCII.test(text) ? text : text.normalize('NFD').replace(/\p{M}/gu, '');
  return plain.toLowerCase().match(/[\p{L}&]+/gu) ?? [];
}

const ASCII = /^[ -~]*$/;
/** Words of the longest sign. */
const WORDS = 4;
/** Segments that are looked at, and characters of the longest that is a sign. */
const SEGMENTS = 3000;
const SHORT = 60;
const DIGITS = /\d\s(?:\p{L}{1,4}|\/)\s\d/u;
/** `1–20 of 97`, `Page 2 of 9`. */
const RANGE =
  /\b\d+\s?(?:[-–—]|to|bis|a|à|до)\s?\d+\s(?:of|von|de|sur|di|van|из|z|av|\/)\s\d+|\b(?:page|seite|página|pagina|strona|страница)\s\d+\s(?:of|von|de|sur|di|van|из|z|\/)\s\d+/iu;
const CART =
  /\/(?:[a-z]*-?cart|basket|checkout|warenkorb|kasse|carrito|panier|carrinho|carrello|winkelwagen|winkelmandje|koszyk|korzina)(?:[/.?]|$)|[?&]route=checkout/i;

const table: ReadonlyMap<string, string> = new Map(
  SIGNS.trim()
    .split('\n')
    .flatMap((line) => {
      const [kind = '', name = '', ...texts] = line.split(' ');
      return texts.map((text) => [wordsOf(text).join(' '), `${kind} ${name}`] as const);
    }),
);
