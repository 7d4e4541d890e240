import { setTimeout as pause } from 'node:timers/promises';
import { useInput, useWindowSize } from 'ink';
import { type ReactElement, useSyncExternalStore } from 'react';
import type { CrawlStatus } from '../../shared/api/crawl.ts';
import type { Context } from '../runtime/context.ts';
import { localTime } from '../text/time.ts';
import { crawlView } from './crawl-view.ts';
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
  useInput((input, key) => {
    if (input.includes('q') || (key.ctrl && input === 'c')) onQuit();
  });
  return <ScreenLines lines={screen(model, label, columns, rows)} colour={colour} />;
}

function screen({ status, trouble }: CrawlModel, label: string, columns: number, rows: number): Line[] {
  const head = line(columns, ['hydrant crawl', 'bold'], [` · ${label} · ${localTime(status.at) ?? status.at}`, 'dim']);
  const news = trouble === undefined ? [] : [line(columns, [`not up to date: ${trouble}`, 'red'])];
  const foot = line(columns, ['q quits', 'dim']);
  // The last row of a terminal stays empty: writing to its end would scroll.
  const body = [...news, ...crawlView(status, columns)].slice(0, Math.max(0, rows - 5));
  return [head, [], ...body, [], foot];
}
