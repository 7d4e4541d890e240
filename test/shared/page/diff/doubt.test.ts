import { describe, expect, test } from 'vitest';
import { challenge, massDeletion } from '../../../../src/shared/page/diff/doubt.ts';
import { pageOf } from '../reading.ts';

const story = Array.from(
  { length: 40 },
  (_, line) => `<p>The ferry of line ${line} leaves the old harbour at noon.</p>`,
);
const html = (title: string, ...body: string[]): string => `<title>${title}</title><body>${body.join('\n')}`;

describe('what is hard to believe', () => {
  test('most of the text is gone', () => {
    const whole = pageOf(html('Ferries', ...story));
    expect(massDeletion(whole, pageOf(html('Ferries', '<p>Loading.</p>')))).toMatch(
      /^Of \d+ characters of text 8 are left/,
    );
    expect(massDeletion(whole, pageOf(html('Ferries')))).toMatch(/ 0 are left/);
    expect(massDeletion(whole, pageOf(html('Ferries', ...story.slice(0, 10))))).toBeUndefined();
    expect(massDeletion(undefined, whole)).toBeUndefined();
    expect(massDeletion(pageOf(html('Short', '<p>One line.</p>')), pageOf(html('Short')))).toBeUndefined();
  });

  test('what the site has on many pages is not counted as text that is left', () => {
    const notice = `We bake ${'and bake '.repeat(80)}cookies.`;
    const whole = pageOf(html('Ferries', ...story, `<div>${notice}</div>`));
    const empty = pageOf(html('Ferries', `<div>${notice}</div>`));
    expect(massDeletion(whole, empty)).toBeUndefined();
    expect(massDeletion(whole, empty, (key) => key.trim() === notice)).toMatch(/ 0 are left/);
  });

  test.each([
    html('Just a moment...', '<p>Checking if the site connection is secure</p>'),
    html('Attention Required! | Cloudflare', '<h1>Sorry, you have been blocked</h1>'),
    html('shop.example', '<h1>Verify you are human</h1><p>Complete the puzzle.</p>'),
    html('Access Denied', '<p>You have no permission to see this.</p>'),
    html('news.example', '<p>Please enable JavaScript and cookies to continue</p>'),
    html('Before you continue to News', '<p>We use cookies.</p><p>Accept all</p>'),
    html('Robot Check'),
    html('Nur einen Moment…'),
    html('Un instant…'),
    html('Один момент…'),
    html('しばらくお待ちください...'),
    html('news.example | Just a moment...'),
    html('Making sure you’re not a bot!', '<p>Loading...</p>'),
    html('Bevor Sie zur Suche weitergehen', '<p>Wir verwenden Cookies.</p>'),
    html('Avant d’accéder à la recherche', '<p>Nous utilisons des cookies.</p>'),
    html('The Press Privacy Gate', '<p>We use cookies.</p>'),
    html('shop.example', '<p>Please enable JS and disable any ad blocker</p>'),
    html('', '<p>Request unsuccessful. Incapsula incident ID: 1204-77</p>'),
    html('News', '<h1>Mit Werbung weiterlesen</h1><p>Cookies und Tracking zustimmen.</p>'),
  ])('is a challenge: %s', (text) => {
    expect(challenge(pageOf(text))).toMatch(/challenge or a consent form/);
  });

  test.each([
    html('Just a moment of peace', '<p>A poem about a moment.</p>'),
    html('Access denied: how libraries fight for readers', '<p>An essay.</p>'),
    html('Robot check-up', '<p>We repair robots.</p>'),
    html('Captcha', ...story),
    html('Security check | Handbook', ...story.slice(0, 10)),
    html('Access denied', ...story.slice(0, 10)),
    html('Einen Moment der Ruhe', '<p>Ein Gedicht.</p>'),
    html('Un instant de bonheur', '<p>Un poème.</p>'),
    html('Un momento - a short film', ...story),
    html('Before you continue to read: our archive', ...story),
    html('Un instant', '<p>Un poème.</p>'),
    html('Avant d’accéder à la propriété', '<p>Un guide.</p>'),
    html('Ferries', '<p>Ferries run.</p><div>Continuer sans accepter</div>'),
    html('Mit Werbung gegen die Flut', '<p>Ein Bericht.</p>'),
    html('Ferries', '<p>We verify you are human by looking at you.</p>'),
  ])('is none: %s', (text) => {
    expect(challenge(pageOf(text))).toBeUndefined();
  });
});
