import { fork } from 'node:child_process';
import type { ClientCalls } from './clients.ts';
import type { ServerCalls } from './server.ts';

/** Questions and answers between the benchmark and its two processes, over the channel that `fork` opens. */
type Calls = Record<string, (asked: never) => unknown>;

interface Question {
  readonly id: number;
  readonly name: string;
  readonly asked: unknown;
}

interface Answer {
  readonly id: number;
  readonly answer?: unknown;
  readonly fault?: string;
}

/** In the process: answers each question by its name. */
export function answerEach<Known extends { readonly [Name in keyof Known]: (asked: never) => unknown }>(calls: {
  readonly [Name in keyof Known]: (
    asked: Parameters<Known[Name]>[0],
  ) => Awaited<ReturnType<Known[Name]>> | Promise<Awaited<ReturnType<Known[Name]>>>;
}): void {
  const answer = async ({ id, name, asked }: Question): Promise<void> => {
    try {
      const found = await (calls as unknown as Calls)[name]?.(asked as never);
      process.send?.({ id, answer: found } satisfies Answer);
    } catch (error) {
      process.send?.({ id, fault: String(error) } satisfies Answer);
    }
  };
  process.on('message', (question: Question) => void answer(question));
  process.on('disconnect', () => process.exit(0));
}

/** A process that answers questions. */
export class Peer<Known extends { readonly [Name in keyof Known]: (asked: never) => unknown }> {
  readonly #child: ReturnType<typeof fork>;
  readonly #waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>();
  #next = 1;

  constructor(file: string) {
    this.#child = fork(new URL(file, import.meta.url), { execArgv: ['--expose-gc'], stdio: 'inherit' });
    this.#child.on('message', ({ id, answer, fault }: Answer) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (fault === undefined) waiting?.resolve(answer as never);
      else waiting?.reject(new Error(fault));
    });
    this.#child.on('exit', (code) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`${file} ended with ${code}`));
    });
  }

  ask<Name extends keyof Known & string>(
    name: Name,
    ...given: Parameters<Known[Name]>
  ): Promise<Awaited<ReturnType<Known[Name]>>> {
    const id = this.#next++;
    const [asked] = given;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ id, name, asked } satisfies Question);
    });
  }

  close(): void {
    this.#child.disconnect();
  }
}

/** A server, its clients, and where they meet. */
export interface Peers {
  readonly server: Peer<ServerCalls>;
  readonly clients: Peer<ClientCalls>;
  readonly port: number;
}
