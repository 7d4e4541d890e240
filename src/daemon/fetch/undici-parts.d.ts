/**
 * The parts of undici that `fetch` uses, by their files: its index also loads its fetch, caches, mocks, WebSocket and web
 * streams, which the daemon never uses and would keep in memory.
 */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';
  export = Client;
}

declare module 'undici/lib/api/api-connect.js' {
  import type { Client, Dispatcher } from 'undici';
  function connect(this: Client, options: Omit<Dispatcher.ConnectOptions, 'origin'>): Promise<Dispatcher.ConnectData>;
  export = connect;
}

declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici';
  export = buildConnector;
}

declare module 'undici/lib/core/errors.js' {
  import { errors } from 'undici';
  export = errors;
}
