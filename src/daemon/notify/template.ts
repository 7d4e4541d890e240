import type { Message } from './sink-kind.ts';
import { changedLines, moreOf, oneLine, plainly, titleOf, webUrl } from './message-lines.ts';
import { MESSAGE_FIELDS } from '../../shared/api/notify-values.ts';
import { SINK_TEMPLATE_LENGTH } from '../../shared/limits.ts';

/**
 * The text of a message as the operator wants it: `{title}: {url}` and so on. Fields are put in once, each escaped as the kind
 * needs it: what a page says is never read as a template, nor as mark-up. There is no logic; a field without a value is empty.
 */
export type Template = readonly Part[];

type Part = { readonly text: string } | { readonly field: TemplateField };

export type TemplateField = (typeof MESSAGE_FIELDS)[number];

/** `detail`: what is wrong and where, as a sentence: `character 8: "titel" is no field; …`. */
export type ParsedTemplate =
  | { readonly ok: true; readonly template: Template }
  | { readonly ok: false; readonly detail: string };

/** `{name}` is a field, `{{` and `}}` are braces, everything else stands for itself. */
export function parseTemplate(text: string): ParsedTemplate {
  if (text.length > SINK_TEMPLATE_LENGTH) {
    return {
      ok: false,
      detail: `a template has at most ${SINK_TEMPLATE_LENGTH} characters; this one has ${text.length}`,
    };
  }
  const parts: Part[] = [];
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    const part = partOf(token);
    if (typeof part === 'string') return { ok: false, detail: `character ${index + 1}: ${part}` };
    parts.push(part);
  }
  return parts.length === 0 ? { ok: false, detail: 'a template has to say something' } : { ok: true, template: parts };
}

/** A doubled brace, a field, a brace by itself, and what has none. */
const TOKENS = /\{\{|\}\}|\{[^{}]*\}|[{}]|[^{}]+/g;

/** Or what is wrong with it. */
function partOf(token: string): Part | string {
  if (token === '{{' || token === '}}') return { text: token.charAt(0) };
  if (token === '{') return '"{" is not closed; write {{ for a brace';
  if (token === '}') return '"}" closes nothing; write }} for a brace';
  if (!token.startsWith('{')) return { text: token };
  const name = token.slice(1, -1);
  const field = MESSAGE_FIELDS.find((known) => known === name);
  return field === undefined ? `${JSON.stringify(oneLine(name, 40))} is no field; ${FIELDS}` : { field };
}

const FIELDS = `write one of ${MESSAGE_FIELDS.map((name) => `{${name}}`).join(' ')}, or {{ for a brace`;

/**
 * @param escape of the kind; it is given one line at a time
 * @returns at most some 100,000 characters: what a kind cannot send it cuts
 */
export function renderTemplate(template: Template, message: Message, escape: (line: string) => string): string {
  const values = new Map<TemplateField, string>();
  const valueOf = (field: TemplateField): string => {
    const known = values.get(field);
    if (known !== undefined) return known;
    const value = fieldLines(field, message).map(escape).join('\n');
    values.set(field, value);
    return value;
  };
  let text = '';
  for (const part of template) {
    text += 'text' in part ? part.text : valueOf(part.field);
    if (text.length > MOST) break;
  }
  return text.slice(0, MOST).toWellFormed();
}

const MOST = 100_000;
/** Characters of a title, of an address and of a list of names; lines of all pieces together. */
const TITLE = 1_000;
const LINES = 200;

function fieldLines(field: TemplateField, message: Message): readonly string[] {
  if (field === 'lines') return newsLines(message);
  return [oneLine(VALUES[field](message), field === 'url' ? 2 * TITLE + 100 : TITLE)];
}

const VALUES: Readonly<Record<Exclude<TemplateField, 'lines'>, (message: Message) => string>> = {
  title: (message) => titleOf(message, TITLE),
  url: ({ url }) => webUrl(url) ?? '',
  tap: ({ items }) => all(items.map(({ labels }) => labels.tap)),
  rules: ({ items }) => all(items.flatMap(({ labels }) => labels.rules)),
  watch: ({ items }) => all(items.map(({ labels }) => labels.watch)),
  tags: ({ items }) => all(items.flatMap(({ labels }) => labels.tags)),
  type: ({ type }) => type,
  time: ({ at }) => at,
  count: ({ items, more }) => String(items.reduce((sum, { alike }) => sum + 1 + (alike?.count ?? 0), more)),
  more: moreOf,
};

function all(names: readonly (string | undefined)[]): string {
  return [...new Set(names.filter((name) => name !== undefined))].join(', ');
}

/** `+ what came`, `- what went`; of several pieces each with its title and address. */
function newsLines({ items }: Message): readonly string[] {
  const isAlone = items.length === 1;
  const lines = items.flatMap((item) => {
    const url = webUrl(item.url);
    const about = isAlone ? [] : [titleOf(item), ...(url === undefined ? [] : [url])];
    return [...about, ...changedLines(item).map(plainly)];
  });
  return lines.length <= LINES ? lines : [...lines.slice(0, LINES), `… ${lines.length - LINES} more lines`];
}
