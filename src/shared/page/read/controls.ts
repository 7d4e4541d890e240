import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { carriesFigure, carriesPrice } from './figures.ts';
import { cut, fold } from './fold.ts';
import { attribute, isElement, isText } from './walk.ts';

/** What a control says to a reader, and whether it is a line of its own. */
export interface ControlText {
  readonly text: string;
  readonly apart: boolean;
}

/**
 * The text of a control that belongs to what a page says: a button that sells ("Add to cart", "Sold out", "Buy for
 * $19"), the options of a choice that have prices or are chosen, a field that nobody can change. All other controls are
 * the machinery of the page. `⊘` marks a button that is switched off, `✓` the option that is chosen.
 */
export function controlText(element: Tree.Element): ControlText | undefined {
  const tag = element.tagName;
  if (tag === 'button') return buttonText(element, textWithin(element));
  if (tag === 'input') return fieldText(element);
  return tag === 'option' ? optionText(element) : undefined;
}

/** Whether a choice is one of the page's offers and not a list of countries, years or languages. */
export function isChoice(select: Tree.Element): boolean {
  let options = 0;
  for (const child of select.childNodes) if (isElement(child)) options += 1 + child.childNodes.filter(isElement).length;
  return options <= OPTIONS;
}

export function isControl(tag: string): boolean {
  return CONTROLS.has(tag);
}

const CONTROLS: ReadonlySet<string> = new Set(['button', 'input', 'option']);
const OPTIONS = 60;
/** Characters of a button or an option. */
const LABEL_LENGTH = 200;

function buttonText(element: Tree.Element, label: string): ControlText | undefined {
  if (label === '' || !(carriesPrice(label) || SELLING.test(label) || isNamedForSelling(element))) return undefined;
  return { text: isOff(element) ? `⊘ ${label}` : label, apart: true };
}

function isOff(element: Tree.Element): boolean {
  return attribute(element, 'disabled') !== undefined || attribute(element, 'aria-disabled') === 'true';
}

/** Names of a page's code are mostly English, whatever it says to its readers. */
function isNamedForSelling(element: Tree.Element): boolean {
  for (const { name, value } of element.attrs) {
    if (NAMING.has(name) && value.length <= LABEL_LENGTH && SELLING_NAME.test(value)) return true;
  }
  return false;
}

const NAMING: ReadonlySet<string> = new Set([
  'class',
  'id',
  'name',
  'data-action',
  'data-testid',
  'data-test',
  'itemprop',
]);
const SELLING_NAME =
  /(?:^|[^a-z])(?:add|move)[-_ ]?to[-_ ]?(?:cart|basket|bag|trolley)|addto(?:cart|basket|bag)|(?:^|[^a-z])(?:buy|purchase|checkout|order|preorder|pre-order|reserve|book)[-_ ]?(?:now|button|btn|box|it)|sold[-_]?out|out[-_]?of[-_]?stock|in[-_]?stock|back[-_]?in[-_]?stock|(?:warenkorb|panier|carrito|carrello|winkelwagen|koszyk)(?:[^a-z]|$)/i;

