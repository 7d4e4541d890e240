import { describe, expect, test } from 'vitest';
import { slack } from '../../../../src/daemon/notify/kinds/slack.ts';
import { type Received, sinkKindContract } from '../../../contract/sink-kind.ts';
import { checkFields, httpReceiver, jsonOf, laterHeader, type Reply, textIn } from '../http-receiver.ts';
import { answerTo } from './one-answer.ts';

/**
 * A stand-in for the incoming webhooks of Slack: what https://docs.slack.dev/reference/block-kit/blocks and
 * https://docs.slack.dev/messaging/formatting-message-text ask of a message, and what they read in it.
 */
const receiver = () =>
  httpReceiver({
    configured: (origin) => ({
      options: {},
      secrets: { url: `${origin}/services/T0AB1CD2E/B0FG3HI4J/kLmN5oPqR6sTuV7wXyZ8` },
    }),
    read: (asked, fault) => {
      const json = jsonOf(asked, fault);
      if (asked.method !== 'POST' || !asked.path.startsWith('/services/T0AB1CD2E/'))
        fault(`${asked.method} ${asked.path}`);
      checkFields(json, { text: 3_000, blocks: null, unfurl_links: null, unfurl_media: null }, fault);
      if (json['unfurl_links'] !== false || json['unfurl_media'] !== false) fault('previews');
      const shown = mrkdwn(textIn(json, 'text'));
      const blocks = json['blocks'] as readonly Block[];
      if (blocks.length !== 1) fault(`${blocks.length} blocks`);
      const read = blocks.map((block) => readBlock(block, fault));
      return {
        text: [shown, ...read].map(({ text }) => text).join('\n'),
        links: [shown, ...read].flatMap(({ links }) => links),
        alive: [shown, ...read].flatMap(({ alive }) => alive),
      };
    },
    answers: {
      accept: { status: 200, body: 'ok' },
      refuse: { status: 400, body: 'invalid_payload' },
      fail: { status: 500, body: 'rollup_error' },
      gone: { status: 404, body: 'no_service' },
      later: { status: 429, headers: laterHeader, body: 'rate_limited' },
    },
  });

interface Element {
  readonly type: string;
  readonly text?: string;
  readonly url?: string;
  readonly style?: object;
}

interface Block {
  readonly type: string;
  readonly text?: { readonly type: string; readonly text: string; readonly verbatim?: boolean };
  readonly elements?: readonly { readonly type: string; readonly elements: readonly Element[] }[];
}

function readBlock({ type, text, elements = [] }: Block, fault: (what: string) => void): Received {
  if (type === 'section') return readSection(text, fault);
  if (type !== 'rich_text' || elements.length === 0) fault(`block ${type}`);
  const inline = elements.flatMap((section) => {
    if (section.type !== 'rich_text_section' || section.elements.length === 0) fault(`element ${section.type}`);
    return section.elements;
  });
  // Anything else mentions somebody, or is an emoji.
  const alive = inline.filter((one) => !['text', 'link'].includes(one.type)).map((one) => one.type);
  if (inline.some((one) => (one.text ?? '') === '')) fault('an empty text');
  const said = inline.map((one) => one.text ?? '').join('\n');
  if (said.length > 4_000) fault(`${said.length} characters of rich text`);
  return { text: said, links: inline.flatMap((one) => (one.type === 'link' ? [one.url ?? ''] : [])), alive };
}

function readSection(text: Block['text'], fault: (what: string) => void): Received {
  const said = text?.text ?? '';
  if (text?.type !== 'mrkdwn' || text.verbatim !== true) fault(`a section of ${text?.type ?? 'nothing'}`);
  if (said === '' || said.length > 3_000) fault(`a section of ${said.length} characters`);
  return mrkdwn(said);
}

/** `<…>` calls somebody or links somewhere; `*a*`, `_a_`, `~a~` and `:a:` at the edge of a word are marks. */
function mrkdwn(text: string): Received {
  const marks = [
    ...text.matchAll(
      /<[^<>]*>|(?<![\p{L}\p{N}\u200b])([*_~`])(?=\S)[^\n]*?\S\1(?![\p{L}\p{N}])|(?<!\u200b):[\w+-]+:/gu,
    ),
  ];
  const amps = [...text.matchAll(/&(?!(?:amp|lt|gt);)/g)].map(() => 'a bare &');
  const said = text.replaceAll('\u200b', '').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return { text: said, links: [], alive: [...marks.map(([mark]) => mark), ...amps] };
}

sinkKindContract('slack', () => Promise.resolve(slack), receiver);

describe('an answer of Slack', () => {
  test.each<[Reply, object]>([
    [
      { status: 404, body: 'no_service' },
      { outcome: 'gone', status: 404 },
    ],
    [
      { status: 410, body: 'channel_is_archived' },
      { outcome: 'gone', status: 410 },
    ],
    [{ status: 404, body: 'channel_not_found' }, { outcome: 'gone' }],
    [{ status: 403, body: 'invalid_token' }, { outcome: 'gone' }],
    [
      { status: 403, body: 'action_prohibited' },
      { outcome: 'refused', detail: 'action_prohibited' },
    ],
    [
      { status: 400, body: 'invalid_payload' },
      { outcome: 'refused', status: 400, detail: 'invalid_payload' },
    ],
    [{ status: 400, body: 'invalid_blocks' }, { outcome: 'refused' }],
    [
      { status: 302, body: '<html>' },
      { outcome: 'refused', detail: 'the address is none of an incoming webhook' },
    ],
    [{ status: 503 }, { outcome: 'unavailable', detail: '503 Service Unavailable' }],
  ])('%j is %j', async (reply, outcome) => {
    expect(await answerTo(slack, { secrets: { url: 'https://hooks.slack.com/services/x' } }, reply)).toMatchObject(
      outcome,
    );
  });
});
