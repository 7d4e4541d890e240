import { describe, expect, it } from 'vitest';
import { MATCH_FIELDS, parseFields, pick } from '../../../../src/cli/commands/tail/tail-fields.ts';
import { fill, parseTemplate } from '../../../../src/cli/text/template.ts';

const match = {
  id: '0-7',
  event: 'update',
  tap: 'news',
  query_ids: ['r1', 'r2'],
  matched_at: '2026-02-13T14:02:11.000Z',
  tags: ['linux'],
  document: {
    url: 'https://www.lwn.net/kernel',
    title: 'Kernel\u001b[2J',
    domain_rating: 71,
    diff: {
      chunks: [
        { typ: 'ins', text: 'one\nline' },
        { typ: 'del', text: 'gone' },
        { typ: 'ins', text: 'two' },
      ],
    },
  },
};
const filled = (written: string) => fill(parseTemplate(written, '--format', MATCH_FIELDS), match, MATCH_FIELDS.made);

describe('a template', () => {
  it.each([
    ['{id} {document.title}', '0-7 Kernel\u{fffd}[2J\n'],
    [String.raw`{tap}\t{document.url}\n{query_ids}`, 'news\thttps://www.lwn.net/kernel\nr1,r2\n'],
    ['{domain}: {added} / {removed}', 'lwn.net: one line … two / gone\n'],
    ['{{{id}}} {document.domain_rating}', '{0-7} 71\n'],
    [String.raw`[{document.language}] \\ \x`, String.raw`[] \ \x` + '\n'],
    ['', '\n'],
  ])('%j', (written, expected) => {
    expect(filled(written)).toBe(expected);
  });

  it('is refused at the start for a field that no match has, with what it may be', () => {
    expect(() => parseTemplate('{title}', '--format', MATCH_FIELDS)).toThrow('--format: a match has no field `title`');
    expect(() => parseTemplate('{titel}', '--format', MATCH_FIELDS)).toThrow(
      expect.objectContaining({ details: { hint: expect.stringContaining('document.title') } }),
    );
  });

  it.each(['{id', 'id}', '{{id}', '{}'])('%j is refused', (written) => {
    expect(() => parseTemplate(written, '--format', MATCH_FIELDS)).toThrow(/^--format: /);
  });
});

describe('--fields', () => {
  it('keeps parts where they were', () => {
    expect(pick(match, parseFields('id, document.url,document.domain_rating,tags'))).toEqual({
      id: '0-7',
      document: { url: 'https://www.lwn.net/kernel', domain_rating: 71 },
      tags: ['linux'],
    });
  });

  it('leaves out what a match does not have, and keeps the whole document when it is named', () => {
    expect(pick(match, parseFields('document.url,document,document.language'))).toEqual({ document: match.document });
  });

  it('is refused for a field that no match has', () => {
    expect(() => parseFields('id,url')).toThrow('--fields: a match has no field `url`');
    expect(() => parseFields('domain')).toThrow('--fields: a match has no field `domain`');
  });
});
