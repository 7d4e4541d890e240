import type { Diagnostic } from '../../api/diagnostic.ts';
import type { Quoted, Regex, Wildcard, Words } from '../ast.ts';
import { diagnostic, shown } from '../codes.ts';
import type { Field } from '../fields.ts';
import { bareOrQuoted, escapeValue } from '../syntax/print.ts';

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/**
 * Warns of what no page's `url` or `domain` can be. Both are compared as the crawler writes them: a host in lower case
 * and ASCII, an address with its scheme and, after the host, its slash.
 */
export function checkAddress(leaf: Words | Quoted | Wildcard | Regex, field: Field): Diagnostic[] {
  if (field.name !== 'url' && field.name !== 'domain') return [];
  const meant = meantBy(leaf, field.name);
  if (!meant) return [];
  const hint = { message: `Write ${shown(meant.replacement)}.`, replacement: meant.replacement };
  const message = `No page has such a ${field.name}: ${meant.why}.`;
  return [diagnostic('impossible_value', leaf.span, message, { field: field.name, hint })];
}

interface Meant {
  readonly why: string;
  readonly replacement: string;
}

/** Undefined when nothing is wrong, or nothing is known to be. */
function meantBy(leaf: Words | Quoted | Wildcard | Regex, name: 'url' | 'domain'): Meant | undefined {
  if (leaf.kind === 'regex') return anchored(leaf.pattern) ?? twiceEscaped(leaf.pattern);
  if (leaf.kind === 'wildcard') return name === 'domain' ? lowerCased(leaf.pattern) : undefined;
  const value = leaf.kind === 'quoted' ? leaf.text : leaf.words.length === 1 ? leaf.words[0]?.text : undefined;
  if (value === undefined) return undefined;
  if (leaf.kind === 'quoted' && /^\*[^*]|[^*]\*$/.test(value)) {
    return { why: 'a * in quotes is an ordinary character', replacement: escapeValue(value, '*') };
  }
  return name === 'url' ? address(value) : host(value);
}

function anchored(pattern: string): Meant | undefined {
  if (!pattern.startsWith('^')) return undefined;
  const replacement = `/${pattern.slice(1).replace(/(?<!\\)\$$/, '')}/`;
  return { why: 'a regex fits the whole of it, and ^ is an ordinary character', replacement };
}

/** One that every text must go through: outside classes, and nothing in the regex is one of several ways. */
const BACKSLASH_AND_SLASH = /^(?:[^\\[|~&]|\\[^\\]|\[(?:[^\\\]]|\\.)*\])*\\\\\/(?!.*(?:[|~&]|\)[?*{]))/s;

/** In a JSON body the backslash of `\/` is written twice; written so elsewhere it is a backslash, and then a slash. */
function twiceEscaped(pattern: string): Meant | undefined {
  if (!BACKSLASH_AND_SLASH.test(pattern)) return undefined;
  const replacement = `/${pattern.replaceAll('\\\\/', '\\/')}/`;
  return { why: 'two backslashes in a regex are one in the address, and no path has one', replacement };
}

function lowerCased(pattern: string): Meant | undefined {
  const lower = pattern.toLowerCase();
  if (lower === pattern) return undefined;
  return { why: 'hosts are written in lower case', replacement: escapeValue(lower, '*?') };
}

function address(value: string): Meant | undefined {
  if (value === '' || /[\s*]/.test(value)) return undefined;
  if (!SCHEME.test(value)) {
    return { why: 'an address begins with its scheme', replacement: `*${escapeValue(value)}*` };
  }
  const written = hrefOf(value);
  if (written === undefined || written === value) return undefined;
  return { why: `it is written ${shown(written)}`, replacement: bareOrQuoted(written) };
}

function host(value: string): Meant | undefined {
  if (/^[^\s,]+(?:,[^\s,]+)+$/.test(value)) {
    const replacement = `(${value.split(',').map(bareOrQuoted).join(' OR ')})`;
    return { why: 'there is a comma in it', replacement };
  }
  const [, name = ''] = /^(?:[a-z]+:\/\/)?([^/:?#@[\]\s]+)\/?$/i.exec(value) ?? [];
  const written = name && hrefOf(`http://${name}`)?.slice('http://'.length, -1);
  if (!written || written === value) return undefined;
  return { why: `it is written ${shown(written)}`, replacement: bareOrQuoted(written) };
}

function hrefOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).href : undefined;
}
