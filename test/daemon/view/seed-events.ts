import { identityOf } from '../../../src/daemon/discovery/canonical.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';
import type { WatchOrder } from '../../../src/shared/api/watch.ts';
import { seedLead, sourceOf, visitOf } from '../../fixtures/visits.ts';

const SENTENCE = 'The ferry leaves the harbour & comes back in the evening, says the timetable of the harbour. ';

/** Matches of a tap, a second apart, as visits of one page commit them; the last one at `until`, in milliseconds since 1970. */
export async function seedEvents(storage: Storage, tapId: string, count: number, until: number): Promise<void> {
  const url = 'http://a.example/news';
  const identity = identityOf(url);
  await storage.frontier.putSource(sourceOf('a'), [{ ...seedLead(url), ...identity }], 0);
  const due = (await storage.frontier.look(identity))?.page;
  if (due === undefined) throw new Error('the page is not held');
  let waiting: Promise<unknown>[] = [];
  for (let index = 0; index < count; index += 1) {
    const chunks = [
      { typ: 'del', text: `${SENTENCE.repeat(2)}${index - 1}` },
      { typ: 'ins', text: `${SENTENCE.repeat(2)}${index}` },
    ];
    const document = JSON.stringify({ url: `${url}/${index}`, title: `News, number ${index}`, diff: { chunks } });
    const at = until - (count - 1 - index) * 1_000;
    // In their order, and as many as there are with one write to the disk.
    waiting.push(storage.pages.commit(visitOf(due, { at, events: [{ tapId, queryIds: '["r"]', document }] })));
    if (waiting.length < TOGETHER && index < count - 1) continue;
    await Promise.all(waiting);
    waiting = [];
  }
}

const TOGETHER = 500;

/** Watches with titles and tags of usual length. */
export function manyWatches(count: number, status: 'active' | 'paused' = 'active'): WatchOrder[] {
  return Array.from({ length: count }, (_, index) => ({
    url: `https://shop-${index}.example.org/products/a-name-of-usual-length/${index}`,
    frequency_minutes: 180,
    title: `A product with a name of usual length, number ${index}`,
    tags: ['shop', `shelf ${index % 40}`],
    status,
  }));
}