/** What the buttons of shops say, sold out or not, in the languages that most shops are in. */
const SELLING = new RegExp(
  `(?<!\\p{L})(?:${[
    'add to (?:(?:my|your|the) )?(?:cart|basket|bag|trolley|order)',
    '(?:buy|order|shop|book|reserve|rent|pre-?order|get tickets?|buy tickets?)(?: it| this)?(?: now| online| today)?$',
    '(?:sold|selling) out|out of stock|in stock|(?:currently |temporarily )?unavailable|back-?order(?:ed)?|discontinued|coming soon|join (?:the )?wait(?:ing)? ?list|notify me|email me when',
    'in den (?:warenkorb|einkaufswagen)|(?:jetzt |sofort )?(?:kaufen|bestellen|vorbestellen|buchen|reservieren)|ausverkauft|vergriffen|nicht (?:verfügbar|lieferbar|auf lager)|auf lager|warteliste',
    'ajouter au panier|(?:acheter|commander|précommander|réserver)(?: maintenant)?|épuisée?s?|rupture de stock|indisponible|en stock|me prévenir',
    'añadir (?:al carrito|a la (?:cesta|bolsa))|agregar al carrito|(?:comprar|reservar|pedir)(?: (?:ahora|ya))?|agotad[oa]s?|sin (?:stock|existencias)|no disponible|avísame',
    'aggiungi al carrello|(?:acquista|compra|ordina|prenota)(?: (?:ora|subito))?|esaurit[oa]|non disponibile|avvisami',
    'adicionar ao (?:carrinho|cesto)|comprar(?: (?:agora|já))?|esgotad[oa]|indisponível|avise-?me',
    'in (?:(?:mijn|je) )?winkel(?:wagen|mand(?:je)?)|(?:nu )?(?:kopen|bestellen)|uitverkocht|niet (?:beschikbaar|op voorraad|leverbaar)|op voorraad',
    'dodaj do koszyka|do koszyka|kup(?: teraz)?|zamów|wyprzedan[ey]|niedostępn[ey]|brak w magazynie',
    'lägg i (?:varukorgen|kundvagnen)|köp(?: nu)?|slutsåld|slut i lager|i lager',
    'læg i (?:kurv(?:en)?|indkøbskurv)|legg i handlekurv(?:en)?|køb(?: nu)?|kjøp(?: nå)?|udsolgt|utsolgt|på lager',
    'lisää (?:ostos)?koriin|osta(?: nyt)?|loppuunmyyty|ei saatavilla|varastossa',
    'přidat do košíku|(?:vložit )?do košíku|koupit|vyprodáno|není skladem|skladem|pridať do košíka|vypredané',
    'kosárba|megveszem|elfogyott|készleten|adaugă în coș|cumpără|stoc epuizat|indisponibil',
    'добавить в корзину|в корзину|купить|заказать|предзаказ|распродано|нет в наличии|в наличии|додати (?:в|до) кошик[ау]?|купити|немає в наявності|в наявності',
    'sepete ekle|(?:hemen |şimdi )?satın al|tükendi|stokta (?:yok|var)',
    'προσθήκη στο καλάθι|αγορά|εξαντλήθηκε|μη διαθέσιμο',
    'thêm vào giỏ(?: hàng)?|mua ngay|hết hàng|tambah(?:kan)? ke (?:keranjang|troli)|beli sekarang|stok habis|habis',
  ].join(
    '|',
  )})(?!\\p{L})|カート(?:に(?:入れる|追加)|へ)|かごに(?:入れる|追加)|購入|予約する|注文する|売り切れ|売切|在庫(?:切れ|なし|あり)|品切れ|完売|入荷|장바구니|구매|주문하기|품절|재입고|매진|加入(?:购物车|購物車|购物袋)|加入購物籃|立即(?:购买|購買|订购|預訂)|购买|購買|结算|缺货|缺貨|售罄|售完|已售|到货通知|หยิบใส่ตะกร้า|เพิ่มลง(?:ใน)?(?:ตะกร้า|รถเข็น)|ซื้อ|สินค้าหมด|कार्ट में (?:डालें|जोड़ें)|खरीदें|स्टॉक में नहीं|أضف (?:إلى|الى) (?:السلة|العربة|عربة)|اشتر|شراء|نفد|غير متوفر|הוסף לסל|הוספה לסל|קנה|אזל`,
  'iu',
);

function fieldText(element: Tree.Element): ControlText | undefined {
  const type = attribute(element, 'type')?.trim().toLowerCase() ?? 'text';
  const value = fold(cut(attribute(element, 'value') ?? '', LABEL_LENGTH));
  if (type === 'submit' || type === 'button') return buttonText(element, value);
  const isFixed = attribute(element, 'readonly') !== undefined || isOff(element);
  return isFixed && WRITTEN.has(type) && value !== '' ? { text: ` ${value} `, apart: false } : undefined;
}

/** Types of fields whose value is shown as text. */
const WRITTEN: ReadonlySet<string> = new Set([
  'text',
  'number',
  'date',
  'datetime-local',
  'month',
  'time',
  'week',
  'tel',
]);

function optionText(element: Tree.Element): ControlText | undefined {
  const label = textWithin(element);
  const isChosen = attribute(element, 'selected') !== undefined;
  if (label === '' || !(isChosen || carriesFigure(label))) return undefined;
  return { text: isChosen ? `✓ ${label}` : label, apart: true };
}

/** The text inside an element on one line, cut to the length of a label. */
export function textWithin(element: Tree.Element): string {
  const waiting: Tree.Node[] = [element];
  let text = '';
  let left = NODES;
  for (let node = waiting.pop(); node && left > 0 && text.length < LABEL_LENGTH; node = waiting.pop()) {
    left -= 1;
    if (isText(node)) text += node.value.slice(0, LABEL_LENGTH);
    else if (isElement(node) && !UNREAD.has(node.tagName)) {
      text += ' ';
      waiting.push(...node.childNodes.slice(0, NODES).reverse());
    }
  }
  return fold(cut(text, LABEL_LENGTH));
}

/** Nodes inside a button that are looked at. */
const NODES = 60;
const UNREAD: ReadonlySet<string> = new Set(['script', 'style', 'svg', 'template']);
