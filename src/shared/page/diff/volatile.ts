import { isToday, isTimeTaken, withoutClocks } from './clocks.ts';
import { withoutCounters } from './counters.ts';
import { asciiWidth } from './edits.ts';
import { type RelativeTime, withoutRelativeTimes } from './relative-time.ts';

/**
 * Text that changes by itself, told by its form: "3 hours ago", "1,204 views", "Updated 14:05", a request id. Two
 * texts of the same form say the same thing to a reader, so one giving way to the other is no change.
 *
 * Narrow on purpose. Folding every digit would make noise vanish and with it a price, a version, a number of cases:
 * a figure counts unless its own words say that it is a clock or a counter. A date without a time of day counts too
 * ("Last updated: 3 March" is how a privacy policy says that it changed).
 *
 * @param previous the line before, which may be the label of a time that stands alone
 */
export function volatileForm(text: string, previous?: string): VolatileForm | undefined {
  if (text.length > LONGEST) return undefined;
  const plain = asciiWidth(text);
  const reasons: string[] = [];
  const relative = withoutRelativeTimes(plain, previous);
  let { form } = relative;
  if (form !== plain) reasons.push('relative time');
  for (const { reason, marked } of FORMS) {
    if (!HAS_DIGIT.test(form)) break;
    const next = marked(form);
    if (next !== form) reasons.push(reason);
    form = next;
  }
  return reasons.length === 0 ? undefined : { form, reason: reasons.join(', '), sinceEvents: relative.sinceEvents };
}

interface VolatileForm {
  /** Equal for texts that differ in volatile parts only. */
  readonly form: string;
  /** What kind of volatile text it is, for people. */
  readonly reason: string;
  /** What has to be asked, too, before two texts of one form are the same (`hasHappenedAgain`). */
  readonly sinceEvents: RelativeTime['sinceEvents'];
}

/** A title without the number of unread messages that some sites put before it, and without its counters. */
export function stableTitle(title: string): string {
  const bare = title.replace(/^[([]\d{1,4}\+?[)\]]\s*/, '');
  return volatileForm(bare)?.form ?? bare;
}

/** Characters of a text that is looked at: a clock stands in a line, not in a chapter. */
const LONGEST = 500;

/** Nothing but relative times goes without. */
const HAS_DIGIT = /\d/;

/** The id of a visit is random: a number that people are given is short, or counts ("Event ID: 4711-2026-0012"). */
const VISIT_ID =
  /(?<!\p{L})((?:ray|request|session|trace|correlation|render|visit)[ -]?id|id de (?:la )?(?:requête|session|petición|solicitud|sesión|sessão|requisição)|id (?:richiesta|sessione)|(?:anfrage|sitzungs)-?id|(?:sessie|verzoek)-?id|id (?:запроса|сеанса|сессии)|(?:请求|請求|会话|會話) ?id|(?:リクエスト|セッション) ?id|jsessionid|phpsessid|sid|nonce)\W{1,4}(?=[a-z.+/=_-]*\d)[\w.+/=-]{16,}/giu;
/** "© 2019–2026", "Copyright (c) 2026": years go on by themselves in January, and say nothing of the page. */
const COPYRIGHT_YEARS =
  /((?:©|\u24b8|&copy;|(?<!\p{L})copyright(?: ?(?:©|\(c\)))?|^\(c\))[ :,]*(?:by )?)(?:19|20)\d{2}(?: ?[-–—/,] ?(?:(?:19|20)\d{2}|\d{2}(?!\d)|present|today|heute|now))?(?!\d|[-–./]\d)/giu;
const YEARS_BEHIND_NAME =
  /((?:©|(?<!\p{L})copyright ?\(c\)) [^\d|·•.;]{1,60}?[ ,])(?:19|20)\d{2}(?: ?[-–—/,] ?(?:(?:19|20)\d{2}|\d{2}(?!\d)))?(?=[.,;| ]|$)/giu;
const YEARS_BEFORE_MARK = /(?<!\d)(?:(?:19|20)\d{2} ?[-–—] ?)?(?:19|20)\d{2}(?= ?©)/gu;

interface Form {
  readonly reason: string;
  readonly marked: (text: string) => string;
}

const FORMS: readonly Form[] = [
  { reason: 'counter', marked: withoutCounters },
  { reason: 'clock', marked: withoutClocks },
  { reason: 'date of today', marked: (text) => (isToday(text) ? '\u0004' : text) },
  { reason: 'time taken', marked: (text) => (isTimeTaken(text) ? '\u0005' : text) },
  { reason: 'id', marked: (text) => text.replace(VISIT_ID, '$1\u0006') },
  { reason: 'copyright year', marked: withoutCopyrightYears },
];

function withoutCopyrightYears(text: string): string {
  if (!COPYRIGHT.test(text)) return text;
  const form = text.replace(COPYRIGHT_YEARS, '$1\u0007').replace(YEARS_BEFORE_MARK, '\u0007');
  return form === text ? text.replace(YEARS_BEHIND_NAME, '$1\u0007') : form;
}

const COPYRIGHT = /©|copyright|\(c\)|\u24b8/i;
