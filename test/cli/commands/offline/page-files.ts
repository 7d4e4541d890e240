import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

/** Files in a directory of their own, which goes when the tests of the file are over. */
export function pageFiles(): (name: string, content: string | Uint8Array) => string {
  const directory = mkdtempSync(path.join(tmpdir(), 'hydrant-pages-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  return (name, content) => {
    const file = path.join(directory, name);
    writeFileSync(file, content);
    return file;
  };
}

export interface PageParts {
  readonly title?: string;
  readonly sentence?: string;
  readonly link?: string;
  readonly head?: string;
}

/** A page with boilerplate and content, which says what the test has it say. */
export function ferryPage(parts: PageParts = {}): string {
  const {
    title = 'Ferry timetable',
    sentence = 'It takes an hour to the island.',
    link = 'Tickets',
    head = '',
  } = parts;
  return `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body>
    <nav><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li></ul></nav>
    <main><h1>Ferry timetable</h1>
    <p>The ferry sails from May, twice a day, whatever the weather on the sound may be.</p>
    <p>${sentence}</p>
    <p>Coins, cards and letters of credit are taken on board by the crew. <a href="/${link}">${link}</a></p></main>
    <footer>Harbour News</footer></body></html>`;
}
