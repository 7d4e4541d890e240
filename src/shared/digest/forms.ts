import { escaped, htmlPage, inBrackets, inMarkdown, legalText, linkInMarkdown } from '../documents/markup.ts';
import { domainOf } from '../text/printable.ts';
import { changesOf, type Digest, summaryOf } from './digest.ts';
import type { Story } from './stories.ts';

export function toMarkdown(digest: Digest): string {
  const lines = [`# ${inMarkdown(digest.title)}`, '', inMarkdown(summaryOf(digest))];
  for (const { name, stories } of digest.groups) {
    lines.push('', `## ${inMarkdown(name)}`, '');
    for (const story of stories) lines.push(...inList(story));
  }
  return `${lines.join('\n')}\n`;
}

function inList(story: Story): string[] {
  const { title, url, others } = story;
  const changes = changesOf(story);
  const also = others.map((other) => `[${inMarkdown(domainOf(other.url))}](${linkInMarkdown(other.url)})`);
  return [
    `- [${inMarkdown(title)}](${linkInMarkdown(url)}) – ${inMarkdown(domainOf(url))}`,
    ...changes.map((line) => `  ${changes.length > 1 ? '- ' : ''}${inMarkdown(line)}`),
    ...(also.length === 0 ? [] : [`  also: ${also.join(', ')}`]),
  ];
}

/** As a page. */
export function toHtml(digest: Digest): string {
  return htmlPage({ title: digest.title, language: 'en', style: STYLE, body: htmlOf(digest) });
}

/** What stands in that page. */
export function htmlOf(digest: Digest): string {
  const groups = digest.groups.map(({ name, stories }) => {
    const items = stories.map(itemOf).join('\n');
    return `<h2>${escaped(name)}</h2>\n<ul>\n${items}\n</ul>`;
  });
  const head = `<h1>${escaped(digest.title)}</h1>\n<p class="about">${escaped(summaryOf(digest))}</p>`;
  return [head, ...groups].join('\n');
}

export const STYLE = `
body { font: 16px/1.5 sans-serif; max-width: 44em; margin: 1em auto; padding: 0 1em; }
li { margin: 0 0 0.8em; } p { margin: 0.2em 0; } .also, .about { color: #555; font-size: 0.9em; }
`;

function itemOf(story: Story): string {
  const { title, url, others } = story;
  const link = (address: string, text: string): string => `<a href="${escaped(address)}">${escaped(text)}</a>`;
  const also = others.map((other) => link(other.url, domainOf(other.url))).join(', ');
  const said = changesOf(story)
    .map((line) => `<p>${escaped(line)}</p>`)
    .join('');
  const more = also === '' ? '' : `<p class="also">also: ${also}</p>`;
  return `<li>${link(url, title)} <span class="also">${escaped(domainOf(url))}</span>${said}${more}</li>`;
}

/** As lines for a mail, without mark-up. No text of a page makes a line, and none is without our mark: it could pass for ours. */
export function toText(digest: Digest): string {
  const lines = [...headline(digest.title, '='), legalText(summaryOf(digest))];
  for (const { name, stories } of digest.groups) {
    lines.push('', ...headline(name, '-'));
    for (const story of stories) lines.push('', ...inText(story));
  }
  return `${lines.join('\n')}\n`;
}

function headline(text: string, line: string): string[] {
  const shown = legalText(text);
  return [shown, line.repeat(Math.min(shown.length, HEADLINE) || 1)];
}

/** Columns of the line below a headline: RFC 5322 wants no line of a mail longer than 78. */
const HEADLINE = 72;

function inText(story: Story): string[] {
  const { title, url, others } = story;
  return [
    `* ${legalText(title)} – ${domainOf(url)}`,
    `  ${inBrackets(url)}`,
    ...changesOf(story).map((line) => `  > ${legalText(line)}`),
    ...others.map((other) => `  also: ${inBrackets(other.url)}`),
  ];
}
