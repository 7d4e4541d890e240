import type { Credit } from '../accounts/credit.ts';
import type { Sources } from '../crawl/sources.ts';
import type { SinkLoops } from '../notify/sink-loops.ts';
import type { Log } from '../process/log.ts';
import type { Catalog } from '../storage/catalog.ts';
import type { Nodes } from '../storage/nodes.ts';
import type { Hub } from '../stream/hub.ts';
import type { RefusedRule, RuleRegistration } from '../taps/rule-registration.ts';
import type { Taps } from '../taps/taps.ts';
import type { Quota } from '../watch/quota.ts';
import type { ChangeNotifier } from '../watch/watch-service.ts';

interface FeedDeps {
  readonly catalog: Pick<Catalog, 'follow'>;
  readonly registration: Pick<RuleRegistration, 'follow'>;
  readonly taps: Pick<Taps, 'follow'>;
  readonly sources: Pick<Sources, 'follow'>;
  readonly credit: Pick<Credit, 'follow'>;
  readonly quota: Pick<Quota, 'refresh'>;
  readonly sinkLoops: Pick<SinkLoops, 'sync'>;
  readonly log: Pick<Log, 'error'>;
}

/**
 * What this process has made of the catalog follows the changes of other processes: registered rules, open streams, the book of
 * sources, which organizations are prepaid, what their plans allow, the loops of sinks. Whatever else is read of the catalog is
 * read of `data` each time. What goes to the storage (pages of a source, events of a revoked tap) is done where the change was made.
 */
export async function followCatalog(deps: FeedDeps): Promise<void> {
  const { catalog, registration, taps, sources, credit, quota, sinkLoops, log } = deps;
  await catalog.follow((changes) => {
    const kinds = new Set(changes.map(({ kind }) => kind));
    logRefused(log, registration.follow(changes));
    taps.follow(changes);
    sources.follow(changes);
    credit.follow(changes);
    if (kinds.has('organizations')) void quota.refresh();
    if (kinds.has('sinks')) sinkLoops.sync();
  });
}

/** What other nodes commit wakes those who read it here: streams, sinks, and who waits for a change of watches. */
export function followNodes({
  nodes,
  hub,
  sinkLoops,
  notifier,
}: {
  readonly nodes: Pick<Nodes, 'follow'>;
  readonly hub: Pick<Hub, 'readTaps' | 'tapsMoved'>;
  readonly sinkLoops: Pick<SinkLoops, 'tapsMoved' | 'watchChanged'>;
  readonly notifier: Pick<ChangeNotifier, 'awaited' | 'notify'>;
}): void {
  nodes.follow({
    watchedTaps: () => hub.readTaps,
    tapsMoved: (heads) => {
      hub.tapsMoved(heads);
      sinkLoops.tapsMoved(heads.map(([tapId]) => tapId));
    },
    awaitedOrganizations: () => notifier.awaited,
    watchesChanged: (organizationIds) => {
      for (const id of organizationIds) {
        notifier.notify(id);
        sinkLoops.watchChanged(id);
      }
    },
  });
}

export function logRefused(log: Pick<Log, 'error'>, refused: readonly RefusedRule[]): void {
  for (const { rule, why } of refused) {
    const next = `It matches nothing until you change it: hydrant rule edit ${rule.id}`;
    log.error({ rule: rule.id, query: rule.value }, `this version refuses a stored rule: ${why} ${next}`);
  }
}
