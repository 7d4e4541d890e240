import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Configured, Message, Outcome, SinkKind } from '../../src/daemon/notify/sink-kind.ts';
import { parseTemplate, renderTemplate } from '../../src/daemon/notify/template.ts';
import { MESSAGE_FIELDS } from '../../src/shared/api/notify-values.ts';
import { Transports } from '../../src/daemon/notify/transport.ts';
import { SINK_DETAIL_BYTES } from '../../src/shared/limits.ts';
import { hasControls } from '../../src/shared/text/printable.ts';
import {
  everyMessage,
  hostileMessage,
  hostileText,
  hugeMessage,
  itemOf,
  messageOf,
} from '../daemon/notify/messages.ts';

/** What a receiver is told to do with what comes next. */
export type Answer = 'accept' | 'refuse' | 'fail' | 'gone' | 'later' | 'repeat' | 'hang up';

/** A receiver of one kind, which looks at every message as the documentation of its service says. */
export interface Receiver {
  /** A sink that leads to it, with all secrets that there are. */
  readonly configured: Configured;
  answer: Answer;
  readonly received: Received[];
  /** What was wrong with what came, by the documentation of the service. */
  readonly faults: string[];
  /** What a receiver of this kind cannot say. */
  readonly cannot: readonly Answer[];
  /** Its reader is a program, which wants all of a message. */
  readonly isProgram: boolean;
  /** Hostile messages that it is sent. */
  readonly runs: number;
  readonly close: () => Promise<void>;
}

/** One message, as its reader sees it. */
export interface Received {
  /** All that is read, without mark-up. */
  readonly text: string;
  /** Where it leads to. */
  readonly links: readonly string[];
  /** Who is called by it, what is loaded by it, what of it runs. */
  readonly alive: readonly string[];
}

/** Milliseconds that a receiver asks for with `later`. */
export const LATER_MS = 17_000;

