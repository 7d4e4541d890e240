import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isBareNumber, isCounterLabel } from '../../../../src/shared/page/diff/counters.ts';
import { stableTitle, volatileForm } from '../../../../src/shared/page/diff/volatile.ts';

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
    ['Posted 3 hours ago · 12 comments', 'Posted 4 hours ago · 17 comments'],
    ['Harbour forum 12 replies 1,204 views 3 days ago', 'Harbour forum 13 replies 1,311 views 1 hour ago'],
    ['Posted just now by Ann', 'Posted 2m ago by Ann'],
    ['Yesterday · 12 comments', '2 days ago · 13 comments'],
    ['12 shares and 3 likes', '13 shares and 5 likes'],
    ['Publié il y a 3 jours par Anne', 'Publié il y a 5 jours par Anne'],
    ['há 3 dias por Ana', 'há 4 dias por Ana'],
    ['Opdateret: 21. november 2026 kl. 14.05', 'Opdateret: 22. november 2026 kl. 9.31'],
    ['Last updated 14 Apr 2026, 3:44 pm GMT', 'Last updated 15 Apr 2026, 2:54 pm GMT'],
    ['Updated: 2pm Friday 27 March', 'Updated: 11am Saturday 28 March'],
    ['更新日時：2026年11月21日 14:05', '更新日時：2026年11月22日 9:31'],
    ['Today is Monday, 21 November 2026', 'Today is Tuesday, 22 November 2026'],
    ['Heute ist Montag, der 21. November 2026', 'Heute ist Dienstag, der 22. November 2026'],
    ['今天是2026年11月21日星期六', '今天是2026年11月22日星期日'],
    ['This page was generated in 12 ms with 31 queries.', 'This page was generated in 9 ms with 30 queries.'],
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
    // A date with dots has no time of day.
    ['Dernière mise à jour : 02.11.2025', 'Dernière mise à jour : 30.06.2026'],
    ['Stand: 02.11.2025', 'Stand: 30.06.2026'],
    ['Now open 9:00 to 17:00', 'Now open 10:00 to 18:00'],
    ['As of May we open at 9:00', 'As of May we open at 10:00'],
    ['Stand 14: open 9:00 – 17:00', 'Stand 14: open 10:00 – 17:00'],
    ['Now 9:00–17:00', 'Now 10:00–17:00'],
    ['Updated: doors at 19:30', 'Updated: doors at 20:30'],
    ['Today 9:00 to 17:00', 'Today 10:00 to 17:00'],
    ['Today: Monday special, 12 oysters', 'Today: Monday special, 6 oysters'],
    ['Today 12', 'Today 13'],
    ['It is 5 May', 'It is 12 May'],
    ['Now 2 pm', 'Now 3 pm'],
    ['Served in 5 minutes', 'Served in 30 minutes'],
    ['Created in 1495', 'Created in 1510'],
    ['Executed in London', 'Executed in York'],
    ['Incident ID: INC0012345', 'Incident ID: INC0012399'],
    ['Event ID: HARBOUR-CONCERT', 'Event ID: FERRY-RACE'],
    ['Sold 1,200 shares of the harbour', 'Sold 12,000 shares of the harbour'],
    ['The museum: 1,204 visitors in May', 'The museum: 1,311 visitors in May'],
    ['Channel reaches 5,000,000 subscribers', 'Channel reaches 6,000,000 subscribers'],
    ['Smith 3 hits', 'Smith 4 hits'],
    ['The motion had 300 comments.', 'The motion had 500 comments.'],
    ['Il y a 25 jours de congés payés', 'Il y a 30 jours de congés payés'],
    ['Há 7 dias para a devolução', 'Há 30 dias para a devolução'],
    ['キャンセルは3日前まで無料', 'キャンセルは7日前まで無料'],
    ['入住3天前可免费取消', '入住7天前可免费取消'],
    ['예약 취소는 3일 전까지', '예약 취소는 7일 전까지'],
    ['Varıştan 3 gün önce ücretsiz iptal', 'Varıştan 7 gün önce ücretsiz iptal'],
    ['3 : 1', '4 : 1'],
    ['12 in stock', '11 in stock'],
    ['9:00, 10:30, 12:00', '9:00, 10:45, 12:00'],
    ['MD5: d41d8cd98f00b204e9800998ecf8427e', 'MD5: 9e107d9d372bb6826bd81d3542a419d6'],
  ])('%s ≠ %s', (one, other) => {
    expect(same(one, other)).toBe(false);
  });

  test('the number of unread messages is no part of a title', () => {
    expect(stableTitle('(3) Harbour forum')).toBe('Harbour forum');
    expect(stableTitle('[12+] Harbour forum')).toBe('Harbour forum');
    expect(stableTitle('(1999) a film')).toBe('a film');
    expect(stableTitle('Harbour (3)')).toBe('Harbour (3)');
  });

  test('counters in a title are no part of it', () => {
    expect(stableTitle('Ferries · 12 comments')).toBe(stableTitle('Ferries · 13 comments'));
    expect(stableTitle('Ferries 12.50 €')).not.toBe(stableTitle('Ferries 13.50 €'));
  });

  test('a count can be bare, a price and a clock cannot', () => {
    expect(['1,204', '1204', '12', '1 204 311'].every(isBareNumber)).toBe(true);
    expect(['$12', '12.05 €', '12 km', '1,2', 'v12', '', '12:05'].some(isBareNumber)).toBe(false);
  });

  test('what a bare number counts, its label says', () => {
    expect(['Visitors', 'Page views:', 'Unique visitors today', 'Besucher'].every(isCounterLabel)).toBe(true);
    expect(['In stock', 'Active cases', 'Shares of the harbour', 'The views', ''].some(isCounterLabel)).toBe(false);
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
