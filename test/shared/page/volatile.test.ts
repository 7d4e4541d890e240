import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isBareNumber, stableTitle, volatileForm } from '../../../src/shared/page/volatile.ts';

const same = (one: string, other: string): boolean => {
  const form = volatileForm(one)?.form;
  return form !== undefined && form === volatileForm(other)?.form;
};

describe('text that changes by itself, by its form', () => {
  test.each([
    ['Posted 3 hours ago by Ann', 'Posted a day ago by Ann'],
    ['2m ago', '1h ago'],
    ['just now', '5 minutes ago'],
    ['vor 3 Stunden', 'vor einem Tag'],
    ['il y a 2 heures', 'il y a 1 jour'],
    ['hace 5 minutos', 'hace una hora'],
    ['há 3 dias', 'há 4 dias'],
    ['2 ore fa', '3 ore fa'],
    ['5 minuten geleden', 'een uur geleden'],
    ['för 3 timmar sedan', 'för 2 dagar sedan'],
    ['3 часа назад', '4 часа назад'],
    ['3 godziny temu', '5 godzin temu'],
    ['3 saat önce', '1 gün önce'],
    ['5分钟前', '2小时前'],
    ['3時間前', '1日前'],
    ['3시간 전', '2일 전'],
    ['1,204 views', '1,311 views'],
    ['12 comments', '1 comment'],
    ['2.3K likes · 12 shares', '2.4K likes · 13 shares'],
    ['Views: 1204', 'Views: 1207'],
    ['37 people are viewing this', '4 people are viewing this'],
    ['1.204 Aufrufe', '1.311 Aufrufe'],
    ['Last updated: 21 November 2026 14:05', 'Last updated: 22 November 2026 09:31'],
    ['Stand: 21.11.2026, 14:05 Uhr', 'Stand: 21.11.2026, 15:05 Uhr'],
    ['Page generated in 0.123 seconds', 'Page generated in 0.98 seconds'],
    ['Ray ID: 8f2c1a2b3c4d5e6f', 'Ray ID: 7a1b2c3d4e5f6a7b'],
  ])('%s = %s', (one, other) => {
    expect(same(one, other)).toBe(true);
  });

  test.each([
    ['Price: 19.99 €', 'Price: 24.99 €'],
    ['Version 3.7.0', 'Version 3.7.1'],
    ['1,204 cases', '1,311 cases'],
    ['Last updated: 3 March 2026', 'Last updated: 4 March 2026'],
    ['Open from 9:00 to 17:00', 'Open from 10:00 to 17:00'],
    ['Posted 3 hours ago by Ann', 'Posted 3 hours ago by Bob'],
    ['12 comments', '12 likes and a note'],
    [
      'The motion had 300 comments in its first week, and the council will answer each of them before the end of May.',
      'The motion had 500 comments in its first week, and the council will answer each of them before the end of May.',
    ],
    ['sha256: 8f2c1a2b3c4d5e6f', 'sha256: 7a1b2c3d4e5f6a7b'],
    ['Founded 30 years before', 'Founded 31 years before'],
  ])('%s ≠ %s', (one, other) => {
    expect(same(one, other)).toBe(false);
  });

  test('the number of unread messages is no part of a title', () => {
    expect(stableTitle('(3) Harbour forum')).toBe('Harbour forum');
    expect(stableTitle('[12+] Harbour forum')).toBe('Harbour forum');
    expect(stableTitle('(1999) a film')).toBe('a film');
    expect(stableTitle('Harbour (3)')).toBe('Harbour (3)');
    expect(stableTitle(undefined)).toBeUndefined();
  });

  test('a clock and a count can be bare, a price and a word cannot', () => {
    expect(['12:05', '12:05:31', '1,204', '1204', '1 204 311'].every(isBareNumber)).toBe(true);
    expect(['$12', '12.05 €', '12 km', '1,2', 'v12', '', '12:5'].some(isBareNumber)).toBe(false);
  });

  test('whatever the text, its form does not depend on when it is asked', () => {
    const pieces = fc.array(fc.constantFrom('3 hours ', 'ago', '1,2 ', 'views', ' ', 'a ', '9:00', 'Stand', 'é', '前'));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          pieces.map((list) => list.join('')),
        ),
        (text) => {
          expect(volatileForm(text)).toEqual(volatileForm(text));
        },
      ),
    );
  });
});
