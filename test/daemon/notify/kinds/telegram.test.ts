import { describe, expect, test } from 'vitest';
import { telegram } from '../../../../src/daemon/notify/kinds/telegram.ts';
import { LATER_MS, type Received, sinkKindContract } from '../../../contract/sink-kind.ts';
import { checkFields, httpReceiver, jsonOf, type Reply, textIn } from '../http-receiver.ts';
import { answerTo } from './one-answer.ts';

const TOKEN = '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11';

/** A stand-in for the Bot API: what https://core.telegram.org/bots/api#sendmessage and #html-style ask of a message. */
const receiver = () =>
  httpReceiver({
    configured: (origin) => ({
      options: { url: origin, chat: '-1001234567890', topic: '7', silent: 'yes' },
      secrets: { token: TOKEN },
    }),
    read: (asked, fault) => {
      const json = jsonOf(asked, fault);
      if (asked.method !== 'POST' || asked.path !== `/bot${TOKEN}/sendMessage`) fault(`${asked.method} ${asked.path}`);
      checkFields(
        json,
        {
          chat_id: 64,
          text: 100_000,
          parse_mode: 8,
          link_preview_options: null,
          message_thread_id: null,
          disable_notification: null,
        },
        fault,
      );
      expect(json).toMatchObject({
        chat_id: '-1001234567890',
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
        message_thread_id: 7,
        disable_notification: true,
      });
      const read = readHtmlOfTelegram(textIn(json, 'text'), fault);
      if (read.text.trim() === '' || read.text.length > 4_096) fault(`${read.text.length} characters`);
      return read;
    },
    answers: {
      accept: { status: 200, body: '{"ok":true,"result":{"message_id":1}}' },
      refuse: { status: 400, body: '{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}' },
      fail: { status: 502, body: '{"ok":false,"error_code":502,"description":"Bad Gateway"}' },
      gone: {
        status: 403,
        body: '{"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}',
      },
      later: {
        status: 429,
        body: JSON.stringify({
          ok: false,
          error_code: 429,
          description: 'Too Many Requests: retry after 17',
          parameters: { retry_after: LATER_MS / 1_000 },
        }),
      },
    },
  });

/**
 * As Telegram reads it: each `<` begins one of its tags and each `&` one of its entities, tags are closed in order; else the message
 * is refused. Then names behind an `@` are called.
 */
function readHtmlOfTelegram(html: string, fault: (what: string) => void): Received {
  const links: string[] = [];
  const open: string[] = [];
  let text = '';
  for (const [token, closing, tag, href] of html.matchAll(
    /<(\/?)([a-z]+)(?: href="([^"<>]*)")?>|&(?:lt|gt|amp|quot|#\d+);|[^]/g,
  )) {
    if (tag !== undefined) {
      if (!['b', 'i', 's', 'a'].includes(tag)) fault(`unsupported start tag "${tag}"`);
      if (closing === '') open.push(tag);
      else if (open.pop() !== tag) fault(`unexpected end tag "${tag}"`);
      if (href !== undefined) links.push(unescaped(href));
    } else if (token === '<' || token === '&') fault(`a bare ${token}`);
    else text += unescaped(token);
  }
  if (open.length > 0) fault(`can't find end tag "${open.join()}"`);
  const calls = [...text.matchAll(/(?<![\p{L}\p{N}_.+-])@[\p{L}\p{N}_]+/gu)].map(([call]) => call);
  return { text: text.replaceAll('\u2060', ''), links, alive: calls };
}

function unescaped(text: string): string {
  return text
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

sinkKindContract('telegram', () => Promise.resolve(telegram), receiver);

describe('an answer of Telegram', () => {
  const body = (description: string, parameters = {}): string => JSON.stringify({ ok: false, description, parameters });

  test.each<[Reply, object]>([
    [{ status: 403, body: body('Forbidden: bot was kicked from the supergroup chat') }, { outcome: 'gone' }],
    [{ status: 403, body: body('Forbidden: user is deactivated') }, { outcome: 'gone' }],
    [
      { status: 401, body: body('Unauthorized') },
      { outcome: 'refused', status: 401 },
    ],
    [
      { status: 400, body: body('Bad Request: group chat was upgraded', { migrate_to_chat_id: -1_009 }) },
      { outcome: 'refused', detail: expect.stringContaining('its id is -1009 now') as unknown },
    ],
    [{ status: 400, body: body("Bad Request: can't parse entities") }, { outcome: 'refused' }],
    [{ status: 200, body: body('no') }, { outcome: 'refused' }],
    [
      { status: 429, body: body('later', { retry_after: 34 }) },
      { outcome: 'unavailable', retryAfterMs: 34_000 },
    ],
  ])('%j is %j', async (reply, outcome) => {
    expect(await answerTo(telegram, { options: { chat: '1' }, secrets: { token: TOKEN } }, reply)).toMatchObject(
      outcome,
    );
  });
});
