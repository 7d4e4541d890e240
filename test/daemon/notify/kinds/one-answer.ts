import type { Configured, Message, Outcome, SinkKind, Transport } from '../../../../src/daemon/notify/sink-kind.ts';
import type { Reply } from '../http-receiver.ts';
import { messageOf } from '../messages.ts';

/** What a kind makes of one answer, without a network. */
export function answerTo(
  kind: SinkKind,
  configured: Partial<Pick<Configured, 'options' | 'secrets'>>,
  { status, body = '', headers = {} }: Reply,
  message: Message = messageOf(),
): Promise<Outcome> {
  const seconds = headers['retry-after'];
  const transport: Transport = {
    signal: new AbortController().signal,
    now: () => 0,
    http: () =>
      Promise.resolve({ status, body, ...(seconds !== undefined && { retryAfterMs: Number(seconds) * 1_000 }) }),
    connect: () => Promise.reject(new Error('no connection is wanted')),
    run: () => Promise.reject(new Error('no command is wanted')),
  };
  return kind.send(message, { sinkId: 's', name: 'n', options: {}, secrets: {}, ...configured }, transport);
}
