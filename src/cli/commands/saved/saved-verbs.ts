import type { SavedMatch, SavedMatchCreation } from '../../../shared/api/saved-match.ts';
import type { Client } from '../../client/client.ts';
import { found } from '../../client/found.ts';
import type { Field } from '../../output.ts';
import { printable } from '../../printable.ts';
import { relative } from '../../time.ts';
import { confirm } from '../confirm.ts';
import { count } from '../count.ts';
import type { Session } from '../session.ts';

/** What `hydrant saved <verb>` does, but for the export. */
export async function add({ out, connect }: Session, creation: SavedMatchCreation): Promise<void> {
  const { client } = await connect();
  const match = await client.saved.save(creation);
  out.done(match, {
    id: match.id,
    notice: `${match.url} is saved`,
    next: `hydrant saved show ${match.id.slice(0, 8)}`,
  });
}

export async function list({ out, connect }: Session, words: readonly string[]): Promise<void> {
  const { client } = await connect();
  out.list(await all(client, words.join(' ')), {
    id: (match: SavedMatch) => match.id,
    columns: [
      { title: 'id', show: ({ id }) => id.slice(0, 8), plain: ({ id }) => id },
      { title: 'saved', show: (one) => relative(one.saved_at, out.now), plain: (one) => one.saved_at },
      { title: 'by', show: (one) => one.saved_by },
      { title: 'tap', show: ({ tap }) => tap.name },
      { title: 'title', show: (one) => one.title ?? '' },
      { title: 'url', show: ({ url }) => url },
      { title: 'note', show: (one) => one.note ?? '' },
    ],
    none:
      words.length === 0 ? 'nothing is saved yet; save a match with: hydrant saved add <tap> <event>' : 'none found',
  });
}

export async function show({ out, connect }: Session, wanted: string): Promise<void> {
  const { client } = await connect();
  const match = await pick(client, wanted);
  const time = (at: string): string => (out.forPeople ? relative(at, out.now) : at);
  const fields: readonly Field[] = [
    ['id', match.id],
    ['url', match.url],
    ['title', match.title ?? ''],
    ['tap', match.tap.name],
    ['rules', match.rules.map((rule) => rule.tag ?? rule.value ?? rule.id).join(', ')],
    ['matched', time(match.matched_at)],
    ['saved', `${time(match.saved_at)}${match.saved_by === '' ? '' : ` by ${match.saved_by}`}`],
    ['note', match.note ?? ''],
  ];
  const chunks = match.document.diff?.chunks ?? [];
  const text = chunks.map(({ typ, text }) => `${typ === 'ins' ? '+' : '-'} ${printable(text)}`);
  out.fields(match, { id: match.id, fields, more: text });
}

export async function note(session: Session, wanted: string, given: string): Promise<void> {
  const { client } = await session.connect();
  const text = given === '-' ? (await session.context.readInput('the note')).trim() : given;
  const { id } = await pick(client, wanted);
  const match = await client.saved.note(id, text);
  session.out.done(match, { id, notice: text === '' ? `${match.url} has no note` : `${match.url} is noted` });
}

/** All are looked up before the first is removed: a wrong id changes nothing. */
export async function remove(session: Session, wanted: readonly string[]): Promise<void> {
  const { client } = await session.connect();
  const chosen = new Map<string, SavedMatch>();
  for (const word of wanted) {
    const match = await pick(client, word);
    chosen.set(match.id, match);
  }
  const [first, ...others] = chosen.values();
  const what = others.length === 0 ? `the match of ${first?.url}` : count(chosen.size, 'match');
  await confirm(session, `Remove ${what} from what is saved? The kept text and the notes go too, for ever.`);
  for (const { id, url } of chosen.values()) {
    await client.saved.remove(id);
    session.out.done({ id, url, removed: true }, { id, notice: `${url} is no longer saved` });
  }
}

/** A whole id is asked for; only its beginning has to be looked for. */
async function pick(client: Client, wanted: string): Promise<SavedMatch> {
  if (/^[\da-f-]{36}$/.test(wanted)) return client.saved.show(wanted);
  return found('saved match', await all(client, ''), wanted, (match) => match.url);
}

async function all(client: Client, words: string): Promise<SavedMatch[]> {
  const matches: SavedMatch[] = [];
  for await (const match of client.saved.all(words)) matches.push(match);
  return matches;
}
