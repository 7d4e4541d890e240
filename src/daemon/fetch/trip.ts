import type { Errand } from './errand.ts';
import { FetchProblem } from './fetch-problem.ts';
import type { HttpAnswer, PageRequest } from './fetched.ts';
import { seconds } from './network-error.ts';
import { quoteUrl } from './printable.ts';

/** One fetch on its way, over its hops. */
export class Trip<Outcome> {
  readonly errand: Errand<Outcome>;
  readonly request: PageRequest;
  readonly signal: AbortSignal;
  readonly visited = new Set<string>();
  /** Whether every redirect so far was permanent. */
  isPermanent = true;
  /** Of the bodies so far, on the wire. */
  bytes = 0;
  /** The last one that came. */
  answer: HttpAnswer | undefined;

  constructor(errand: Errand<Outcome>, request: PageRequest, signal: AbortSignal) {
    this.errand = errand;
    this.request = request;
    this.signal = signal;
  }
}

/** What one hop comes to: the end, or where the next one goes. */
export type Hop<Outcome> = { readonly outcome: Outcome } | { readonly to: string; readonly isPermanent: boolean };

/** Where a Location leads. Throws where that is no URL. */
export function resolved(target: string, base: URL): string {
  if (!URL.canParse(target, base.href))
    throw new FetchProblem('redirects', `the redirect to ${quoteUrl(target)} leads nowhere`);
  return new URL(target, base).href;
}

export function overdue({ limits }: Errand<unknown>, deadlineMs: number): FetchProblem {
  const deadline = `${seconds(deadlineMs)}, the deadline for one page`;
  return new FetchProblem('timeout', `${limits.name} was not complete within ${deadline}`);
}

export function calledOff(): FetchProblem {
  return new FetchProblem('aborted', 'the fetch was called off');
}
