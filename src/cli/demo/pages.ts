import { type Moment, prices, releases, status, stories } from './town.ts';

/** The site's pages by path; each renders one moment. `published` is an instant, for the page that carries a date. */
export const pages: Readonly<Record<string, (moment: Moment, published: string) => string>> = {
  '/news': newsPage,
  '/prices': pricesPage,
  '/changelog': changelogPage,
  '/status': statusPage,
};

function newsPage(moment: Moment, published: string): string {
  const articles = stories(moment, 5).map(
    ({ headline, text }) => `<article><h2>${escaped(headline)}</h2>\n<p>${escaped(text)}</p></article>`,
  );
  return page('The Harbour Post – news from Port Verity', articles, [
    `<meta property="article:published_time" content="${escaped(published)}">`,
  ]);
}

function pricesPage(moment: Moment): string {
  const rows = prices(moment).map(
    ({ item, unit, cents }) =>
      `<tr><td>${escaped(item)}</td><td>${(cents / 100).toFixed(2)} €</td><td>per ${escaped(unit)}</td></tr>`,
  );
  return page('Prices at the fish market', [
    '<table><thead><tr><th>Goods</th><th>Price</th><th>Unit</th></tr></thead>',
    `<tbody>${rows.join('\n')}</tbody></table>`,
  ]);
}

function changelogPage(moment: Moment): string {
  const sections = releases(moment, 4).map(
    ({ version, notes }) =>
      `<section><h2>Lantern ${version}</h2>\n<ul>${notes.map((note) => `<li>${escaped(note)}</li>`).join('\n')}</ul></section>`,
  );
  return page('Lantern charts: changelog', sections);
}

function statusPage(moment: Moment): string {
  const sections = status(moment).map(
    ({ name, state, note }) => `<section><h2>${escaped(name)}: ${state}</h2>\n<p>${escaped(note)}</p></section>`,
  );
  return page('Port Verity harbour services: status', sections);
}

function page(title: string, main: readonly string[], head: readonly string[] = []): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><title>${escaped(title)}</title>${head.join('')}</head>`,
    `<body><main><h1>${escaped(title)}</h1>`,
    ...main,
    '</main></body>',
    '</html>',
    '',
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
