import type { Committed, PackedVersion, Pages, Visit } from '../../pages.ts';
import type { Database } from '../connection/database.ts';
import type { HostStore } from './host-store.ts';
import type { VisitGroups } from './visit-groups.ts';

interface Parts {
  readonly database: Database;
  readonly hosts: HostStore;
  readonly groups: VisitGroups;
}

/** Pages in PostgreSQL: the last version of each; a visit is committed with those that come at the same time. */
export class PageStore implements Pages {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async version(pageId: number): Promise<PackedVersion | undefined> {
    const [row] = await this.#parts.database.query<PackedVersion>(
      `SELECT url, content_type AS "contentType", extractor, at, history, text AS page, body FROM versions WHERE page = $1`,
      [pageId],
    );
    return row && { ...row };
  }

  boilerplate(host: string): Promise<Uint8Array | undefined> {
    return this.#parts.hosts.boilerplate(this.#parts.database, host);
  }

  commit(visit: Visit): Promise<Committed> {
    return this.#parts.groups.add(visit);
  }
}
