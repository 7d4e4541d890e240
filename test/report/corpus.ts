import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const corpus = join(import.meta.dirname, '../../../shared/corpus');

/** Whether the labelled corpus is at hand; a clone without it reports nothing, and says so. */
export const corpusIsHere = existsSync(join(corpus, 'README.md'));

/** Rules, thresholds and word lists are made by looking at `build`; figures that we publish are those of `check`. */
export type Half = 'build' | 'check';

/** All of one host falls in one half: pages of a site are too alike to check each other. */
export function halfOf(key: string): Half {
  return (createHash('sha1').update(key).digest()[0] ?? 0) % 2 === 0 ? 'build' : 'check';
}

export interface LabelledPage {
  readonly file: string;
  readonly url: string | null;
  readonly title: string | null;
  readonly lang: string | null;
  readonly published: string | null;
  readonly published_source: string | null;
  readonly truth?: string;
  readonly truth_kind?: string;
  readonly page_type?: string;
  readonly page_type_accept?: readonly string[];
  readonly category?: string;
  readonly category_accept?: readonly string[];
  readonly source: string;
}

/** The manifest of `pages` or `types`, one half of it. */
export function labelledPages(folder: 'pages' | 'types', half: Half): LabelledPage[] {
  return readLines(`${folder}/public/manifest.jsonl`)
    .map((line) => line as LabelledPage)
    .filter(({ file, url }) => halfOf(URL.parse(url ?? '')?.hostname ?? file) === half);
}

/** A file of `links`, or of `pages` or `types` as its manifest names it, unpacked. */
export function fileOf(folder: 'pages' | 'types' | 'links', name: string): Uint8Array {
  const bytes = readFileSync(join(corpus, folder, name));
  return name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

/** JSON lines of a file below the corpus, plain or gzip. */
export function readLines(path: string): unknown[] {
  const bytes = readFileSync(join(corpus, path));
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  return text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}
