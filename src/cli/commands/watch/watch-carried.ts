/**
 * What of another tool's job a watch can have. What decides what is read (selectors, the request) has to be carried over, or
 * the job is refused: a watch of something else would report what nobody asked for. Of what only keeps reports away, a loss
 * is a note.
 */

import type { WatchOptions } from '../../../shared/api/watch.ts';
import { WATCH_IGNORES, WATCH_OPTION_LENGTH, WATCH_SELECTORS } from '../../../shared/limits.ts';
import { checkPattern, isPattern } from '../../../shared/page/select/ignored-lines.ts';
import { checkSelector } from '../../../shared/page/select/selectors.ts';
import { cssOfXPath } from '../../../shared/page/select/xpath/css-of-xpath.ts';
import { quoted } from '../../../shared/text/printable.ts';
import { CannotWork, type WatchEntry } from './watch-entry.ts';

/** A selector as CSS: it is that, or an XPath. @throws {CannotWork} */
export function cssOf(written: string, url: string): readonly string[] {
  const selector = written.trim();
  const shown = selector.slice(0, 100);
  if (isJsonPath(selector)) {
    throw new CannotWork(
      `"${shown}" selects in JSON, which hydrant reads as lines such as price: 25`,
      tryIt(url, " --ignore '/expression/'"),
    );
  }
  const xpath = /^xpath1?:(.*)$/s.exec(selector)?.[1]?.trim() ?? selector;
  const isXPath = xpath !== selector || isLikeXPath(selector);
  if (!isXPath) {
    const complaint = complaintOf(selector);
    if (complaint === undefined) return [selector];
    throw new CannotWork(`"${shown}" is no CSS selector: ${complaint}`, tryIt(url));
  }
  const found = cssOfXPath(xpath);
  if (!found.isOk) {
    const { reason, element } = found;
    const next = element === undefined ? tryIt(url) : `hydrant watch add ${quoted(url)} --select ${quoted(element)}`;
    throw new CannotWork(`the XPath "${xpath.slice(0, 100)}" is not possible in CSS: ${reason}`, next);
  }
  const wrong = found.selectors.map(complaintOf).find((complaint) => complaint !== undefined);
  if (wrong !== undefined)
    throw new CannotWork(`the XPath "${xpath.slice(0, 100)}" is too much for CSS: ${wrong}`, tryIt(url));
  return found.selectors;
}

/** The same of what is left out: nothing where it is not possible, as then more is reported, and nothing less. */
export function ignoredOf(written: string, url: string, notes: string[]): readonly string[] {
  try {
    return cssOf(written, url);
  } catch (error) {
    if (!(error instanceof CannotWork)) throw error;
    notes.push(`what it leaves out is compared, too: ${error.message}`);
    return [];
  }
}

/** Where people see what is read, and choose. */
export function tryIt(url: string, flags = ' --select CSS'): string {
  return `see what can be watched with: hydrant watch try ${quoted(url)}${flags}`;
}

function isJsonPath(selector: string): boolean {
  return /^(?:\$|(?:json|jq|jqraw):)/.test(selector);
}

function isLikeXPath(selector: string): boolean {
  return /^(?:\/|\.\/|\.\.|\(\/|\(\.)/.test(selector);
}

/** Headers of a request that are not sent. @throws {CannotWork} for those that let somebody in */
export function refuseLogin(headers: Iterable<string>): void {
  const secret = [...headers].find((name) => SECRET.test(name));
  if (secret !== undefined) {
    throw new CannotWork(
      `it sends ${secret.slice(0, 60)}, and hydrant logs in nowhere`,
      'watch a page that needs no login, such as a feed',
    );
  }
}

const SECRET = /cookie|auth|token|key|secret|session|csrf|xsrf|passw|signature/i;

/** @throws {CannotWork} for what is not fetched with GET alone */
export function refuseBody(method: unknown, body: unknown): void {
  const name = typeof method === 'string' && method !== '' ? method.toUpperCase() : 'GET';
  const hasBody = body !== undefined && body !== null && body !== '' && body !== false;
  if (name === 'GET' && !hasBody) return;
  const what = name === 'GET' ? 'a request body' : `a ${name.slice(0, 20)} request`;
  throw new CannotWork(
    `it sends ${what}, and hydrant only asks with GET`,
    'watch a page that shows the same under an address of its own',
  );
}

export function browserNeeded(url: string, what: string): CannotWork {
  return new CannotWork(
    `${what}, and hydrant has no browser`,
    `if the page can be read without one, add it: hydrant watch try ${quoted(url)}`,
  );
}

/** Lines with a text, in either case, or with a match of `/expression/flags`. */
export function linePattern(text: string): string {
  const [, expression, flags = ''] = /^\/(.+)\/([a-z]*)$/s.exec(text.trim()) ?? [];
  if (expression === undefined) return `/${literal(text.trim())}/i`;
  return `/${expression}/${flags.includes('i') ? 'i' : ''}`;
}

/** A text as an expression that matches it alone. */
function literal(text: string): string {
  return text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
}

/** Options as a watch may have them; what there is no room for, or cannot be read, is left out with a note. */
export function carried({
  select = [],
  ignore = [],
  only,
}: Partial<WatchOptions>): Pick<WatchEntry, 'options' | 'notes'> {
  const notes: string[] = [];
  const usable = (all: readonly string[], most: number): string[] => {
    const kept = [...new Set(all)].filter((one) => {
      const complaint = complaintOf(one);
      if (complaint !== undefined) notes.push(`"${one.slice(0, 100)}" is left out: ${complaint}`);
      return complaint === undefined;
    });
    if (kept.length > most) notes.push(`${kept.length - most} more than ${most} selectors or patterns are left out`);
    return kept.slice(0, most);
  };
  const [selected, ignored] = [usable(select, WATCH_SELECTORS), usable(ignore, WATCH_IGNORES)];
  const options = {
    ...(selected.length > 0 && { select: selected }),
    ...(ignored.length > 0 && { ignore: ignored }),
    ...(only && { only }),
  };
  return { ...(Object.keys(options).length > 0 && { options }), notes };
}

function complaintOf(text: string): string | undefined {
  if (text.length > WATCH_OPTION_LENGTH) return `it is longer than ${WATCH_OPTION_LENGTH} characters`;
  const complaint = isPattern(text) ? checkPattern(text) : checkSelector(text);
  return complaint?.replace(/\.$/, '');
}
