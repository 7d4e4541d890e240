import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { PackedDiff, PackedText } from '../storage/watches.ts';
import type { CheckDetail, PlacedHunk, WatchDiff } from '../../shared/api/watch.ts';

/** What was packed by the judge, unpacked in the thread pool: a history of a hundred long diffs holds up nobody. */
const unpack = promisify(zstdDecompress);

/** A diff with its places; one of the older format has `chunks`, and none. */
export async function diffOf({ packed }: PackedDiff): Promise<Pick<CheckDetail, 'hunks' | 'chunks'>> {
  const content = JSON.parse((await unpack(packed)).toString()) as readonly PlacedHunk[] | Chunks;
  return 'chunks' in content ? { chunks: content.chunks } : { hunks: content };
}

/** The same as the API gives it: hunks without places (spec: Crawl entry). */
export async function wireDiffOf(diff: PackedDiff): Promise<WatchDiff> {
  const { hunks, chunks } = await diffOf(diff);
  if (hunks === undefined) return { chunks: (chunks ?? []).map(({ typ, text }) => ({ typ, text })) };
  return { hunks: hunks.map(({ blocks }) => blocks.map(blockOf)) };
}

export async function linesOf({ packed }: PackedText): Promise<string[]> {
  const joined = (await unpack(packed)).toString();
  return joined === '' ? [] : joined.split('\n');
}

type Chunks = Required<Pick<CheckDetail, 'chunks'>>;
type Block = PlacedHunk['blocks'][number];
type WireBlock = { -readonly [Part in keyof Block]: string[] };

function blockOf({ ctx, del, ins }: Block): WireBlock {
  return { ...(ctx && { ctx: [...ctx] }), ...(del && { del: [...del] }), ...(ins && { ins: [...ins] }) };
}
