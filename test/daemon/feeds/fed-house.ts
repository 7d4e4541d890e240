import { type House, openHouse } from '../taps/house.ts';
import type { FeedRecord } from '../../../src/daemon/storage/catalog.ts';
import type { MatchDocument } from '../../../src/shared/api/match.ts';
import { seed, visitOf } from '../../fixtures/visits.ts';
import { addWatch, baselineCheckOf, changedCheckOf } from '../../fixtures/watches.ts';

/** A house with a tap `news` that has a rule, and things that happen. */
export class FedHouse {
  readonly house: House;
  readonly tapId: string;
  readonly ruleId: string;

  private constructor(house: House, tapId: string, ruleId: string) {
    this.house = house;
    this.tapId = tapId;
    this.ruleId = ruleId;
  }

  static async open(house?: House): Promise<FedHouse> {
    const own = house ?? (await openHouse());
    const { organizationId } = own;
    const tap = await own.taps.create(organizationId, 'news');
    const holder = { kind: 'tap', tapId: tap.id, organizationId } as const;
    const { rule } = await own.rules.create(holder, { value: 'ferry', tag: 'boats' });
    return new FedHouse(own, tap.id, rule.id);
  }

  /** A match of the tap. */
  async match(document: Partial<MatchDocument> = {}): Promise<void> {
    const { storage, clock } = this.house;
    const page = await seed(storage.frontier, 'log');
    const whole = { url: 'https://example.org/ferry', title: 'Ferry', ...document };
    const event = { tapId: this.tapId, queryIds: JSON.stringify([this.ruleId]), document: JSON.stringify(whole) };
    await storage.pages.commit(visitOf(page, { at: clock.ms, events: [event] }));
  }

  async matches(count: number, document: (index: number) => Partial<MatchDocument>): Promise<void> {
    for (let index = 0; index < count; index += 1) await this.match(document(index));
  }

  /** A watch that has been read once. */
  async watch(id: string, more: Parameters<typeof addWatch>[2] = {}): Promise<void> {
    const { storage, organizationId, operator, clock } = this.house;
    const owner = { organizationId, memberId: operator.memberId, createdAt: clock.ms };
    await addWatch(storage.watches, id, { ...owner, ...more });
    await storage.watches.commitCheck(baselineCheckOf(id, ['old'], { at: clock.ms }));
  }

  async change(id: string, lines: readonly string[]): Promise<void> {
    const { storage, clock } = this.house;
    await storage.watches.commitCheck(changedCheckOf(id, ['old'], lines, { at: clock.ms }));
  }

  /** Makes a feed. */
  async feed(kind: FeedRecord['kind'], of: string): Promise<{ record: FeedRecord; secret: string }> {
    const { feeds, organizationId } = this.house;
    const { secret } = await feeds.add(organizationId, { kind, of });
    const record = feeds.bySecret(secret);
    if (!record) throw new Error('the feed is not there');
    return { record, secret };
  }
}
