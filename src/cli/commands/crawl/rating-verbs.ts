import type { DomainRating, RatingStatus } from '../../../shared/api/rating.ts';
import { printable } from '../../printable.ts';
import type { Column } from '../../table.ts';
import { relative } from '../../time.ts';
import { confirm } from '../confirm.ts';
import type { Session } from '../session.ts';
import { count } from '../count.ts';

/** What `hydrant rating <verb>` does, but for the import. */
export async function show({ out, connect }: Session, domains: readonly string[]): Promise<void> {
  const { client } = await connect();
  const found: DomainRating[] = [];
  for (const domain of domains) found.push(await client.ratings.show(domain));
  out.list(found, { id: (one) => String(one.rating ?? ''), columns, none: '' });
}

const columns: readonly Column<DomainRating>[] = [
  { title: 'domain', show: (one) => one.domain },
  { title: 'rating', show: (one) => String(one.rating ?? 'none'), plain: (one) => written(one.rating), align: 'right' },
  { title: 'imported', show: (one) => written(one.imported), align: 'right' },
  { title: 'own', show: (one) => written(one.own), align: 'right' },
  {
    title: 'linked from',
    show: (one) => count(one.referring_domains, 'domain'),
    plain: (one) => written(one.referring_domains),
  },
];

function written(rating: number | null): string {
  return rating === null ? '' : String(rating);
}

export async function status({ out, connect }: Session): Promise<void> {
  const { client } = await connect();
  const known = await client.ratings.status();
  const time = (timestamp: string): string => (out.forPeople ? relative(timestamp, out.now) : timestamp);
  const lines = screen(known, time).map(printable);
  out.one(known, { id: String(known.imported?.domains ?? 0), lines });
}

function screen({ imported, own }: RatingStatus, time: (timestamp: string) => string): string[] {
  return [
    imported === null
      ? 'imported  nothing; import a list with: hydrant rating import <file>'
      : `imported  ${count(imported.domains, 'domain')} from ${imported.name} · ${time(imported.at)}`,
    own === null
      ? 'own       the links between domains are not counted yet; they are once a day'
      : `own       ${count(own.domains, 'domain')} with ${count(own.links, 'link')} from others · counted ${time(own.at)}`,
  ];
}

export async function clear(session: Session): Promise<void> {
  const { client } = await session.connect();
  const { imported } = await client.ratings.status();
  const what = imported === null ? 'no list' : `the list ${imported.name} with ${count(imported.domains, 'domain')}`;
  if (imported !== null) await confirm(session, `Forget ${what}?`);
  await client.ratings.clear();
  const domains = imported?.domains ?? 0;
  session.out.done(
    { cleared: domains },
    { id: String(domains), notice: imported === null ? 'there was no list' : `${what} forgotten` },
  );
}
