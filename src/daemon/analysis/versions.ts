import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { NO_HISTORY, type PageHistory } from '../../shared/page/history.ts';
import { EXTRACTOR, type Page } from '../../shared/page/page.ts';
import type { PackedVersion } from '../storage/pages.ts';
import type { PageInput } from './page-analysis.ts';

/** A version as the storage keeps it. Packed here, so that neither the main thread nor the storage's spends its time. */
export function versionOf({ fetched, at }: PageInput, page: Page, history: PageHistory): PackedVersion {
  const { url, contentType, bytes } = fetched;
  const kept = { page: packed(JSON.stringify(page)), history: JSON.stringify(history), body: packed(bytes) };
  return { url, contentType, extractor: EXTRACTOR, at, ...kept };
}

/** Of a version that this extractor made. */
export function pageOf(version: Pick<PackedVersion, 'page'>): Page {
  return JSON.parse(unpacked(version.page).toString()) as Page;
}

export function historyOf({ history }: Pick<PackedVersion, 'history'>): PageHistory {
  return { ...NO_HISTORY, ...(JSON.parse(history) as Partial<PageHistory>) };
}

/**
 * On its own: what zlib gives is the beginning of a piece, which would cross threads with it. A page is small: told its
 * size, zstd clears smaller tables, and its fastest level takes a third less time for one percent more of bytes.
 */
export function packed(content: string | Uint8Array): Uint8Array {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return Uint8Array.from(zstdCompressSync(bytes, { pledgedSrcSize: bytes.length, chunkSize: PIECE, params: FASTEST }));
}

const FASTEST = { [constants.ZSTD_c_compressionLevel]: 1 };
/** Bytes: most packed pages are one piece of it. */
const PIECE = 16_384;

export function unpacked(content: Uint8Array): Buffer {
  return zstdDecompressSync(content);
}
