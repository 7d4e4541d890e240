import { readFileSync } from 'node:fs';

/** A decision that Google's own matcher gave; facts, with the tags that say whose rule each follows. */
export interface RobotsVector {
  readonly id: string;
  readonly tags: readonly ('rfc' | 'google' | 'raw-url' | 'rfc-strict')[];
  readonly agent: string;
  readonly url: string;
  readonly allowed: boolean;
  readonly robots?: string;
  readonly robots_b64?: string;
}

export const robotsVectors = read('robots.json') as readonly RobotsVector[];

/** What a fetch of robots.txt comes to. */
export interface RobotsHttpVector {
  readonly id: string;
  readonly status?: number;
  readonly redirects?: number;
  readonly error?: 'dns-failure' | 'connection-refused' | 'timeout' | 'tls-failure' | 'reset-mid-body';
  readonly body?: string;
  readonly content_type?: string;
  readonly body_bytes?: number;
  readonly rule_at_byte?: number;
  readonly had_copy_age_s?: number;
  readonly unreachable_for_s?: number;
  readonly cache_max_s?: number;
  readonly expect: string;
}

export const robotsHttpVectors = read('robots-http.json') as readonly RobotsHttpVector[];

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../vectors/${name}`, import.meta.url), 'utf8'));
}
