import { describe, expect, it } from 'vitest';
import { jsonLine, matchObject, plainLines } from '../../../../src/cli/commands/tail/tail-sink.ts';
import { printable } from '../../../../src/shared/text/printable.ts';
import type { Paint } from '../../../../src/cli/runtime/output.ts';
import { rule, update } from '../../screens/sample.ts';

const paint: Paint = (_, text) => text;

describe('a match as JSON', () => {
  it('is the payload as it came, with the id before it and the tags behind', () => {
    const came = update({ offset: 7 });
    const payload = { ...came.payload, query_id: 'r1', later: { more: [1, null] } };
    const line = jsonLine(
      matchObject({ ...came, payload }, [rule, { ...rule, id: 'r2' }, { ...rule, id: 'r3', tag: 'os' }], 'news'),
    );
    expect(line.startsWith('{"id":"0-7","event":"update","tap_id":"t","query_ids":["r1"],')).toBe(true);
    expect(line.endsWith('"query_id":"r1","later":{"more":[1,null]},"tap":"news","tags":["linux","os"]}\n')).toBe(true);
  });

  it('is one line of harmless characters with the same meaning', () => {
    const title = 'a\nb\u2028c\u001b[31m\u009b2J\u202egpj';
    const line = jsonLine(matchObject(update({ title }), []));
    expect(line.trimEnd()).toBe(printable(line.trimEnd()));
    expect(JSON.parse(line)).toMatchObject({ document: { title }, tags: [] });
  });
});

describe('a match for people', () => {
  const now = new Date(2026, 1, 13, 18).getTime();
  const changed = update({
    title: 'Kernel prepatch 6.19-rc4',
    chunks: [
      { typ: 'ins', text: 'The 6.19-rc4 kernel prepatch is out for testing.' },
      { typ: 'del', text: 'The 6.19-rc3 kernel prepatch is out.' },
    ],
  });

  it('is when, which rule, where, what; then what came and went', () => {
    expect(plainLines(changed, [rule], { paint, now })).toBe(
      [
        '14:02:11  linux         lwn.net               Kernel prepatch 6.19-rc4',
        '          + The 6.19-rc4 kernel prepatch is out for testing.',
        '          - The 6.19-rc3 kernel prepatch is out.',
        '          https://www.lwn.net/kernel',
        '',
      ].join('\n'),
    );
  });

  it('has the day where it is not today, and outside of a terminal an instant in UTC', () => {
    const later = new Date(2026, 1, 20, 9).getTime();
    expect(plainLines(changed, [rule], { paint, now: later })).toMatch(/^02-13 14:02 {2}linux /);
    const instant = `${new Date(changed.match.matched_at).toISOString().slice(0, 19)}Z`;
    expect(plainLines(changed, [rule], { paint })).toMatch(new RegExp(`^${instant} {2}linux `));
  });

  it('names its tap where there are several', () => {
    const [head] = plainLines(changed, [rule], { paint, now, tap: 'news' }).split('\n');
    expect(head).toMatch(/^14:02:11 {2}news {10}linux /);
  });

  it('is cut to the terminal', () => {
    const lines = plainLines(changed, [rule], { paint, now, columns: 50 }).split('\n');
    expect(lines[1]).toBe('          + The 6.19-rc4 kernel prepatch is out f…');
  });

  it('names the query of a rule without a tag, and the address of a page without a title', () => {
    const { tag: _, ...untagged } = rule;
    const { title: __, ...document } = changed.match.document;
    const untitled = { ...changed, match: { ...changed.match, document } };
    const [head] = plainLines(untitled, [untagged], { paint, now }).split('\n');
    expect(head).toBe('14:02:11  kernel        lwn.net               https://www.lwn.net/kernel');
  });

  it('shows the beginning of a long diff, and says how much more there is', () => {
    const chunks = Array.from({ length: 9 }, (_, index) => ({ typ: 'ins' as const, text: `change ${index}` }));
    const lines = plainLines(update({ chunks }), [rule], { paint, now }).split('\n');
    expect(lines[6]).toContain('change 5');
    expect(lines[7]).toBe('          … 3 more');
  });

  it('cannot act on the terminal', () => {
    const evil = update({
      title: '\u001b]0;owned\u0007title',
      url: 'https://e.example/\u009b31m',
      chunks: [{ typ: 'ins', text: 'one\r\u001b[2Ktwo\nthree\u202e' }],
    });
    for (const line of plainLines(evil, [{ ...rule, tag: 'a\u001b[1m' }], { paint, now }).split('\n')) {
      expect(printable(line)).toBe(line);
    }
  });

  it('has dashes where the time is no instant', () => {
    const match = { ...changed.match, matched_at: 'soon' };
    expect(plainLines({ ...changed, match }, [rule], { paint, now })).toMatch(/^--:--:-- /);
  });
});
