/**
 * What of another tool's job a watch can have. What decides what is read (selectors, the request) has to be carried over, or
 * the job is refused: a watch of something else would report what nobody asked for. Of what only keeps reports away, a loss
 * is a note.
 */

import { checkedHeaders } from '../../../shared/api/header-lines.ts';
import type { RequestChange } from '../../../shared/api/own-request.ts';
import type { WatchOptions } from '../../../shared/api/watch.ts';
import { OWN_TIMEOUT_SECONDS, WATCH_IGNORES, WATCH_OPTION_LENGTH, WATCH_SELECTORS } from '../../../shared/limits.ts';
import { checkPattern, isPattern } from '../../../shared/page/select/ignored-lines.ts';
import { isObject } from '../../../shared/page/json-value.ts';
import { isJsonPath } from '../../../shared/page/select/json-path.ts';
import { checkSelector } from '../../../shared/page/select/selectors.ts';
import { cssOfXPath } from '../../../shared/page/select/xpath/css-of-xpath.ts';
import { quoted } from '../../../shared/text/printable.ts';
import { CannotWork, texts, type WatchEntry } from './watch-entry.ts';

/** A selector as CSS: it is that, or an XPath. @throws {CannotWork} */
export function cssOf(written: string, url: string): readonly string[] {
  const selector = written.trim();
  const path = jsonPathOf(selector);
  if (path !== undefined) return [checkedJsonPath(path, selector, url)];
  const xpath = /^xpath1?:(.*)$/s.exec(selector)?.[1]?.trim() ?? selector;
  const isXPath = xpath !== selector || isLikeXPath(selector);
  if (!isXPath) {
    const complaint = complaintOf(selector);
    if (complaint === undefined) return [selector];
    throw new CannotWork(`"${selector.slice(0, 100)}" is no CSS selector: ${complaint}`, tryIt(url));
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

function checkedJsonPath(path: string, written: string, url: string): string {
  const complaint = isJsonPath(path) ? complaintOf(path) : 'it is a program of jq, and no path';
  if (complaint === undefined) return path;
  const shown = written.slice(0, 100);
  const next = tryIt(url, ` --jsonpath '$.name'`);
  throw new CannotWork(`"${shown}" selects in JSON, and cannot be carried over: ${complaint}`, next);
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

/** What selects in JSON, as JSONPath where it is that, or a path of jq; undefined for what does not. */
function jsonPathOf(selector: string): string | undefined {
  const [, kind, written = ''] = /^(json|jq|jqraw):(.*)$/s.exec(selector) ?? [];
  if (kind === undefined) return isJsonPath(selector) ? selector : undefined;
  const path = written.trim();
  const isPath = kind !== 'json' && /^(?:\.|(?:\.[A-Za-z_]\w*|\.?\[\d*\])+)$/.test(path);
  return isPath ? `$${path.replaceAll('[]', '[*]').replaceAll('.[', '[').replace(/^\.$/, '')}` : path;
}

function isLikeXPath(selector: string): boolean {
  return /^(?:\/|\.\/|\.\.|\(\/|\(\.)/.test(selector);
}

/** What another tool says of its request. Headers and cookies by name; a body as text, or as what JSON or a form is made of. */
export interface ForeignRequest {
  readonly method?: unknown;
  readonly headers?: unknown;
  readonly cookies?: unknown;
  readonly body?: unknown;
  readonly json?: unknown;
  readonly proxy?: unknown;
  /** Seconds. */
  readonly timeout?: unknown;
}

/** The same for a watch; what of it is hydrant's own to send is left out with a note. @throws {CannotWork} */
export function requestIn(said: ForeignRequest, url: string, notes: string[]): RequestChange | undefined {
  const headers = headersOf(said, notes);
  const body = bodyOf(said);
  const proxy = proxyOf(said, notes);
  const seconds = secondsOf(said);
  const request = {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(methodOf(said, body, url) === 'POST' && { method: 'POST' as const }),
    ...(body !== undefined && { body }),
    ...(proxy !== undefined && { proxy }),
    ...(seconds !== undefined && { timeout_seconds: seconds }),
  };
  return Object.keys(request).length > 0 ? request : undefined;
}

function methodOf({ method: said }: ForeignRequest, body: string | undefined, url: string): 'GET' | 'POST' | undefined {
  const method = typeof said === 'string' && said !== '' ? said.toUpperCase() : undefined;
  if (method === undefined || method === 'POST') return method;
  if (method !== 'GET') {
    throw new CannotWork(`it asks with ${method.slice(0, 20)}, and hydrant asks with GET and POST alone`, tryIt(url));
  }
  if (body !== undefined) throw new CannotWork('it sends a body with GET', tryIt(url, ' --data @FILE'));
  return method;
}

function proxyOf({ proxy }: ForeignRequest, notes: string[]): string | undefined {
  if (proxy === undefined || proxy === '') return undefined;
  if (typeof proxy === 'string' && /^https?:/.test(proxy)) return proxy;
  notes.push('its proxy is not an HTTP proxy, and is not used');
  return undefined;
}

/** Within the limits of what a watch may wait. */
function secondsOf({ timeout }: ForeignRequest): number | undefined {
  const { least, most } = OWN_TIMEOUT_SECONDS;
  if (typeof timeout !== 'number' || timeout <= 0) return undefined;
  return Math.min(Math.max(Math.round(timeout), least), most);
}

function headersOf({ headers, cookies, json }: ForeignRequest, notes: string[]): Record<string, string> {
  const found: Record<string, string> = json === undefined ? {} : { 'content-type': 'application/json' };
  for (const [written, value] of Object.entries(isObject(headers) ? headers : {})) {
    const name = written.trim().toLowerCase();
    const text = wordOf(value).trim();
    if (/\{[{%]/.test(text))
      throw new CannotWork(`its header ${name.slice(0, 60)} is a template`, 'set it with: --headers-from');
    const fault = checkedHeaders({ [name]: text });
    if (fault === undefined) found[name] = text;
    else notes.push(`its header ${name.slice(0, 60)} is not sent`);
  }
  const pairs = isObject(cookies)
    ? Object.entries(cookies).map(([name, value]) => `${name}=${wordOf(value)}`)
    : texts(cookies);
  if (pairs.length > 0) found['cookie'] = [found['cookie'], ...pairs].filter((one) => one !== undefined).join('; ');
  return found;
}

function wordOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function bodyOf({ body, json }: ForeignRequest): string | undefined {
  if (json !== undefined && json !== null) return JSON.stringify(json);
  if (isObject(body)) {
    const fields = Object.entries(body).map(([name, value]): [string, string] => [name, wordOf(value)]);
    return new URLSearchParams(fields).toString();
  }
  return wordOf(body) === '' || body === false ? undefined : wordOf(body);
}

/** The option of a watch whose page is shown in a browser there. */
export const RENDERED: Partial<WatchOptions> = { render: {} };

export function browserNeeded(url: string, what: string): CannotWork {
  return new CannotWork(
    `${what}, and hydrant only shows a page in a browser`,
    `see what can be read of it: hydrant watch try ${quoted(url)} --render`,
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
