import { createServer } from 'node:http';

/** A site of three pages on loopback that is changed by hand. */
export interface HandSite {
  readonly base: string;
  /** From the next request on, the next text of the page stands there. */
  change(path: string): void;
  close(): Promise<void>;
}

/** What each page says, one text after the other; the last one stays. */
const texts: Readonly<Record<string, readonly string[]>> = {
  '/': [
    '<title>Harbour office</title><h1>Harbour office</h1><p>What the harbour has to tell. <a href="/ferry">Ferry</a>',
  ],
  '/ferry': [
    '<title>Ferry to the islands</title><h1>Ferry to the islands</h1><p>The ferry sails from Monday to Friday, at nine and at noon.',
    '<title>Ferry to the islands</title><h1>Ferry to the islands</h1><p>The ferry sails from Monday to Friday, at nine and at noon.<p>From June on a night ferry sails on Saturdays, too.',
    '<title>Ferry to the islands</title><h1>Ferry to the islands</h1><p>The ferry sails from Monday to Friday, at nine and at noon.<p>From June on a night ferry sails on Saturdays, too.<p>In a storm the ferry stays in the harbour.',
  ],
  '/fares': [
    '<title>Fares</title><main><h1>Fares</h1><p>Grown-ups: 4 euros<p>Children: 1 euro</main>',
    '<title>Fares</title><main><h1>Fares</h1><p>Grown-ups: 5 euros<p>Children: 1 euro</main>',
  ],
};

export async function openSite(): Promise<HandSite> {
  const stages = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const text = texts[path]?.[stages.get(path) ?? 0];
    const page = text ?? '<title>Not found</title><p>There is no such page.';
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the site has no port');
  return {
    base: `http://127.0.0.1:${address.port}`,
    change: (path) => stages.set(path, Math.min((stages.get(path) ?? 0) + 1, (texts[path]?.length ?? 1) - 1)),
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
