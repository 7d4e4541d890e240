import { describe, expect, test } from 'vitest';
import { adultOf } from '../../../../src/shared/label/adult/adult.ts';
import { NO_FACTS, type Facts, type Page } from '../../../../src/shared/page/page.ts';

function pageOf(
  host: string,
  title: string,
  text = '',
  links: readonly string[] = [],
  facts: Partial<Facts> = {},
): Page {
  const url = `https://${host}/`;
  return {
    url,
    title,
    segments: text === '' ? [] : [{ text, kind: 'sentence', zone: 'main' }],
    anchors: links.map((name, at) => ({ href: `${url}${at}`, text: name, zone: 'body' })),
    links: [],
    facts: { ...NO_FACTS, ...facts },
  };
}

const declares = (facts: Partial<Facts>): Page => pageOf('site.example', 'Welcome', 'Hello.', [], facts);
const times = (count: number, word: string): string => Array.from({ length: count }, () => word).join(' ');

describe('what a page says of itself', () => {
  test.each(['adult', 'mature', 'restricted', 'rta-5042-1996-1400-1577-rta'])('the rating %s is enough', (rating) => {
    expect(adultOf(declares({ ratings: [rating] }), 'en')).toBe(`rating ${rating}`);
  });

  test.each(['general', 'safe for kids', 'family', '14 years', 'not adult'])('the rating %s is none', (rating) => {
    expect(adultOf(declares({ ratings: [rating] }), 'en')).toBeUndefined();
  });

  test('not being family friendly is enough, being so is not', () => {
    expect(adultOf(declares({ isFamilyFriendly: false }), 'en')).toBe('isFamilyFriendly false');
    expect(adultOf(declares({ isFamilyFriendly: true }), 'en')).toBeUndefined();
  });

  test.each(['xxx', 'porn', 'adult', 'sex'])('the top-level domain .%s is enough', (suffix) => {
    expect(adultOf(pageOf(`site.${suffix}`, 'Welcome'), undefined)).toBe(`domain .${suffix}`);
  });

  test('the same word before the top-level domain is not', () => {
    expect(adultOf(pageOf('adult.example', 'Welcome'), 'en')).toBeUndefined();
  });
});

describe('words', () => {
  const links = ['porn videos', 'hentai', 'milf', 'live sex', 'sex cams', 'contact', 'help'];

  test('in two places are a page for adults, and the reason names the places', () => {
    expect(adultOf(pageOf('site.example', 'Free porn', 'Watch.', links), 'en')).toBe(
      'adult words in the title, in 5 of 7 links',
    );
  });

  test('in one place are not', () => {
    expect(adultOf(pageOf('site.example', 'A history of porn', 'Watch.'), 'en')).toBeUndefined();
    expect(adultOf(pageOf('site.example', 'Welcome', 'Watch.', links), 'en')).toBeUndefined();
  });

  test.each([
    ['de', 'Sexkontakte', 'pornofilme'],
    ['ru', 'Порно', 'порно'],
    ['ja', '無料エロ動画', 'アダルト動画'],
    ['zh-cn', '成人视频', '色情片'],
    ['pt', 'Vídeos pornô', 'pornô'],
  ])('are those of the language (%s), or of all where none is known', (language, title, word) => {
    const page = pageOf('site.example', title, times(9, word));
    expect(adultOf(page, language)).toBe('adult words in the title, 9 times in the text');
    expect(adultOf(page, undefined)).toBe('adult words in the title, 9 times in the text');
  });

  test('in a long text about something else are too few', () => {
    const text = `${times(400, 'bridges of the old town')} ${times(6, 'porn')}`;
    expect(adultOf(pageOf('site.example', 'Porn and bridges', text), 'en')).toBeUndefined();
  });
});

describe('no page for adults', () => {
  test.each([
    ['Essex', 'essex.example', 'Essex county council', times(20, 'Essex Sussex Middlesex')],
    ['Scunthorpe', 'scunthorpe.example', 'Scunthorpe United', times(20, 'Scunthorpe')],
    [
      'sex education',
      'sex-ed.example',
      'Sex education',
      times(12, 'sex education for schools and parents, sex and health'),
    ],
    [
      'a trial',
      'news.example',
      'Man charged over child porn',
      times(6, 'Police told the court he had porn; the victims of abuse spoke at his trial.'),
    ],
    [
      'help with an addiction',
      'stop-porn.example',
      'Leave porn behind',
      times(6, 'Porn addiction is real: therapy and recovery from porn help your health.'),
    ],
    ['a medical page', 'clinic.example', 'Sexual health', times(12, 'sex naked patients doctors disease')],
    ['a car', 'cars.example', 'Ford Escort', times(20, 'Escort')],
  ])('is %s', (_, host, title, text) => {
    expect(adultOf(pageOf(host, title, text, ['Sex', 'Health', 'Sexual health', 'Contact']), 'en')).toBeUndefined();
    expect(adultOf(pageOf(host, title, text), undefined)).toBeUndefined();
  });

  test('is a page without a title, a text or links', () => {
    expect(adultOf(pageOf('site.example', ''), undefined)).toBeUndefined();
  });
});
