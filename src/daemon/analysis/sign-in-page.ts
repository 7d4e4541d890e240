import { unreadable } from '../../shared/page/account.ts';
import type { Page } from '../../shared/page/page.ts';

/** Whether a page is a form to sign in, and little else. */
export function isSignInPage(page: Page): boolean {
  return unreadable(page)?.reason === 'sign_in';
}

/** Whether it asks for a password, and did not before. */
export function isAskingNow(page: Page, last: Page | undefined): boolean {
  return page.unread?.asksForPassword === true && last?.unread?.asksForPassword !== true;
}

/** A sentence for the operator, of a page that asks to sign in where it did not before, or asks who is signed in. */
export function signedOutWords(noun: 'watch' | 'crawl'): string {
  const what = 'The page is a form to sign in now: who was signed in is no longer.';
  return `${what} Set its headers or its cookie again, with \`hydrant ${noun} edit\`.`;
}
