import { cutDetail, isFailure, type Message, type Outcome, type SinkKind, type Texts } from '../sink-kind.ts';
import { commandFault, type Finished, wordsOf } from '../../process/command.ts';
import { field } from './fields.ts';
import { messageJson } from './message-json.ts';
import { characters, oneLine, plain, plainText, titleOf, webUrl } from '../message-lines.ts';

/**
 * Runs a program of the operator's: the message as JSON on its standard input, its fields as variables of the environment. There is
 * no shell, so nothing in a message is read as a command. Exit code 0 is delivered; 75 and 69 (EX_TEMPFAIL and EX_UNAVAILABLE of
 * sysexits(3)), a signal and a program that does not start are tried again; any other code refuses the message.
 */
export const exec: SinkKind = {
  name: 'exec',
  fields: [
    field('command', 'a program and its arguments: words, or a list of them as JSON', {
      isRequired: true,
      check: commandFault,
    }),
  ],
  target: ({ command = '' }) => wordsOf(command)?.[0] ?? '',
  escape: plain,
  send: async (message, { name, options }, transport) => {
    const argv = wordsOf(options['command'] ?? '');
    if (!argv) return { outcome: 'refused', detail: 'the command is none' };
    const ended = await transport.run({ argv, env: variablesOf(message, name), input: messageJson(message) });
    return isFailure(ended) ? { outcome: 'unavailable', detail: cutDetail(ended.failure) } : outcomeOf(ended);
  },
};

function outcomeOf({ code, signal, output }: Finished): Outcome {
  if (code === null) return { outcome: 'unavailable', detail: cutDetail(`ended by ${String(signal)}: ${output}`) };
  const detail = cutDetail(output) || `exit code ${code}`;
  if (code === 0) return { outcome: 'delivered', status: code, detail };
  return { outcome: TRY_AGAIN.has(code) ? 'unavailable' : 'refused', status: code, detail };
}

const TRY_AGAIN: ReadonlySet<number> = new Set([69, 75]);

/** Characters of one variable. */
const VARIABLE = 4_096;

function variablesOf(message: Message, sink: string): Texts {
  const labels = message.items.map((item) => item.labels);
  const all = (names: readonly (string | undefined)[]): string =>
    oneLine([...new Set(names.filter((name) => name !== undefined))].join(', '), VARIABLE);
  return {
    HYDRANT_ID: message.id,
    HYDRANT_SINK: sink,
    HYDRANT_TYPE: message.type,
    HYDRANT_TIME: message.at,
    HYDRANT_TITLE: titleOf(message, VARIABLE),
    HYDRANT_URL: webUrl(message.url) ?? '',
    HYDRANT_TEXT: plainText(message, { most: VARIABLE, lengthOf: characters }),
    HYDRANT_TAP: all(labels.map(({ tap }) => tap)),
    HYDRANT_RULES: all(labels.flatMap(({ rules }) => rules)),
    HYDRANT_TAGS: all(labels.flatMap(({ tags }) => tags)),
    HYDRANT_MORE: String(message.more),
  };
}
