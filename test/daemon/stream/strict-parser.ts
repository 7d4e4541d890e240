/** One dispatched event, as the HTML standard's event stream interpretation gives it. */
export interface ParsedEvent {
  readonly type: string;
  readonly data: string;
  /** The id the event itself carries; undefined when it has none. */
  readonly id: string | undefined;
}

/** What a whole stream said. `rest` is what stands after the last blank line: a client would throw it away. */
export interface ParsedStream {
  readonly events: readonly ParsedEvent[];
  readonly comments: readonly string[];
  readonly retries: readonly number[];
  readonly rest: string;
}

/**
 * Reads a stream as the standard says, and refuses what the standard tolerates but this server must not send: other
 * line ends than LF, unknown fields, a missing or doubled space after the colon, several data lines, and
 * a blank line behind anything but an event, of which some clients make an empty one.
 */
export function parseStrictly(text: string): ParsedStream {
  if (/[\r\0\u0085\u2028\u2029]|^\uFEFF/.test(text)) throw new Error('a character that some clients split lines at');
  const blocks = text.split('\n\n');
  const said = { events: [] as ParsedEvent[], comments: [] as string[], retries: [] as number[] };
  const rest = blocks.pop() ?? '';
  for (const block of blocks) {
    const { retry, data = fail(block), event, id } = fieldsOf(withoutComments(block, said.comments));
    if (retry !== undefined) said.retries.push(Number(retry));
    said.events.push({ type: event ?? 'message', data, id });
  }
  return { ...said, rest: withoutComments(rest, said.comments) };
}

/** Comments stand before a frame, never inside it. */
function withoutComments(block: string, comments: string[]): string {
  const [, head = '', frame = ''] = /^((?::.*\n)*)([^]*)$/.exec(block) ?? [];
  comments.push(...head.split('\n').slice(0, -1));
  return frame;
}

type Field = 'retry' | 'id' | 'event' | 'data';

function fieldsOf(block: string): Partial<Record<Field, string>> {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^(retry|id|event|data): (?! )(.+)$/.exec(line) ?? fail(line);
    if (fields.has(name) || (name === 'retry' && !/^\d+$/.test(value))) fail(line);
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

function fail(text: string): never {
  throw new Error(`not a frame of ours: ${JSON.stringify(text)}`);
}
