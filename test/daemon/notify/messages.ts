import fc from 'fast-check';
import type { Message, MessageItem } from '../../../src/daemon/notify/sink-kind.ts';

/** Messages as the engine makes them. */
const AT = '2026-11-23T10:00:00.000Z';

export function itemOf(different: Partial<MessageItem> = {}): MessageItem {
  return {
    type: 'match',
    at: AT,
    title: 'Prices of copper',
    url: 'https://news.example/copper?id=7',
    lines: [
      { typ: 'ins', text: 'Copper rises to 9,400' },
      { typ: 'del', text: 'Copper falls to 9,100' },
    ],
    labels: { tap: 'metals', rules: ['copper', 'prices'] },
    payload: { tap_id: 't1', query_ids: ['q1'] },
    ...different,
  };
}

export function messageOf(different: Partial<Message> = {}): Message {
  const [first] = different.items ?? [itemOf()];
  return {
    id: 'msg_snk1-0-42',
    type: 'match',
    at: AT,
    title: first?.title ?? 'This is a test',
    ...(first?.url !== undefined && { url: first.url }),
    items: [itemOf()],
    more: 0,
    ...different,
  };
}

/** One of each type, as different as they come. */
export const everyMessage: readonly Message[] = [
  messageOf(),
  messageOf({
    type: 'change',
    items: [
      itemOf({
        type: 'change',
        labels: { watch: 'Copper', tags: ['metal'] },
        alike: { count: 2, urls: ['https://b.example/'] },
      }),
    ],
  }),
  messageOf({ type: 'problem', items: [itemOf({ type: 'problem', title: 'A watch fails', lines: [], labels: {} })] }),
  messageOf({
    type: 'recovery',
    title: 'A watch works again',
    items: [itemOf({ type: 'recovery', lines: [], labels: {} })],
  }),
  messageOf({
    type: 'digest',
    title: '41 matches',
    items: Array.from({ length: 40 }, (_, index) => digestItem(index)),
    more: 1,
  }),
  { id: 'msg_n', type: 'notice', at: AT, title: '1,204 matches were dropped', items: [], more: 0 },
  { id: 'msg_t', type: 'test', at: AT, title: 'A test of hydrant', items: [], more: 0 },
];

function digestItem(index: number): MessageItem {
  if (index === 7) return itemOf({ type: 'problem', title: 'The source fails', lines: [], labels: {} });
  return itemOf({
    title: `Story ${index}`,
    url: `https://news${index}.example/story`,
    lines: [{ typ: 'ins', text: `It is ${index} o’clock` }],
  });
}

/** What a page may say to get into the mark-up, the headers, the mentions or the template of a message. */
const MARKS = [
  '<!channel>',
  '<!here|x>',
  '<@U123>',
  '@everyone',
  '@here',
  '@room',
  '@admin',
  '<#C1>',
  '<https://evil.example|bank>',
  '[bank](https://evil.example)',
  '![x](https://evil.example/pixel)',
  '<https://evil.example>',
  'https://evil.example/',
  '<a href="https://evil.example">',
  '<img src=x onerror=alert(1)>',
  '<script>',
  '</b>',
  '<b>',
  '&lt;b&gt;',
  '&#60;b&#62;',
  '&amp;',
  '"',
  "'",
  '*',
  '**',
  '_',
  '__',
  '~',
  '~~',
  '`',
  '```',
  '|',
  '||',
  '\\',
  '\\\\',
  '>',
  '# ',
  '- ',
  '1. ',
  ':smile:',
  '<t:0>',
  '{url}',
  '{title}',
  '{{',
  '}}',
  '{',
  '}',
  '\r\nBcc: evil@evil.example',
  '\nSubject: x',
  '\r\n\r\n',
  '\r\n.\r\n',
  '\0',
  '\u202eevil',
  '\u2066',
  '\u200f',
  '\u2028',
  '\u001b[31m',
  '\u009b',
  '\u{e0041}\u{e0042}',
  '\ud800',
  '\udc00',
  '😀',
  'é',
  '漢字',
  '$(reboot)',
  '`reboot`',
  '; reboot',
  '%0aX',
  '=?utf-8?q?x?=',
  'evil@evil.example',
];

export const hostileText = fc
  .array(
    fc.oneof(fc.constantFrom(...MARKS), fc.string({ unit: 'binary', maxLength: 8 }), fc.string({ maxLength: 8 })),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

const hostileUrl = fc.oneof(
  hostileText.map((text) => `https://page.example/${encodeURI(text.toWellFormed())}?q=(a)[b]*_|`),
  hostileText.map((text) => `https://page.example/?q=${text.toWellFormed()}`),
  fc.constantFrom(
    'javascript:alert(1)',
    'data:text/html,<script>',
    'no address',
    'https://page.example/)](https://evil.example/',
  ),
);

const hostileItem: fc.Arbitrary<MessageItem> = fc.record({
  type: fc.constantFrom('match' as const, 'change' as const, 'problem' as const),
  at: fc.constant(AT),
  title: fc.oneof(hostileText, fc.constantFrom(' ', '\n', '\u2028 \t')).map((text) => text || 'x'),
  url: hostileUrl,
  lines: fc.array(fc.record({ typ: fc.constantFrom('ins' as const, 'del' as const), text: hostileText }), {
    maxLength: 6,
  }),
  labels: fc.record({
    tap: hostileText,
    rules: fc.array(hostileText, { maxLength: 3 }),
    watch: hostileText,
    tags: fc.array(hostileText, { maxLength: 2 }),
  }),
  alike: fc.record({ count: fc.nat({ max: 9 }), urls: fc.array(hostileUrl, { maxLength: 2 }) }),
  payload: fc.record({ said: hostileText }),
});

export const hostileMessage: fc.Arbitrary<Message> = fc
  .record({
    items: fc.array(hostileItem, { minLength: 1, maxLength: 4 }),
    title: hostileText,
    more: fc.nat({ max: 2_000 }),
  })
  .map(({ items, title, more }) =>
    messageOf({ items, title: title || 'x', more, type: items.length > 1 ? 'digest' : 'match' }),
  );

/** Of which every part is longer than any service takes. */
export function hugeMessage(text: string): Message {
  const lines = Array.from({ length: 600 }, () => ({ typ: 'ins' as const, text: text.repeat(80) }));
  return messageOf({
    title: text.repeat(500),
    items: [itemOf({ title: text.repeat(500), lines, labels: { tap: text.repeat(300) } })],
  });
}
