import { SINK_KINDS, type SinkKindName } from '../../../shared/api/notify.ts';
import type { SinkKind, SinkKinds } from '../sink-kind.ts';

/**
 * All kinds of sinks. Each is loaded, with the library that it may need, when a sink of it is first used.
 *
 * A new kind is a file beside this one, a row below and one in `SINK_KINDS`, a receiver that passes
 * `test/contract/sink-kind.ts`, and a section of docs/notification-kinds.md. What kinds have in common: `fields.ts` (what a sink is
 * made with), `answers.ts` (what an answer means, without secrets), `../message-lines.ts` (what a message says, within the limits of a
 * service), `markup.ts` and `message-json.ts`.
 */
export const sinkKinds: SinkKinds = {
  names: SINK_KINDS,
  load: (name) => LOADED[name](),
};

const LOADED: Readonly<Record<SinkKindName, () => Promise<SinkKind>>> = {
  webhook: async () => (await import('./webhook.ts')).webhook,
  ntfy: async () => (await import('./ntfy.ts')).ntfy,
  exec: async () => (await import('./exec.ts')).exec,
  email: async () => (await import('./email.ts')).email,
  slack: async () => (await import('./slack.ts')).slack,
  discord: async () => (await import('./discord.ts')).discord,
  telegram: async () => (await import('./telegram.ts')).telegram,
  gotify: async () => (await import('./gotify.ts')).gotify,
  matrix: async () => (await import('./matrix.ts')).matrix,
  pushover: async () => (await import('./pushover.ts')).pushover,
  apprise: async () => (await import('./apprise.ts')).apprise,
};
