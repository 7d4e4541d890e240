/** Names of the stream's events (spec: Events), and the id of an `update`: `<partition>-<offset>`. */
export interface EventId {
  /** The generation of the log: raised when a log is re-created or repaired with loss. */
  readonly partition: number;
  /** Dense per tap, from 0. */
  readonly offset: number;
}

export function formatEventId(id: EventId): string {
  return `${id.partition}-${id.offset}`;
}

/** Undefined when the text is no event id. */
export function parseEventId(text: string): EventId | undefined {
  const found = /^(\d{1,10})-(\d{1,15})$/.exec(text);
  if (!found) return undefined;
  return { partition: Number(found[1]), offset: Number(found[2]) };
}
