import { gzipSync } from 'node:zlib';

/** More rooms than pages of one host; a page is that of one of them. */
const ROOMS = 500;
const packed: Buffer[] = [];

/** A page as it is sent. */
export function bodyOf(page: number): Buffer {
  return (packed[page % ROOMS] ??= gzipSync(textOf(page)));
}

/** The pages with an even number have one, and answer 304 to it. */
export function etagOf(page: number): string | undefined {
  return page % 2 === 0 ? `"${page}"` : undefined;
}

/** 20 kB of words that do not repeat much, the same each time. */
export function textOf(page: number): string {
  const room = page % ROOMS;
  const lines = Array.from({ length: 150 }, (_, line) => {
    const at = (room * 31 + line * 7) % 97;
    return `<p>Shelf ${line} of room ${room} holds ${at} boxes of lamps, ${(at * 13) % 89} ropes and a map of the ${at + line} quays.</p>`;
  });
  return `<!doctype html><title>Room ${room}</title><main><h1>Room ${room}</h1>${lines.join('\n')}</main>`;
}
