import type { DatabaseSync } from 'node:sqlite';
import type { HostStore } from '../crawl/host-store.ts';
import type { RevocableMaps } from './revocable-map.ts';
import type { UsageStore } from '../accounts/usage-store.ts';
import { WatchCheckStore } from '../watch/watch-check-store.ts';
import { WatchCommitStore } from '../watch/watch-commit-store.ts';
import { WatchLineStore } from '../watch/watch-line-store.ts';
import { WatchOrganizationStore } from '../watch/watch-organization-store.ts';
import { WatchStore } from '../watch/watch-store.ts';
import { WatchTextStore } from '../watch/watch-text-store.ts';

/** What is kept of watches, by story. */
export interface WatchStores {
  readonly checks: WatchCheckStore;
  readonly commits: WatchCommitStore;
  readonly line: WatchLineStore;
  readonly organizations: WatchOrganizationStore;
  readonly texts: WatchTextStore;
  readonly watches: WatchStore;
}

export function watchStoresOn(
  database: DatabaseSync,
  { hosts, usage, maps }: { hosts: HostStore; usage: UsageStore; maps: RevocableMaps },
): WatchStores {
  const organizations = new WatchOrganizationStore(database, hosts);
  const watches = new WatchStore(database, { hosts, organizations }, maps);
  const line = new WatchLineStore(database, { hosts, organizations, watches });
  const checks = new WatchCheckStore(database);
  const texts = new WatchTextStore(database);
  const commits = new WatchCommitStore(database, { checks, hosts, texts, usage, watches });
  return { checks, commits, line, organizations, texts, watches };
}