/** The exam of every kind of sink. */
export function sinkKindContract(name: string, load: () => Promise<SinkKind>, open: () => Promise<Receiver>): void {
  describe(`the kind ${name}`, () => {
    let kind: SinkKind;
    let receiver: Receiver;
    beforeEach(async () => {
      kind = await load();
      receiver = await open();
      return () => receiver.close();
    });

    const transports = new Transports({
      outside: { now: () => Date.now() },
      userAgent: 'hydrant/test',
      environment: { PATH: process.env['PATH'] },
      resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    });
    const send = (message: Message = messageOf(), signal = new AbortController().signal): Promise<Outcome> =>
      kind.send(message, receiver.configured, transports.open(signal));
    const answered = async (answer: Answer): Promise<Outcome> => {
      receiver.answer = answer;
      return send();
    };
    const secretsOf = (): string[] => Object.values(receiver.configured.secrets);
    const written = (text: string, message: Message): Message => {
      const parsed = parseTemplate(text);
      if (!parsed.ok) throw new Error(parsed.detail);
      return { ...message, text: renderTemplate(parsed.template, message, (line) => kind.escape(line)) };
    };

    test('its fields take what leads to a receiver, and name what is missing or wrong', () => {
      const { options, secrets } = receiver.configured;
      for (const { name, isSecret, isRequired, description, check } of kind.fields) {
        const value = (isSecret ? secrets : options)[name];
        expect(description).toMatch(/^\P{Lu}.*[^.]$/u);
        expect([name, isRequired && value === undefined]).toEqual([name, false]);
        expect([name, value === undefined ? undefined : check?.(value)]).toEqual([name, undefined]);
        // A value is never repeated: it may be a secret.
        const wrong = check ? check('\0 hidden word') : 'must not be asked';
        expect(wrong).toMatch(/^(?:must|is run)/);
        expect(wrong).not.toContain('hidden word');
      }
      const names = kind.fields.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      const known = (isSecret: boolean): string[] =>
        kind.fields.filter((field) => field.isSecret === isSecret).map(({ name }) => name);
      expect(known(true)).toEqual(expect.arrayContaining(Object.keys(secrets)));
      expect(known(false)).toEqual(expect.arrayContaining(Object.keys(options)));
      expect(kind.fault?.(receiver.configured)).toBeUndefined();
    });

    test('its target names the receiver and nothing secret', () => {
      const target = kind.target(receiver.configured.options);
      expect(target).not.toBe('');
      for (const secret of secretsOf()) expect(target).not.toContain(secret);
    });

    test('delivers a message with what came and went', async () => {
      expect(await send()).toMatchObject({ outcome: 'delivered' });
      expect(receiver.faults).toEqual([]);
      expect(receiver.received).toHaveLength(1);
      const [{ text, links } = { text: '', links: [] }] = receiver.received;
      for (const said of ['Prices of copper', 'Copper rises to 9,400', 'Copper falls to 9,100', 'metals'])
        expect(text).toContain(said);
      expect([...links, text].join('\n')).toContain('https://news.example/copper?id=7');
    });

    test.each(everyMessage.map((message) => [message.type, message] as const))(
      'delivers a message of type %s',
      async (_, message) => {
        expect(await send(message)).toMatchObject({ outcome: 'delivered' });
        expect(receiver.faults).toEqual([]);
        expect(receiver.received[0]?.text).toContain(message.title);
      },
    );

    test('delivers the text of a template', async () => {
      const message = written('News: {title} ({tap})\n{lines}', messageOf());
      expect(await send(message)).toMatchObject({ outcome: 'delivered' });
      expect(receiver.faults).toEqual([]);
      const [{ text } = { text: '' }] = receiver.received;
      for (const said of ['News: Prices of copper (metals)', '+ Copper rises to 9,400']) expect(text).toContain(said);
    });

    test('sends the same message the same way, whichever attempt it is', async () => {
      await send();
      await send();
      expect(receiver.received[0]).toEqual(receiver.received[1]);
    });

    describe('an answer', () => {
      const can = (answer: Answer): boolean => !receiver.cannot.includes(answer);

      test('that refuses is refused, with what the receiver said', async () => {
        const outcome = await answered('refuse');
        expect(outcome).toMatchObject({ outcome: 'refused' });
        expect(outcome.detail).toMatch(/\w{3}/);
      });

      test('that is a failure of the receiver is unavailable', async () => {
        const outcome = await answered('fail');
        expect(outcome).toMatchObject({ outcome: 'unavailable' });
        expect(outcome.detail).toMatch(/\w{3}/);
      });

      test('that wants nothing more is gone', async () => {
        const outcome = can('gone') ? await answered('gone') : { outcome: 'gone' };
        expect(outcome).toMatchObject({ outcome: 'gone' });
      });

      test('that asks for patience is unavailable, for as long as it asks', async () => {
        const asked = { outcome: 'unavailable', retryAfterMs: LATER_MS };
        expect(can('later') ? await answered('later') : asked).toMatchObject(asked);
      });

      test('that does not come is unavailable', async () => {
        const outcome = await answered('hang up');
        expect(outcome).toMatchObject({ outcome: 'unavailable' });
        expect(outcome.detail).toMatch(/\w{3}/);
      });

      test('that repeats all that was sent repeats no secret in the outcome', async () => {
        const outcome = await answered('repeat');
        const detail = outcome.detail ?? '';
        expect(Buffer.byteLength(detail)).toBeLessThanOrEqual(SINK_DETAIL_BYTES);
        expect(hasControls(detail)).toBe(false);
        expect(detail).not.toBe('');
        for (const secret of secretsOf()) {
          for (const form of [
            secret,
            encodeURIComponent(secret),
            Buffer.from(secret).toString('base64').slice(0, 12),
          ]) {
            expect(detail).not.toContain(form);
          }
        }
      });
    });

    test('a receiver that is not there is unavailable', async () => {
      await receiver.close();
      const outcome = await send();
      expect(outcome).toMatchObject({ outcome: 'unavailable' });
      for (const secret of secretsOf()) expect(outcome.detail).not.toContain(secret);
    });

    test('rejects with the reason of who calls it off', async () => {
      const end = new AbortController();
      end.abort(new Error('the daemon stops'));
      await expect(send(messageOf(), end.signal)).rejects.toThrow('the daemon stops');
    });

    describe('a message that is too long', () => {
      test.each([
        ['letters', 'x'],
        ['what is escaped', '<&*_"'],
        ['characters of four bytes', '😀'],
        ['line ends', 'x\n'],
      ])('is cut to what the service takes, with a word about it: %s', async (_, text) => {
        expect(await send(hugeMessage(text))).toMatchObject({ outcome: 'delivered' });
        expect(await send(written('{title} {lines} {tap}', hugeMessage(text)))).toMatchObject({ outcome: 'delivered' });
        expect(await send({ ...messageOf(), text: '<b>*{}&'.repeat(20_000) })).toMatchObject({ outcome: 'delivered' });
        expect(receiver.faults).toEqual([]);
        // A program is sent all that it may have.
        const cut = receiver.received.filter(({ text: said }) => said.includes('…'));
        expect(cut).toHaveLength(receiver.isProgram ? cut.length : receiver.received.length);
      });

      test('because it has too many pieces says how many are left out', async () => {
        const items = Array.from({ length: 2_000 }, (__, index) =>
          itemOf({ title: `Story number ${index}`, url: `https://a.example/${index}` }),
        );
        expect(await send(messageOf({ type: 'digest', title: '2,000 matches', items, more: 3 }))).toMatchObject({
          outcome: 'delivered',
        });
        expect(receiver.faults).toEqual([]);
        expect(receiver.received[0]?.text).toMatch(
          receiver.isProgram ? /is_cut|and 3 more/ : /… [\d,]+ more line|are shown/,
        );
      });
    });

    describe('hostile text', () => {
      const harmless = (message: Message): void => {
        expect(receiver.faults.splice(0)).toEqual([]);
        const pages = [
          message.url,
          ...message.items.flatMap(({ url }) => url),
          ...message.items.flatMap(({ alike }) => alike?.urls),
        ];
        const allowed = new Set(pages.flatMap((url) => (url === undefined ? [] : decoded(url))));
        for (const { text, links, alive } of receiver.received.splice(0)) {
          expect(alive).toEqual([]);
          expect(links.filter((link) => !allowed.has(decoded(link)))).toEqual([]);
          expect(hasControls(text)).toBe(false);
        }
      };

      test('calls nobody, loads nothing and leads nowhere but to its page', async () => {
        await fc.assert(
          fc.asyncProperty(hostileMessage, async (message) => {
            expect(await send(message)).toMatchObject({ outcome: 'delivered' });
            harmless(message);
          }),
          { numRuns: receiver.runs },
        );
      });

      test('does not either in the fields of a template', async () => {
        const template = MESSAGE_FIELDS.filter((name) => name !== 'url').map((name) => `${name} {${name}}`);
        await fc.assert(
          fc.asyncProperty(hostileMessage, async (message) => {
            expect(await send(written(template.join(' | '), message))).toMatchObject({ outcome: 'delivered' });
            harmless(message);
          }),
          { numRuns: receiver.runs },
        );
      });

      test('is escaped as one line, whatever it is', () => {
        fc.assert(
          fc.property(hostileText, (text) => {
            const escaped = kind.escape(text);
            expect(hasControls(escaped)).toBe(false);
            expect(escaped).not.toMatch(/[\n\r]/);
            expect(escaped.isWellFormed()).toBe(true);
          }),
        );
      });
    });
  });
}

/** An address, however much of it is percent-encoded. */
function decoded(address: string): string {
  const { href } = URL.parse(address) ?? { href: address };
  return href.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
