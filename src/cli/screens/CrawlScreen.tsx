import { setTimeout as pause } from 'node:timers/promises';
import { Box, useInput, useWindowSize } from 'ink';
import { useSyncExternalStore, type ReactElement } from 'react';
import type { CrawlStatus } from '../../shared/api/crawl.ts';
import type { Context } from '../context.ts';
import { crawlView } from './crawl-view.ts';
import { ScreenLines } from './ScreenLine.tsx';
import { shown } from './shown.ts';
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
  const store = new CrawlStore(first);
  const leaving = new AbortController();
  const quit = (): void => leaving.abort();
  context.closed?.addEventListener('abort', quit, { once: true });
  const app = shown(context.io, <CrawlScreen store={store} label={label} colour={colour} onQuit={quit} />);
  try {
    await keepReading(store, read, leaving.signal);
  } finally {
    context.closed?.removeEventListener('abort', quit);
    app.unmount();
    await app.waitUntilExit();
  }
}

/** A daemon that is restarted meanwhile is found again: what was last known stays, with a word that it is old. */
async function keepReading(store: CrawlStore, read: () => Promise<CrawlStatus>, left: AbortSignal): Promise<void> {
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

export class CrawlStore {
  #model: CrawlModel;
  readonly #listeners = new Set<() => void>();

  constructor(status: CrawlStatus) {
    this.#model = { status, trouble: undefined };
  }

  readonly snapshot = (): CrawlModel => this.#model;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  tell(model: CrawlModel): void {
    this.#model = model;
    for (const listener of this.#listeners) listener();
  }
}

export interface CrawlScreenProps {
  readonly store: CrawlStore;
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
  return (
    <Box flexDirection="column">
      <ScreenLines lines={screen(model, label, columns, rows)} colour={colour} />
    </Box>
  );
}

function screen({ status, trouble }: CrawlModel, label: string, columns: number, rows: number): Line[] {
  const head = line(columns, ['hydrant crawl', 'bold'], [` · ${label} · ${status.at}`, 'dim']);
  const news = trouble === undefined ? [] : [line(columns, [`old figures: ${trouble}`, 'red'])];
  const foot = line(columns, ['q quits', 'dim']);
  // The last row of a terminal stays empty: writing to its end would scroll.
  const body = [...news, ...crawlView(status, columns)].slice(0, Math.max(0, rows - 5));
  return [head, [], ...body, [], foot];
}
