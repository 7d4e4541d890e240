import { type Static, type TObject, type TProperties, Type } from 'typebox';
import type { Session } from '../session.ts';
import { bounded } from './bounded.ts';
import type { Ran } from './command-run.ts';
import { marked, readable, UNTRUSTED } from './untrusted.ts';

/** One call of a tool: what it may use. */
export interface Call {
  /** Of this call alone: it ends with it, writes nowhere, and has no stdin. */
  readonly session: Session;
  /** Runs a command of this program for its JSON. @throws what the command fails with */
  readonly run: (words: readonly string[]) => Promise<Ran>;
  /** The same for what it tells people, a line an element. */
  readonly tell: (words: readonly string[]) => Promise<readonly string[]>;
}

/** What a tool has found. */
export interface Answer {
  /** As its output schema has it; made readable and cut to size afterwards. */
  readonly value: object;
  /** For who reads text: what `value` says; without it `value` as JSON. */
  readonly lines?: readonly string[];
  /** What one should know besides. */
  readonly warnings?: readonly string[];
}

/** What a tool does to the world, as clients are told it. */
export type Effect =
  /** Works on what it is given. */
  | 'computes'
  /** Reads what the daemon has of the web, or a page of it. */
  | 'reads'
  | 'adds'
  /** What was there before is gone. */
  | 'replaces';

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  readonly input: TObject;
  readonly output: TObject;
  /** Milliseconds that a call may take, where that is more than usual. */
  readonly withinMs?: number;
  readonly call: (call: Call, input: unknown) => Promise<Answer>;
}

/** A tool whose calls have the types of its schema. */
export function tool<Input extends TProperties>(
  declared: Omit<Tool, 'input' | 'output' | 'call'> & {
    readonly input: Input;
    readonly output: TProperties;
    readonly call: (call: Call, input: Static<TObject<Input>>) => Promise<Answer>;
  },
): Tool {
  const { input, output, call, ...rest } = declared;
  return {
    ...rest,
    input: Type.Object(input, { additionalProperties: false }),
    output: Type.Object({ ...envelope, ...output }),
    // The server has checked the input by the schema before it comes here.
    call: (one, given) => call(one, given as Static<TObject<Input>>),
  };
}

/** What every answer has besides. */
const envelope = {
  untrusted: Type.String({ description: 'how to read this answer' }),
  cut: Type.Optional(Type.Array(Type.String(), { description: 'what was left out because it is too long' })),
  warnings: Type.Optional(Type.Array(Type.String())),
};

export interface ToolResult {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
  readonly [other: string]: unknown;
}

/** As the protocol has it: structured, and as a marked text. */
export function resultOf({ value, lines, warnings = [] }: Answer): ToolResult {
  const { value: found, cut } = bounded({ ...value, ...(warnings.length > 0 && { warnings }) });
  const structured = { untrusted: UNTRUSTED, ...(cut.length > 0 && { cut }), ...found };
  const text =
    lines === undefined ? JSON.stringify({ ...(cut.length > 0 && { cut }), ...found }) : textOf(lines, warnings);
  return { content: [{ type: 'text', text: marked(text) }], structuredContent: structured };
}

/** Characters of an answer as text. */
const TEXT_LENGTH = 30_000;

function textOf(lines: readonly string[], warnings: readonly string[]): string {
  const text = readable([...lines, ...warnings.map((warning) => `warning: ${warning}`)].join('\n'));
  if (text.length <= TEXT_LENGTH) return text;
  return `${text.slice(0, TEXT_LENGTH).toWellFormed()}…\n[${text.length - TEXT_LENGTH} more characters]`;
}

/** @param report as the command line prints it */
export function errorOf(code: string, report: string): ToolResult {
  return { content: [{ type: 'text', text: marked(textOf([report.trimEnd(), `code: ${code}`], [])) }], isError: true };
}
