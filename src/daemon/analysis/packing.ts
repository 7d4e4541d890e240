import type { Labels } from '../../shared/label/label.ts';
import type { ChangedPage } from '../../shared/match/document.ts';
import type { Change } from '../../shared/page/change.ts';
import type { ReadingAccount } from '../../shared/page/account.ts';
import { Boilerplate, sharedLength } from '../../shared/page/structure/boilerplate.ts';
import { EXTRACTOR, NO_FACTS, type Page, type PublishTime } from '../../shared/page/page.ts';
import type { RecentChange } from '../storage/recent-changes.ts';
import { NO_HISTORY, type PageHistory } from '../../shared/page/history.ts';
import type { PackedVersion } from '../storage/pages.ts';
import { unzstd, zstd } from '../compression.ts';
import type { PageInput } from './findings.ts';
import { LazilyLabelled } from './lazily-labelled.ts';
import type { Waiting } from './second-look.ts';

/**
 * What the rules saw of a change, packed for a day, and read again by whoever tries a query on it. The page itself is
 * kept beside it as its version has it, which costs no second packing: it is read for its labels alone, and only where
 * a query asks for them and no rule had asked before.
 */
interface Kept {
  /** Of the page beside it. */
  readonly extractor: number;
  /** When it was analyzed, milliseconds since 1970: ages are counted from here. */
  readonly at: number;
  readonly url: string;
  readonly title?: string;
  readonly publishTime?: PublishTime;
  readonly futureTime?: PublishTime;
  readonly dr?: number;
  readonly change: Change;
  /** Where a rule asked for them. */
  readonly labels?: Labels;
}

/**
 * What the last version of a page says of its reading; undefined where another version of hydrant has read it, or where it is
 * a list of other pages.
 * @param shared what `Pages.boilerplate` has of its host
 * @param at now, milliseconds since 1970
 */
export async function accountOfVersion(
  version: PackedVersion,
  shared: Uint8Array | undefined,
  at: number,
): Promise<ReadingAccount | undefined> {
  if (version.extractor !== EXTRACTOR) return undefined;
  // Seldom asked, on the main thread, and with it comes what compares pages.
  const { accountOf } = await import('../../shared/page/account.ts');
  const page = pageOf(version);
  const boilerplate = Boilerplate.from(shared, at);
  const length = sharedLength(page, boilerplate.has.bind(boilerplate));
  const { read, ...account } = accountOf(page);
  return { read: read - length, ...(length > 0 && { shared: length }), ...account };
}

/** @param at when it was analyzed, milliseconds since 1970 */
export function packedChange(page: Page, at: number, seen: Pick<Kept, 'change' | 'dr' | 'labels'>): Uint8Array {
  const { url, title, publishTime, futureTime } = page;
  const kept: Kept = {
    extractor: EXTRACTOR,
    at,
    url,
    ...(title !== undefined && { title }),
    ...(publishTime && { publishTime }),
    ...(futureTime && { futureTime }),
    ...seen,
  };
  return zstd(JSON.stringify(kept));
}

/** A change as the matcher sees it, and when that was. */
interface UnpackedChange {
  readonly changed: ChangedPage;
  readonly at: number;
}

/** Undefined where another version of hydrant kept it, whose pages this one cannot label. Throws on what is no such bytes. */
export function unpackedChange(
  { change: bytes, page: pageBytes }: Pick<RecentChange, 'change' | 'page'>,
  label: (page: Page) => Labels,
): UnpackedChange | undefined {
  const kept = JSON.parse(unzstd(bytes).toString()) as Kept;
  const { extractor, at, url, title, publishTime, futureTime, dr, change, labels } = kept;
  if (extractor !== EXTRACTOR) return undefined;
  const page: Page = {
    ...WITHOUT_TEXT,
    url,
    ...(title !== undefined && { title }),
    ...(publishTime && { publishTime }),
    ...(futureTime && { futureTime }),
  };
  const read = (): Labels => labels ?? label(JSON.parse(unzstd(pageBytes).toString()) as Page);
  return { changed: new LazilyLabelled({ page, change, dr }, read), at };
}

/** The matcher reads the text of the change, and none of the page. */
const WITHOUT_TEXT = { segments: [], anchors: [], links: [], facts: NO_FACTS };

/** What is kept of a version beside its text: how it changes, and how it was read. */
interface Beside extends PageHistory {
  /** As `PageInput.way`. */
  readonly way?: string;
  readonly leads?: OfferedLeads;
  /** What was found since and waits for a second look, with the `doubtedAt` that it waits under. */
  readonly doubt?: Waiting;
}

/** The leads of a page that the frontier was offered last: their `Discovery.leadsKey`, and when, milliseconds since 1970. */
export interface OfferedLeads {
  readonly key: string;
  readonly at: number;
}

/** A version as the storage keeps it. Packed here, so that neither the main thread nor the storage's spends its time. */
export function versionOf(
  { fetched, way, at }: PageInput,
  page: Page,
  { history, leads }: { readonly history: PageHistory; readonly leads: OfferedLeads | undefined },
): PackedVersion {
  const { url, contentType, bytes } = fetched;
  const beside: Beside = { ...history, ...(way !== undefined && { way }), ...(leads && { leads }) };
  const kept = { page: zstd(JSON.stringify(page)), history: JSON.stringify(beside), body: zstd(bytes) };
  return { url, contentType, extractor: EXTRACTOR, at, ...kept };
}

/** Of a version that this extractor made. */
export function pageOf(version: Pick<PackedVersion, 'page'>): Page {
  return JSON.parse(unzstd(version.page).toString()) as Page;
}

export function historyOf(version: Pick<PackedVersion, 'history'>): PageHistory {
  const { rotations = NO_HISTORY.rotations } = besideOf(version);
  return { rotations };
}

/** How it was read; undefined: as the crawl reads. */
export function wayOf(version: Pick<PackedVersion, 'history'>): string | undefined {
  return besideOf(version).way;
}

/** Undefined for a version of an earlier release, and for a list. */
export function offeredLeadsOf(version: Pick<PackedVersion, 'history'>): OfferedLeads | undefined {
  return besideOf(version).leads;
}

/** What waits for a second look under this `doubtedAt`. */
export function doubtOf(version: Pick<PackedVersion, 'history'>, doubtedAt: number | undefined): string | undefined {
  const { doubt } = besideOf(version);
  return doubt?.doubtedAt === doubtedAt ? doubt?.doubt : undefined;
}

/** The same version, with what waits for a second look. */
export function withDoubt(version: PackedVersion, doubt: Waiting): PackedVersion {
  return { ...version, history: JSON.stringify({ ...besideOf(version), doubt }) };
}

function besideOf({ history }: Pick<PackedVersion, 'history'>): Partial<Beside> {
  return JSON.parse(history) as Partial<Beside>;
}
