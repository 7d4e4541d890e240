import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Who is asked; of several daemons whichever answers at the moment. */
export interface Answering {
  /** Undefined: nobody. */
  readonly socket: string | undefined;
  /** Longer than any answer takes: a request that hangs is told of as one that was never answered. */
  readonly patienceMs?: number;
}

interface Asked {
  readonly body?: unknown;
  /** Sent as they are. */
  readonly bytes?: Uint8Array;
  readonly token?: string;
}

/**
 * A request on the operator's socket. Undefined where the daemon was gone before it had answered: whether it did what it
 * was asked for is not known then.
 */
export function ask(
  daemon: Answering,
  method: string,
  path: string,
  { body, bytes, token }: Asked = {},
): Promise<Answer | undefined> {
  const headers = {
    'content-type': bytes === undefined ? 'application/json' : 'application/warc',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return new Promise((resolve) => {
    const gone = (): void => resolve(undefined);
    const { socket: socketPath, patienceMs = ANSWER_MS } = daemon;
    if (socketPath === undefined) return gone();
    // A connection of its own: one that was kept would belong to a former life.
    const call = request({ socketPath, method, path, headers, agent: false, timeout: patienceMs }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      response.on('error', gone);
    });
    call.on('error', gone);
    call.on('timeout', () => call.destroy());
    call.end(bytes ?? (body === undefined ? undefined : JSON.stringify(body)));
  });
}

/**
 * The `data` of an answer that must come: nobody kills the daemon meanwhile. A 503 asks for another try: the daemon did not reach its
 * database, which on a machine with too much to do takes no fault.
 */
export async function read<Data>(daemon: Answering, path: string, token?: string): Promise<Data> {
  for (const end = Date.now() + AWAY_MS; ; await sleep(1_000)) {
    const answer = await ask(daemon, 'GET', path, token === undefined ? {} : { token });
    if (answer?.status === 200) return (JSON.parse(answer.body) as { data: Data }).data;
    if (answer?.status !== 503 || Date.now() > end)
      throw new Error(`GET ${path} → ${answer?.status ?? 'nothing'}: ${answer?.body ?? ''}`);
  }
}

const ANSWER_MS = 30_000;
const AWAY_MS = 60_000;
