/**
 * Saved matches: what somebody wants to keep of a stream. The id of an event comes in, and the match is taken from the
 * log, whole, with the names that its tap and rules have now; goes out: the match as the operator sees it. One for each
 * address within the organization: saving it again changes nothing, so that a key pressed twice is no mistake.
 */
import { findOne } from '../accounts/lookup.ts';
import { type Outside, timestamp } from '../outside.ts';
import { Problem } from '../problem.ts';
import type { CatalogData, TapRecord } from '../storage/catalog.ts';
import type { EventLog, LoggedEvent } from '../storage/event-log.ts';
import type { SavedMatches as Port, SavedMatch as Record } from '../storage/saved-matches.ts';
import type {
  MatchDocument,
  SavedMatch,
  SavedMatchCreation,
  SavedMatchQuestion,
  SavedMatchRule,
} from '../../shared/api/match.ts';
import { SAVED_MATCHES_A_PAGE, SAVED_MATCHES_PER_ORGANIZATION } from '../../shared/limits.ts';

/** Who saves, and for whom. */
interface Saver {
  readonly organizationId: string;
  readonly memberId: string;
}

interface Deps {
  readonly saved: Port;
  readonly eventLog: Pick<EventLog, 'bounds' | 'read'>;
  readonly catalog: { readonly data: Pick<CatalogData, 'taps' | 'rules' | 'members'> };
  readonly outside: Outside;
}

export class SavedMatches {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** `isNew` is false where the address was saved already; that match is answered. @throws {Problem} */
  async save(saver: Saver, creation: SavedMatchCreation): Promise<{ match: SavedMatch; isNew: boolean }> {
    const { catalog, saved, outside } = this.#deps;
    const { organizationId } = saver;
    const own = catalog.data.taps.filter((one) => one.organizationId === organizationId);
    const tap: TapRecord = findOne('tap', own, creation.tap);
    const event = await this.#event(tap.id, creation.event);
    const document = JSON.parse(event.document) as MatchDocument;
    const note = creation.note ?? '';
    const record: Record = {
      id: outside.uuid(),
      organizationId,
      url: document.url,
      tapId: tap.id,
      tapName: tap.name,
      rules: JSON.stringify(this.#rules(JSON.parse(event.queryIds) as string[])),
      matchedAt: event.at,
      savedAt: outside.now(),
      savedBy: catalog.data.members.find((member) => member.id === saver.memberId)?.name ?? '',
      note,
      document: event.document,
    };
    const kept = await saved.saveMatch(record, textOf(document, note), SAVED_MATCHES_PER_ORGANIZATION);
    if (!kept) throw new Problem('saved_match_limit_reached', { limit: SAVED_MATCHES_PER_ORGANIZATION });
    return { match: toWire(kept.match), isNew: kept.isNew };
  }

  /** The newest first. @throws {Problem} invalid_field · not_found where the one to go on behind is gone */
  async list(organizationId: string, { q = '', after, limit }: SavedMatchQuestion): Promise<SavedMatch[]> {
    const atMost = Math.min(Number(limit ?? SAVED_MATCHES_A_PAGE), SAVED_MATCHES_A_PAGE);
    const question = { organizationId, words: wordsOf(q), atMost, ...(after !== undefined && { after }) };
    const found = await this.#deps.saved.savedMatches(question);
    if (found === undefined) throw new Problem('not_found', { resource: 'saved match to go on behind' });
    return found.map(toWire);
  }

  /** @throws {Problem} not_found */
  async show(organizationId: string, id: string): Promise<SavedMatch> {
    return toWire(await this.#known(organizationId, id));
  }

  /** The empty note is none. @throws {Problem} not_found */
  async note(organizationId: string, id: string, note: string): Promise<SavedMatch> {
    const match = await this.#known(organizationId, id);
    const text = textOf(JSON.parse(match.document) as MatchDocument, note);
    if (!(await this.#deps.saved.noteSavedMatch(organizationId, id, note, text))) throw unknown();
    return toWire({ ...match, note });
  }

  /** @throws {Problem} not_found */
  async remove(organizationId: string, id: string): Promise<void> {
    if (!(await this.#deps.saved.removeSavedMatch(organizationId, id))) throw unknown();
  }

  async #known(organizationId: string, id: string): Promise<Record> {
    const match = await this.#deps.saved.savedMatch(organizationId, id);
    if (!match) throw unknown();
    return match;
  }

  /** The event of an id as the stream gives it. */
  async #event(tapId: string, id: string): Promise<LoggedEvent> {
    const found = /^(\d{1,15})-(\d{1,15})$/.exec(id);
    if (!found) {
      const message = 'The event field must be the id of an update event, as 0-42 is.';
      throw new Problem('invalid_field', { field: 'event', message });
    }
    const [partition, offset] = [Number(found[1]), Number(found[2])];
    const { eventLog } = this.#deps;
    const [bounds, [event]] = await Promise.all([
      eventLog.bounds(tapId),
      eventLog.read(tapId, offset, { events: 1, bytes: 1 }),
    ]);
    // Below the floor, the log answers with the oldest it has.
    if (bounds.partition === partition && event?.offset === offset) return event;
    throw new Problem('not_found', { resource: 'event in the log (old ones are no longer kept)' });
  }

  #rules(ids: readonly string[]): SavedMatchRule[] {
    const { rules } = this.#deps.catalog.data;
    return ids.map((id) => {
      const rule = rules.find((one) => one.id === id);
      if (!rule) return { id };
      return rule.tag === undefined ? { id, value: rule.value } : { id, value: rule.value, tag: rule.tag };
    });
  }
}

function unknown(): Problem<'not_found'> {
  return new Problem('not_found', { resource: 'saved match' });
}

function toWire(match: Record): SavedMatch {
  const document = JSON.parse(match.document) as MatchDocument;
  return {
    id: match.id,
    url: match.url,
    title: document.title ?? null,
    tap: { id: match.tapId, name: match.tapName },
    rules: JSON.parse(match.rules) as SavedMatchRule[],
    matched_at: new Date(match.matchedAt).toISOString(),
    saved_at: timestamp(match.savedAt),
    saved_by: match.savedBy,
    note: match.note === '' ? null : match.note,
    document,
  };
}

/** Words of a question that are looked for; a question is no text. */
const MOST_WORDS = 32;

/** What a saved match is found by: its address, title, note and text, in lower case. */
function textOf({ url, title, diff }: MatchDocument, note: string): string {
  const chunks = diff?.chunks.map(({ text }) => text) ?? [];
  return folded([url, title ?? '', note, ...chunks].join('\n'));
}

/** The words of a question, each once, in the same form. */
function wordsOf(question: string): string[] {
  const words = folded(question)
    .split(/\s+/)
    .filter((word) => word !== '');
  return [...new Set(words)].slice(0, MOST_WORDS);
}

/** One form of what can be written in several: composed characters, and lower case. */
function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
