import type { Page, Segment } from '../page.ts';

/** What a diff looks at: everything but the boilerplate of the site. */
export function contentOf(page: Page): readonly Segment[] {
  return page.segments.filter(({ zone }) => zone !== 'chrome');
}

/** UTF-16 units of it. */
export function contentLength(page: Page): number {
  return contentOf(page).reduce((sum, { text }) => sum + text.length, 0);
}

/** What the page is about, a segment a line; its whole content where no part of it stands out. */
export function mainText(page: Page): string {
  const main = page.segments.filter(({ zone }) => zone === 'main');
  return (main.length > 0 ? main : contentOf(page)).map(({ text }) => text).join('\n');
}
