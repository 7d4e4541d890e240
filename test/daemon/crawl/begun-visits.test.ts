import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BegunVisits } from '../../../src/daemon/crawl/begun-visits.ts';

const HOUR_MS = 3_600_000;
const URL = 'https://example.com/poison';

let directory: string;
let now: number;
let errors: string[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hydrant-begun-'));
  now = Date.UTC(2026, 10, 22);
  errors = [];
});
afterEach(() => rmSync(directory, { recursive: true }));

/** One life of the daemon. One that is not closed was killed. */
function life(place = directory): BegunVisits {
  return new BegunVisits(place, { now: () => now }, (what) => errors.push(what));
}

function killedWhileReading(url: string): void {
  life().began(url);
}

test('a page that was being read at one end is read again; at two in a row it is refused for an hour', () => {
  killedWhileReading(URL);
  const second = life();
  expect(second.suspects).toEqual([{ url: URL, ends: 1 }]);
  expect(second.refusal(URL)).toBeUndefined();
  second.began(URL);
  const third = life();
  expect(third.refusal(URL)).toEqual({
    detail:
      'The daemon was killed or crashed 2 times in a row while it analyzed this page; the next attempt is not before 2026-11-22T01:00Z.',
    until: now + HOUR_MS,
  });
  now += HOUR_MS / 2;
  expect(third.refusal(URL)?.until).toBe(now + HOUR_MS / 2);
  expect(third.refusal('https://example.com/other')).toBeUndefined();
});

test('the back-off is kept over a restart, ends by itself, and is longer after each further end', () => {
  killedWhileReading(URL);
  killedWhileReading(URL);
  const until = life().refusal(URL)?.until;
  now += HOUR_MS / 2;
  expect(life().refusal(URL)?.until).toBe(until);
  now += HOUR_MS / 2;
  expect(life().refusal(URL)).toBeUndefined();
  killedWhileReading(URL);
  expect(life().refusal(URL)?.until).toBe(now + 4 * HOUR_MS);
  for (let end = 0; end < 20; end += 1) killedWhileReading(URL);
  expect(life().refusal(URL)?.until).toBe(now + 30 * 24 * HOUR_MS);
});

test('a page that was read is forgotten, and so is one that was not being read', () => {
  killedWhileReading(URL);
  const second = life();
  second.began(URL);
  second.ended(URL);
  expect(life().suspects).toEqual([]);
  killedWhileReading(URL);
  expect(life().suspects).toEqual([{ url: URL, ends: 1 }]);
});

test('a clock that was ahead keeps no page for longer than its back-off', () => {
  killedWhileReading(URL);
  killedWhileReading(URL);
  now += 365 * 24 * HOUR_MS;
  life().refusal(URL);
  now -= 365 * 24 * HOUR_MS;
  expect(life().refusal(URL)?.until).toBe(now + HOUR_MS);
});

test('the file is for its owner alone, stays small, and what is no line of ours is passed over', () => {
  const file = join(directory, 'begun-visits.jsonl');
  const one = life();
  for (let visit = 0; visit < 20_000; visit += 1) {
    one.began(`https://example.com/${visit}`);
    one.ended(`https://example.com/${visit}`);
  }
  one.began(URL);
  expect(statSync(file).size).toBeLessThan(1.1 * 1_024 * 1_024);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  appendFileSync(file, '\0\0\0\n{"url":7}\n[]\nnull\n{"url":"x","ends":"many"}\n{"url":"https://exam');
  expect(life().suspects).toEqual([{ url: URL, ends: 1 }]);
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(2);
  expect(errors).toEqual([]);
});

test('where it cannot be written, that is told once, and pages are read', () => {
  const place = join(directory, 'a-file');
  writeFileSync(place, '');
  const visits = life(place);
  visits.began(URL);
  visits.ended(URL);
  expect(visits.refusal(URL)).toBeUndefined();
  expect(errors).toEqual(['the list of pages being analyzed cannot be written']);
});
