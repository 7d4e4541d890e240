import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Arrival, Misdeed } from './receiver.ts';
import { readWebhook } from './web-receivers.ts';

/**
 * A program of the operator's. What it does in a life stands in a file, and so does what it was given: it outlives the daemon that
 * started it.
 */
export class Program {
  readonly path: string;
  readonly #orders: string;
  readonly #book: string;

  constructor(directory: string) {
    this.path = join(directory, 'on-match.sh');
    this.#orders = join(directory, 'orders');
    this.#book = join(directory, 'book');
    writeFileSync(this.path, SCRIPT.replace('ORDERS', this.#orders).replaceAll('BOOK', this.#book));
    chmodSync(this.path, 0o755);
    this.begin(0, undefined);
  }

  begin(life: number, misdeed: Misdeed | undefined): void {
    writeFileSync(this.#orders, `${life} ${misdeed === undefined ? 'take' : (ORDERS[misdeed] ?? 'busy')}\n`);
  }

  get arrivals(): Arrival[] {
    if (!existsSync(this.#book)) return [];
    const arrivals: Arrival[] = [];
    for (const line of readFileSync(this.#book, 'utf8').split('\n')) {
      const [, life, order, body = ''] = /^(\d+) (\w+) (.*)$/.exec(line) ?? [];
      // The daemon was killed before it had given all of it.
      if (!isWhole(body)) continue;
      arrivals.push({ life: Number(life), ...readWebhook(body), fate: order === 'take' ? 'accepted' : 'failed' });
    }
    return arrivals;
  }
}

function isWhole(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

const ORDERS: Partial<Record<Misdeed, string>> = { busy: 'busy', refuse: 'refuse', 'be killed': 'die' };

const SCRIPT = `#!/bin/sh
read -r life order < ORDERS
body=$(cat)
printf '%s %s %s\\n' "$life" "$order" "$body" >> BOOK
case $order in
  take) exit 0 ;;
  refuse) exit 1 ;;
  die) kill -9 $$ ;;
esac
exit 75
`;
