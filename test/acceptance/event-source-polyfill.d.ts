/** As much of it as the tests use; the package has no types. */
declare module 'event-source-polyfill' {
  interface PolyfillEvent {
    /** Of the answer to an opening. */
    readonly status?: number;
    /** Of an event of the stream. */
    readonly data?: string;
    readonly lastEventId?: string;
  }

  export class EventSourcePolyfill {
    constructor(url: string, options?: { readonly headers?: Readonly<Record<string, string>> });
    addEventListener(type: string, listener: (event: PolyfillEvent) => void): void;
    close(): void;
  }
}
