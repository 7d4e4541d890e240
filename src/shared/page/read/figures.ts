/**
 * Whether a short text carries a figure that people watch a page for: a price, a percentage, a version, an amount. A
 * headline with a number in it ("5 things to know") carries none, and neither do dates, times and counters of pages.
 */
export function carriesFigure(text: string): boolean {
  if (text.length > FIGURE_LENGTH || !DIGIT.test(text)) return false;
  return PRICE.test(text) || VERSION.test(text) || (text.length <= AMOUNT_LENGTH && AMOUNT.test(text));
}

export function carriesPrice(text: string): boolean {
  return text.length <= FIGURE_LENGTH && DIGIT.test(text) && PRICE.test(text);
}

/** Characters: what is longer is a text that has a figure in it. */
const FIGURE_LENGTH = 200;
const AMOUNT_LENGTH = 60;
const DIGIT = /\p{Nd}/u;
/** ISO 4217's codes of the currencies that prices on the web are mostly in, and the words and signs beside them. */
const CODES =
  'USD|EUR|GBP|JPY|CNY|RMB|INR|CHF|CAD|AUD|NZD|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|RSD|UAH|RUB|TRY|ILS|AED|SAR|EGP|ZAR|NGN|KES|BRL|MXN|ARS|CLP|COP|PEN|KRW|TWD|HKD|SGD|MYR|IDR|THB|PHP|VND|PKR|BDT|LKR|KZT|GEL';
const SIGNS = String.raw`\p{Sc}|(?:US|CA|AU?|NZ|HK|NT|S|R|C)\$|(?<!\p{L})(?:kr|zł|Kč|Ft|lei|лв|руб|грн|din|TL|Rs|Rp|RM|Fr|S/|R(?= ?\d))\b\.?|(?<!\p{L})(?:kr|zł|Kč|руб|лв|грн|Rs)\.?(?!\p{L})|[円元원₫]|บาท|दिरहम|रुपये|ريال|درهم|جنيه`;
const NUMBER = String.raw`\p{Nd}[\p{Nd}.,'’\u00a0\u202f  ]{0,15}(?:[.,]-|,–)?`;
const WORDS =
  '(?:euros?|dollars?|pounds?|francs?|kronor|kroner|kroon[ae]?|zlotych|złotych|reais|pesos|rubles?|рубл\\p{L}{0,3}|гривен\\p{L}?|lira|yen|yuan|won|rupees?)';
/** Millions are the news of a story. */
const NO_SUM =
  '(?!\\p{Nd}| ?(?:[bmkt]|bn|mn|mln|mio|mrd|million|billion|trillion|milliard|millones|milion\\p{L}?|миллион|млн|млрд)(?!\\p{L}))';
const PRICE = new RegExp(
  `(?:${SIGNS}|\\b(?:${CODES})) ?${NUMBER}${NO_SUM}|${NUMBER} ?(?:${SIGNS}|(?:${CODES})\\b|${WORDS}(?!\\p{L}))`,
  'iu',
);
const VERSION =
  /(?<![\p{L}\d.])v?\d{1,4}(?:\.\d{1,6}){2,3}(?:[-+.][\w.]{1,20})?(?![\d.])|(?<!\p{L})(?:v|ver\.?|version|release) ?\d+(?:\.\d+)*/iu;
/** A percentage, or a figure with a unit beside it, or one that is all there is. */
const AMOUNT =
  /\p{Nd}[\p{Nd}.,]* ?(?:%|٪|‰|°[CF]?|[kMGT]i?B(?:\/s)?\b|[kMG]bit\/s|[kMG]bps|[kM]?W(?:h|p)?\b|mAh\b|(?:k|c|m|µ)?[mgl]\b|kWh|kcal|inch|cm[²2³3]|m[²2³3]|sq\.? ?ft|lbs?\b|oz\b|km\/h|mph)|^[+\-−±]?\p{Nd}[\p{Nd}.,' ]{3,}$/u;
