import { IP_STARTS_A_SECOND } from '../../../../shared/limits.ts';
import type { AddressPlace, AddressPlaces } from '../../nodes.ts';
import { columnsOf } from '../connection/columns.ts';
import type { Queryable } from '../connection/database.ts';

/** As the hosts of a node that died. */
const HELD_MS = 60_000;
const PAUSE_MS = 1_000 / IP_STARTS_A_SECOND;

/** Which node holds which place at an address: a row each, by the clock of the database. */
export class AddressPlaceStore implements AddressPlaces {
  readonly ms = HELD_MS;
  readonly #database: Queryable;
  readonly #node: string;

  constructor(database: Queryable, node: string) {
    this.#database = database;
    this.#node = node;
  }

  take(wanted: readonly AddressPlace[]): Promise<AddressPlace[]> {
    return this.#database.query<AddressPlace>(TAKE, [...ordered(wanted), this.#node, HELD_MS]);
  }

  renew(held: readonly AddressPlace[]): Promise<AddressPlace[]> {
    return this.#database.query<AddressPlace>(RENEW, [...ordered(held), this.#node, HELD_MS]);
  }

  async release(held: readonly AddressPlace[]): Promise<void> {
    await this.#database.query(MOVE_END, [...ordered(held), this.#node, PAUSE_MS]);
    await this.#database.query(SWEEP);
  }
}

/** Rows are locked in this order by all nodes. */
function ordered(places: readonly AddressPlace[]): unknown[][] {
  const sorted = places.toSorted((one, other) =>
    one.address === other.address ? one.place - other.place : one.address < other.address ? -1 : 1,
  );
  return columnsOf(
    sorted,
    ({ address }) => address,
    ({ place }) => place,
  );
}

const TAKE = `INSERT INTO address_places AS held (address, place, node, until)
  SELECT address, place, $3, clock_timestamp() + $4 * interval '1 millisecond'
  FROM unnest($1::text[], $2::smallint[]) AS wanted (address, place)
  ON CONFLICT (address, place) DO UPDATE SET node = excluded.node, until = excluded.until
    WHERE held.node = excluded.node OR held.until < clock_timestamp()
  RETURNING address, place`;

const OWN = `SELECT held.address, held.place FROM address_places AS held
    JOIN unnest($1::text[], $2::smallint[]) AS own (address, place) USING (address, place)
  WHERE held.node = $3 AND held.until > clock_timestamp() ORDER BY held.address, held.place FOR NO KEY UPDATE OF held`;

const MOVE_END = `WITH own AS (${OWN})
  UPDATE address_places AS held SET until = clock_timestamp() + $4 * interval '1 millisecond' FROM own
  WHERE held.address = own.address AND held.place = own.place`;

const RENEW = `${MOVE_END} RETURNING held.address, held.place`;

const SWEEP = `DELETE FROM address_places WHERE (address, place) IN (
    SELECT address, place FROM address_places WHERE until < clock_timestamp() - interval '1 second'
    ORDER BY address, place FOR UPDATE SKIP LOCKED LIMIT 1000)`;
