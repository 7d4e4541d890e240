import { newsOf, webPage, type Web } from '../../fixtures/farm/pages.ts';

/** A page in one of its versions, which differ in one sentence of the article's first paragraph. */
export function pageText(web: Web, host: number, page: number, version = 0): string {
  return webPage(web, host, page).replace('</p>\n<p>', () => ` ${newsOf(web, host, page, version)}</p>\n<p>`);
}
