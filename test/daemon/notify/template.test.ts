import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTemplate, renderTemplate } from '../../../src/daemon/notify/template.ts';
import { MESSAGE_FIELDS } from '../../../src/shared/api/notify-values.ts';
import type { Message } from '../../../src/daemon/notify/sink-kind.ts';
import { SINK_TEMPLATE_LENGTH } from '../../../src/shared/limits.ts';
import { hostileMessage, hostileText, itemOf, messageOf } from './messages.ts';

function rendered(text: string, message: Message, escape = (line: string): string => line): string {
  const parsed = parseTemplate(text);
  if (!parsed.ok) throw new Error(parsed.detail);
  return renderTemplate(parsed.template, message, escape);
}

describe('a template', () => {
  test.each([
    ['{title}: {url}', 'Prices of copper: https://news.example/copper?id=7'],
    ['{lines}', '+ Copper rises to 9,400\n- Copper falls to 9,100'],
    ['{tap}/{rules}/{tags}', 'metals/copper, prices/'],
    ['{type} at {time}{more}', 'match at 2026-11-23T10:00:00.000Z'],
    ['{{title}} {{{title}}}', '{title} {Prices of copper}'],
    ['no field, two lines\nand *marks*', 'no field, two lines\nand *marks*'],
  ])('%j says %j', (text, said) => {
    expect(rendered(text, messageOf())).toBe(said);
  });

  test('of a digest names each piece, and what is not in it', () => {
    const items = [
      itemOf({ lines: [] }),
      itemOf({ title: 'Tin', url: 'https://tin.example/', labels: { tap: 'metals', tags: ['a'] } }),
    ];
    const message = messageOf({ type: 'digest', items, more: 1_204 });
    expect(rendered('{lines}\n{tap} {tags} {more}', message)).toBe(
      [
        'Prices of copper',
        'https://news.example/copper?id=7',
        'Tin',
        'https://tin.example/',
        '+ Copper rises to 9,400',
        '- Copper falls to 9,100',
        'metals a and 1,204 more',
      ].join('\n'),
    );
  });

  test.each([
    ['{titel}', 'character 1: "titel" is no field; write one of {title} {url}'],
    ['a {url', 'character 3: "{" is not closed; write {{ for a brace'],
    ['a } b', 'character 3: "}" closes nothing; write }} for a brace'],
    ['{title} {}', 'character 9: "" is no field'],
    ['{title}{\n}', 'character 8: "" is no field'],
    ['', 'has to say something'],
    ['x'.repeat(SINK_TEMPLATE_LENGTH + 1), `at most ${SINK_TEMPLATE_LENGTH} characters`],
  ])('%j is refused, and the character named', (text, why) => {
    const parsed = parseTemplate(text);
    expect(parsed).toMatchObject({ ok: false, detail: expect.stringContaining(why) as unknown });
  });

  test('that is refused names a character of it', () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, fc.string({ unit: fc.constantFrom('{', '}', 'url', 'x') })), (text) => {
        const parsed = parseTemplate(text);
        if (parsed.ok || text === '') return;
        const [, at = '0'] = /^character (\d+): /.exec(parsed.detail) ?? [];
        expect('{}').toContain(text.charAt(Number(at) - 1));
      }),
    );
  });

  test('is not found in what a page says: its fields are put in once, each escaped', () => {
    const marked = (line: string): string => `‹${line.replaceAll(/[‹›]/g, '')}›`;
    fc.assert(
      fc.property(hostileMessage, (message) => {
        const text = rendered(MESSAGE_FIELDS.map((name) => `${name}={${name}}`).join('§'), message, marked);
        // Outside of what was escaped there is nothing but the template.
        expect(text.replaceAll(/‹[^›]*›/g, '').replaceAll('\n', '')).toBe(
          MESSAGE_FIELDS.map((name) => `${name}=`).join('§'),
        );
      }),
    );
    const message = messageOf({ title: '{url} {{ {lines}', items: [] });
    expect(rendered('{title}', message)).toBe('{url} {{ {lines}');
  });

  test('of a whole page is no longer than what can be sent', () => {
    const lines = [{ typ: 'ins' as const, text: 'x\n'.repeat(400_000) }];
    expect(rendered('{lines}'.repeat(1_000), messageOf({ items: [itemOf({ lines })] })).length).toBeLessThanOrEqual(
      100_000,
    );
  });
});
