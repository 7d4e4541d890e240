import { setTimeout as pause } from 'node:timers/promises';
import { type Key, useInput, useWindowSize } from 'ink';
import { type ReactElement, useState, useSyncExternalStore } from 'react';
import type { CrawlStatus } from '../../shared/api/crawl.ts';
import type { Context } from '../runtime/context.ts';
import { localTime } from '../text/time.ts';
import { type CrawlList, crawlListView, crawlView, keyOfVisit, markedAt, visitsOf } from './crawl-view.ts';
import { ExternalStore } from './external-store.ts';
import { ScreenLines, shownUntilLeft } from './screen.tsx';
import { type Line, line } from './styled-line.ts';

/** The crawl's figures, asked for once a second until someone leaves. */
export interface CrawlScreenOptions {
  readonly context: Pick<Context, 'io' | 'closed'>;
  readonly first: CrawlStatus;
  readonly read: () => Promise<CrawlStatus>;
  /** The daemon. */
  readonly label: string;
  readonly colour: boolean;
}

const LOOK_EVERY_MS = 1_000;

export async function showCrawl({ context, first, read, label, colour }: CrawlScreenOptions): Promise<void> {
  const store = new ExternalStore<CrawlModel>({ status: first, trouble: undefined });
  await shownUntilLeft(
    context,
    (quit) => <CrawlScreen store={store} label={label} colour={colour} onQuit={quit} />,
    (left) => keepReading(store, read, left),
  );
}

/** A daemon that is restarted meanwhile is found again: what was last known stays, with a word that it is old. */
async function keepReading(
  store: ExternalStore<CrawlModel>,
  read: () => Promise<CrawlStatus>,
  left: AbortSignal,
): Promise<void> {
  while (!left.aborted) {
    await pause(LOOK_EVERY_MS, undefined, { signal: left }).catch(() => undefined);
    if (left.aborted) return;
    try {
      store.tell({ status: await read(), trouble: undefined });
    } catch (error) {
      store.tell({ ...store.snapshot(), trouble: error instanceof Error ? error.message : String(error) });
    }
  }
}

export interface CrawlModel {
  readonly status: CrawlStatus;
  /** Why the figures are old. */
  readonly trouble: string | undefined;
}

export interface CrawlScreenProps {
  readonly store: ExternalStore<CrawlModel>;
  readonly label: string;
  readonly colour: boolean;
  readonly onQuit: () => void;
}

export function CrawlScreen({ store, label, colour, onQuit }: CrawlScreenProps): ReactElement {
  const model = useSyncExternalStore(store.subscribe, store.snapshot);
  const { columns, rows } = useWindowSize();
  const [list, setList] = useState<CrawlList>();
  useInput((input, key) => {
    if (input.includes('q') || (key.ctrl && input === 'c')) onQuit();
    else setList((before) => pressed(before, store.snapshot().status, input, key));
  });
  return <ScreenLines lines={screen(model, label, { columns, rows, list })} colour={colour} />;
}

/** What is on the screen after a key; undefined: the figures. */
function pressed(list: CrawlList | undefined, status: CrawlStatus, input: string, key: Key): CrawlList | undefined {
  if (input === 'f') return listed('failures', list);
  if (input === 'v') return listed('visits', list);
  if (list === undefined) return undefined;
  if (key.escape) return list.isOpen ? { ...list, isOpen: false } : undefined;
  if (key.return) return { ...list, isOpen: !list.isOpen };
  const step = stepOf(input, key);
  if (step === 0) return list;
  const visits = visitsOf(status, list.kind);
  const at = Math.max(0, Math.min(markedAt(visits, list.marked) + step, visits.length - 1));
  const visit = visits[at];
  return visit ? { ...list, marked: keyOfVisit(visit) } : list;
}

/** The same key goes back to the figures. */
function listed(kind: CrawlList['kind'], before: CrawlList | undefined): CrawlList | undefined {
  return before?.kind === kind ? undefined : { kind, marked: undefined, isOpen: false };
}

function stepOf(input: string, key: Key): number {
  if (key.downArrow || input === 'j') return 1;
  return key.upArrow || input === 'k' ? -1 : 0;
}

interface Frame {
  readonly columns: number;
  readonly rows: number;
  readonly list: CrawlList | undefined;
}

function screen({ status, trouble }: CrawlModel, label: string, { columns, rows, list }: Frame): Line[] {
  const head = line(columns, ['hydrant crawl', 'bold'], [` · ${label} · ${localTime(status.at) ?? status.at}`, 'dim']);
  const news = trouble === undefined ? [] : [line(columns, [`not up to date: ${trouble}`, 'red'])];
  const foot = line(columns, [list === undefined ? KEYS : LIST_KEYS, 'dim']);
  // The last row of a terminal stays empty: writing to its end would scroll.
  const room = Math.max(0, rows - 5);
  const view = list ? crawlListView(status, list, columns, room - news.length) : crawlView(status, columns);
  const body = [...news, ...view].slice(0, room);
  return [head, [], ...body, [], foot];
}

const KEYS = 'f failures · v visits · q quits';
const LIST_KEYS = '↑↓ move · ⏎ details · f failures · v visits · esc back · q quits';
