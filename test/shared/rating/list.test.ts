import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RatingList } from '../../../src/shared/rating/list.ts';

/** `domain rating` for a line that has one, the kind of every other; a bad one with its reason. */
function read(...lines: string[]): string[] {
  const list = new RatingList();
  return lines.map((line) => {
    const found = list.read(line);
    if (found.kind === 'rated') return `${found.domain} ${found.rating}`;
    return found.kind === 'bad' ? `bad: ${found.message}` : found.kind;
  });
}

describe('a list of domains', () => {
  test('with ranks becomes ratings', () => {
    expect(read('1,first.example', '1000,second.example')).toEqual(['first.example 100', 'second.example 57']);
  });

  test('with ratings keeps them, rounded to whole ones', () => {
    expect(read('a.example,57', 'b.example,0', 'c.example,99.6')).toEqual([
      'a.example 57',
      'b.example 0',
      'c.example 100',
    ]);
  });

  test('of the web graph has its names the other way round', () => {
    const header = '#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\t#n_hosts';
    const rows = ['1\t3.2E7\t4\t0.01\torg.first\t20', '1000\t2.9E7\t7\t0.002\tuk.co.second\t3'];
    expect(read(header, ...rows)).toEqual(['nothing', 'first.org 100', 'second.co.uk 57']);
    expect(read(...rows)).toEqual(['first.org 100', 'second.co.uk 57']);
  });

  test.each([
    ['rank,domain', '1000,a.example'],
    ['Domain;Rank', 'a.example;1000'],
    ['GlobalRank,TldRank,Domain,TLD', '1000,5,a.example,example'],
    ['rank,domain,linking_root_domains,domain_authority', '3,a.example,8000,57'],
    ['domain\trating', 'a.example\t57'],
    ['"Rank","Root Domain"', '"1000","a.example"'],
    ['\uFEFFrank,domain', '1000,a.example'],
    ['Platz,Adresse', '1000,a.example'],
    ['# made in spring', '1000,a.example'],
  ])('has the columns that its header names: %s', (header, row) => {
    expect(read(header, row)).toEqual(['nothing', 'a.example 57']);
  });

  test('may quote its cells, and have empty lines and comments', () => {
    expect(read('"1","a.example"', '', '# more', ' 1000 , "b.example" ')).toEqual([
      'a.example 100',
      'nothing',
      'nothing',
      'b.example 57',
    ]);
  });

  test('may name hosts, URLs and addresses: each stands for its registrable domain', () => {
    const names = ['www.News.Example.co.uk', 'https://b.example/path', 'bücher.example', '127.0.0.1', '2001:db8::1'];
    expect(read(...names.map((name) => `${name},7`))).toEqual([
      'example.co.uk 7',
      'b.example 7',
      'xn--bcher-kva.example 7',
      '127.0.0.1 7',
      '2001:db8::1 7',
    ]);
  });

  test('leaves out what is beyond the last rank', () => {
    expect(read('10000000,a.example', '10000001,b.example')).toEqual(['a.example 0', 'beyond']);
  });

  test('says what is wrong with a line, and goes on', () => {
    expect(
      read('1,a.example', '0,b.example', '1.5,b.example', '7', '7,not a domain', 'c.example,7', '2,d.example'),
    ).toEqual([
      'a.example 100',
      'bad: the rank `0` is not a whole number from 1',
      'bad: the rank `1.5` is not a whole number from 1',
      'bad: it has no domain',
      'bad: `not a domain` is not a domain',
      'bad: the rank `c.example` is not a whole number from 1',
      'd.example 96',
    ]);
  });

  test('refuses a rating that is none', () => {
    const words = (rating: string): string => `bad: the rating \`${rating}\` is not a number from 0 to 100`;
    expect(read('a.example,50', 'a.example,101', 'a.example,-1', 'a.example,')).toEqual([
      'a.example 50',
      words('101'),
      words('-1'),
      words(''),
    ]);
  });

  test('whose first line cannot be read takes its form from the first that can', () => {
    const unknown = 'bad: it is neither `rank,domain` nor `domain,rating`';
    expect(read('7,8', 'x', '1000,a.example')).toEqual([unknown, unknown, 'a.example 57']);
  });

  test('never throws, and rates nothing outside 0 to 100, whatever its lines are', () => {
    const cell = fc.oneof(
      fc.string(),
      fc.constantFrom('1', 'a.example', '57', '"', '\t', ',', '#', 'rank', 'domain', '999999999'),
    );
    const line = fc.array(cell, { maxLength: 5 }).map((cells) => cells.join(','));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        const list = new RatingList();
        for (const found of lines.map((text) => list.read(text))) {
          if (found.kind !== 'rated') continue;
          expect(found.rating).toBeGreaterThanOrEqual(0);
          expect(found.rating).toBeLessThanOrEqual(100);
          expect(found.domain).not.toBe('');
        }
      }),
    );
  });
});
