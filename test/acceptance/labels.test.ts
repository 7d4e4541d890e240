import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { RealDaemon, until } from './real-daemon.ts';
import type { Match } from '../../src/shared/api/match.ts';
import type { Status } from '../../src/shared/api/status.ts';

const PAGES: Readonly<Record<string, readonly [headers: Record<string, string>, html: string]>> = {
  '127.0.0.31': [
    {},
    `<html lang="de"><title>Roggenbrot mit Saaten</title>
    <script type="application/ld+json">{"@context":"https://schema.org","@type":"Recipe","name":"Roggenbrot"}</script>
    <nav><a href="/rezepte">Alle Rezepte</a></nav><main><h1>Roggenbrot mit Saaten</h1>
    <p>Den Teig aus Roggenmehl, Wasser, Hefe und Salz zehn Minuten kneten und neben dem Ofen gehen lassen.</p>
    <p>Das Brot bei hoher Hitze backen und vor dem Schneiden abkühlen lassen; dazu schmecken Butter und Käse.</p></main>`,
  ],
  '127.0.0.32': [
    {},
    `<html lang="en"><title>Ferries of the bay</title><main><h1>Ferries of the bay</h1>
    <p>The ferry leaves the old harbour at noon, and the bread that is sold on board is baked on the island.</p>
    <p>Passengers with bicycles wait on the left of the pier until all the cars have been taken on board.</p></main>`,
  ],
  '127.0.0.33': [
    { rating: 'RTA-5042-1996-1400-1577-RTA' },
    `<html lang="en"><title>For grown-ups</title><main><p>The harbour after midnight, as it is seldom shown.</p></main>`,
  ],
};

describe('the labels of a page', () => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0)) await thing.close();
  });

  async function serve(host: string): Promise<string> {
    const [headers, html] = PAGES[host] ?? [{}, ''];
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html);
    });
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    open.push({ close: () => server.closeAllConnections() }, server);
    return `http://${host}:${(server.address() as AddressInfo).port}/`;
  }

  test('decide what a rule matches, and come with the match', async () => {
    const urls = await Promise.all(Object.keys(PAGES).map((host) => serve(host)));
    const daemon = await RealDaemon.start();
    open.unshift({ close: () => daemon.dispose() });
    for (const [tap, query, ...flags] of [
      ['recipes', 'language:"de" AND page_type:"/Article/Recipe"'],
      ['food', 'page_category:"/Food_and_Drink"'],
      ['harbours', 'harbour'],
      ['grown-ups', 'harbour', '--nsfw'],
    ] as const) {
      await daemon.hydrant(['tap', 'create', tap]);
      await daemon.hydrant(['rule', 'add', tap, query, '--no-quality', ...flags]);
    }
    await daemon.hydrant(['crawl', 'add', ...urls]);
    await until('each page is visited', async () => {
      const { data } = await daemon.operator<{ data: Status }>('GET', '/admin/status');
      return data.crawl.visits >= urls.length && data.crawl.in_flight === 0;
    });
    const matched = async (tap: string): Promise<Match['document'][]> => {
      const text = await daemon.hydrant(['tail', tap, '--since', '1h', '--once', '--json']);
      return text.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as Match).document]));
    };
    const titles = async (tap: string): Promise<unknown[]> => (await matched(tap)).map(({ title }) => title);

    const [recipe, ...others] = await matched('recipes');
    expect(others).toEqual([]);
    expect(recipe).toMatchObject({ title: 'Roggenbrot mit Saaten', language: 'de' });
    expect(recipe?.page_types).toEqual(expect.arrayContaining(['/Article/Recipe', '/Article']));
    expect(recipe?.page_category).toContain('/Food_and_Drink');
    expect(JSON.stringify(recipe?.diff)).not.toContain('Alle Rezepte');
    expect(await titles('food')).toEqual(['Roggenbrot mit Saaten']);
    expect(await titles('harbours')).toEqual(['Ferries of the bay']);
    expect((await titles('grown-ups')).toSorted()).toEqual(['Ferries of the bay', 'For grown-ups']);
  });
});
