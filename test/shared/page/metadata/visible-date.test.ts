import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { monthNamed } from '../../../../src/shared/page/metadata/calendar.ts';
import { datesIn } from '../../../../src/shared/page/metadata/dates.ts';

const days = (text: string, language?: string): string[] => datesIn(text, language).map(({ time }) => time.local);
const day = (text: string, language?: string): string | undefined => days(text, language)[0]?.slice(0, 10);

describe('dates that readers see', () => {
  test.each([
    '13 February 2026',
    '13th of February, 2026',
    'Feb. 13, 2026',
    'Friday, February 13th 2026',
    '13. Februar 2026',
    '13 février 2026',
    '13 de febrero de 2026',
    '13 de fevereiro de 2026',
    '13 febbraio 2026',
    '13 lutego 2026 r.',
    '13 февраля 2026 г.',
    '13 лютого 2026',
    '13. února 2026',
    '13. veljače 2026.',
    '13 Şubat 2026',
    '13 Φεβρουαρίου 2026',
    '13 Februari 2026',
    '2026. február 13.',
    '2026 m. vasario 13 d.',
    '2026. gada 13. februāris',
    '13 tháng 2, 2026',
    '13 กุมภาพันธ์ 2569',
    '13 ก.พ. 2569',
    '১৩ ফেব্রুয়ারি ২০২৬',
    '۲۴ بهمن ۱۴۰۴',
    '1404/11/24',
    '13 فبراير 2026',
    '2026年2月13日',
    '2026년 2월 13일',
    '2026. 2. 13.',
    '2026-02-13',
    '2026/02/13',
    '13.02.2026',
    '13/02/2026',
    '02/13/2026',
  ])('%s', (text) => {
    expect(day(text)).toBe('2026-02-13');
  });

  // Leap years: 1399 and 1403 have a 30th day of the last month.
  test.each([
    ['1 فروردین 1400', '2021-03-21'],
    ['30 اسفند 1399', '2021-03-20'],
    ['30 اسفند 1403', '2025-03-20'],
    ['1 فروردین 1404', '2025-03-21'],
    ['31 شهریور 1395', '2016-09-21'],
    ['1 مهر 1395', '2016-09-22'],
    ['31 مهر 1395', undefined],
  ])('a day of the Persian calendar: %s', (text, iso) => {
    expect(day(text)).toBe(iso);
  });

  test('2/3/2026 is read as the language writes it, and not at all where that is open', () => {
    expect(day('2/3/2026')).toBeUndefined();
    expect(day('2/3/2026', 'en')).toBeUndefined();
    expect(day('2/3/2026', 'en-US')).toBe('2026-02-03');
    expect(day('2/3/2026', 'en-GB')).toBe('2026-03-02');
    expect(day('2/3/2026', 'pt_BR')).toBe('2026-03-02');
    expect(day('2.3.2026')).toBe('2026-03-02');
  });

  test('Croatian names other months by Polish and Czech words', () => {
    expect(day('5. listopada 2026', 'hr')).toBe('2026-10-05');
    expect(day('5 listopada 2026', 'pl')).toBe('2026-11-05');
    expect(monthNamed('constructor')).toBeUndefined();
  });

  test.each([
    ['13 Feb 2026, 8:06 pm', '2026-02-13T20:06:00'],
    ['13.02.2026 um 08:06 Uhr', '2026-02-13T08:06:00'],
    ['2026年2月13日 午後3:04', '2026-02-13T15:04:00'],
    ['2:16 AM EST Feb 13, 2026', '2026-02-13T02:16:00'],
    ['February 13th, 2026 | 01:19:54', '2026-02-13T00:00:00'],
    ['13 Feb 2026 at 31:70', '2026-02-13T00:00:00'],
  ])('with its clock: %s', (text, local) => {
    expect(days(text)).toEqual([local]);
  });

  test('a zone counts for the instant', () => {
    expect(datesIn('Feb 13, 2026 8:06 p.m. PST')[0]?.time.instant).toBe(Date.parse('2026-02-14T04:06:00Z'));
  });

  test.each([
    '30 February 2026',
    '13 Foo 2026',
    'May 2026',
    '13 May',
    'version 1.2.2026.4',
    '13 May 1066',
    '13 May 3026',
    '1234-56-78',
  ])('%s is none', (text) => {
    expect(days(text)).toEqual([]);
  });

  test('whatever the text is, every date lies in it and is one of the calendar', () => {
    const piece = fc.constantFrom(
      '13',
      '2026',
      'May',
      'mai',
      '.',
      '/',
      ' ',
      '年',
      '月',
      '日',
      ':',
      '08',
      'de',
      '๑',
      '-',
      'T',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        for (const { time, at, end } of datesIn(text)) {
          expect(at >= 0 && at < end && end <= text.length).toBe(true);
          expect(new Date(`${time.local}Z`).toISOString().slice(0, 19)).toBe(time.local);
        }
      }),
    );
  });

  test('a megabyte is looked at no further than a line', () => {
    expect(days('1 '.repeat(500_000) + '13 May 2026')).toEqual([]);
    expect(days(`13 May 2026${' 1:'.repeat(500_000)}`)).toHaveLength(1);
  });
});
