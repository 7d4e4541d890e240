import { gzipSync } from 'node:zlib';

/** More rooms than pages of one host; a page is that of one of them. */
const ROOMS = 500;
const packed: Buffer[] = [];

/** Of a page, 20 kB before it is packed, of words that do not repeat much; the same bytes each time. */
export function bodyOf(page: number): Buffer {
  const room = page % ROOMS;
  return (packed[room] ??= gzipSync(textOf(room)));
}

/** The pages with an even number have one, and answer 304 to it. */
export function etagOf(page: number): string | undefined {
  return page % 2 === 0 ? `"${page}"` : undefined;
}

function textOf(room: number): string {
  const lines = Array.from({ length: 150 }, (_, line) => {
    const at = (room * 31 + line * 7) % 97;
    return `<p>Shelf ${line} of room ${room} holds ${at} boxes of lamps, ${(at * 13) % 89} ropes and a map of the ${at + line} quays.</p>`;
  });
  return `<!doctype html><title>Room ${room}</title><main><h1>Room ${room}</h1>${lines.join('\n')}</main>`;
}
