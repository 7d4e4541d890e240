import type { Terms } from '../../../src/daemon/discovery/scope.ts';

/** A source that goes over all of example.com. */
export function terms(given: Partial<Terms> = {}): Terms {
  return {
    id: 'src_1',
    url: 'https://example.com/',
    scope: 'host',
    maxDepth: null,
    maxPages: 1_000,
    depth: 0,
    ...given,
  };
}
