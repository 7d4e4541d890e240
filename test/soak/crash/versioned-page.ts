import { seeded } from '../../fixtures/series.ts';

/** When a version was put on show, and when the first client was told of it. */
export interface Shown {
  readonly at: number;
  seenAt: number | undefined;
}

/** A page whose versions are the harness's to publish, one after another: each has one paragraph that is new. */
export class VersionedPage {
  /** One word, and the first of its title. */
  readonly name: string;
  readonly url: string;
  readonly shown: Shown[] = [{ at: performance.now(), seenAt: undefined }];
  /** Addresses that it leads to. */
  readonly links: string[] = [];
  /** It has no further version. */
  readonly isStill: boolean;

  constructor(name: string, url: string, isStill = false) {
    this.name = name;
    this.url = url;
    this.isStill = isStill;
  }

  get version(): number {
    return this.shown.length - 1;
  }

  publish(): void {
    this.shown.push({ at: performance.now(), seenAt: undefined });
  }

  /** Whether it was the version on show, and nobody had been told of it. */
  see(version: number): boolean {
    const shown = this.shown[version];
    if (shown === undefined || shown.seenAt !== undefined) return false;
    shown.seenAt = performance.now();
    return version === this.version;
  }

  html(version = this.version): string {
    const paragraphs = Array.from({ length: PARAGRAPHS }, (_, place) => `<p>${this.#words(place, version)}</p>`);
    const links = this.links.map((url) => `<li><a href="${url}">${words(url, 4)}</a></li>`);
    const list = links.length === 0 ? '' : `<ul>${links.join('\n')}</ul>`;
    return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${titleOf(this.name, version)}</title></head>
<body><main><h1>${words(this.name, 3)}</h1>${paragraphs.join('\n')}${list}</main></body></html>`;
  }

  /** A version has the paragraph of its turn; the others are as older ones left them. */
  #words(place: number, version: number): string {
    const turns = Math.floor((version - place + PARAGRAPHS) / PARAGRAPHS);
    return words(`${this.name} ${place} ${version < place ? 0 : turns}`, WORDS);
  }
}

function titleOf(name: string, version: number): string {
  return `${name} version v${version}`;
}

/** Which page and version a title speaks of. */
export function readTitle(title: string | undefined): { readonly name: string; readonly version: number } | undefined {
  const [, name, version] = /^(\w+) version v(\d+)$/.exec(title ?? '') ?? [];
  return name === undefined ? undefined : { name, version: Number(version) };
}

/** `aa`, `ab`, …: a number would be part of no word. */
export function letters(index: number): string {
  return String.fromCharCode(97 + Math.floor(index / 26), 97 + (index % 26));
}

/** The same words for the same text, and other ones for another: no page repeats one of another page. */
function words(text: string, count: number): string {
  let hash = 7;
  for (const character of text) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  const random = seeded(hash);
  const pick = (from: string): string => from[Math.floor(random() * from.length)] ?? '';
  const syllable = (): string => pick('bcdfghklmnprstvz') + pick('aeiou');
  return Array.from({ length: count }, () => syllable() + syllable() + syllable() + pick('lnrst')).join(' ');
}

const PARAGRAPHS = 8;
const WORDS = 14;
