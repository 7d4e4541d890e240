/** Values of the wire of sinks. They stand apart from the schemas: the command line needs only the values. */
export const SINK_KINDS = [
  'webhook',
  'ntfy',
  'exec',
  'email',
  'slack',
  'discord',
  'telegram',
  'gotify',
  'matrix',
  'pushover',
  'apprise',
] as const;
export type SinkKindName = (typeof SINK_KINDS)[number];

export const MESSAGE_TYPES = ['match', 'change', 'problem', 'recovery', 'digest', 'notice', 'test'] as const;
/**
 * `match` of a tap, `change` of a watch, `problem` and its `recovery`, `digest` of several of these, `notice` of the sink
 * itself (events were dropped, messages were held back), `test`.
 */
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** What a template may name in braces. */
export const MESSAGE_FIELDS = [
  'title',
  'url',
  'lines',
  'tap',
  'rules',
  'watch',
  'tags',
  'type',
  'time',
  'count',
  'more',
] as const;
