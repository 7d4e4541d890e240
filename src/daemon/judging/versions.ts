import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { NO_HISTORY, type PageHistory } from '../../shared/page/history.ts';
import { EXTRACTOR, type Page } from '../../shared/page/page.ts';
import type { PackedVersion } from '../storage/pages.ts';
import type { Case } from './case.ts';

/** A version as the storage keeps it. Packed here, so that neither the main thread nor the storage's spends its time. */
export function versionOf({ fetched, at }: Case, page: Page, history: PageHistory): PackedVersion {
  const { url, contentType, bytes } = fetched;
  const kept = { page: packed(JSON.stringify(page)), history: JSON.stringify(history), body: packed(bytes) };
  return { url, contentType, extractor: EXTRACTOR, at, ...kept };
}

/** Of a version that this extractor made. */
export function pageOf(version: PackedVersion): Page {
  return JSON.parse(unpacked(version.page).toString()) as Page;
}

export function historyOf({ history }: PackedVersion): PageHistory {
  return { ...NO_HISTORY, ...(JSON.parse(history) as Partial<PageHistory>) };
}

/** On its own: what zlib gives is the beginning of a piece of 64 KiB, which would cross threads with it. */
export function packed(content: string | Uint8Array): Uint8Array {
  return Uint8Array.from(zstdCompressSync(content));
}

export function unpacked(content: Uint8Array): Buffer {
  return zstdDecompressSync(content);
}
