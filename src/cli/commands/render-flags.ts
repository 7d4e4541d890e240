import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { RenderOptions } from '../../shared/api/render.ts';
import { RENDER_SECONDS } from '../../shared/limits.ts';
import { durationSeconds } from '../../shared/settings.ts';
import { quoted } from '../../shared/text/printable.ts';
import type { YamlFields } from './yaml-text.ts';

/** How a page is rendered, of a watch and of a source: as flags of the command line, in words, and in a file for `apply`. */
export interface RenderFlags {
  readonly render?: boolean | undefined;
  readonly waitFor?: string | undefined;
  /** Seconds. */
  readonly within?: number | undefined;
}

export function renderOption(): Option<'--render'> {
  return new Option('--render', 'read the page as a browser shows it; needs Chromium');
}

export function noRenderOption(): Option<'--no-render'> {
  return new Option('--no-render', 'read the page as its server sends it');
}

export function waitForOption(): Option<'--wait-for <css>'> {
  return new Option('--wait-for <css>', 'render, and read the page when there is such an element');
}

const { least, most, default: usual } = RENDER_SECONDS;

export function withinOption(): Option<'--within <time>', undefined, undefined, number> {
  return new Option('--within <time>', `render, and wait no longer than 10s (${usual}s; ${most}s at most)`).argParser(
    (text) => {
      const seconds = secondsOf(text);
      if (seconds !== undefined) return seconds;
      throw new InvalidArgumentError(`It must be a time from ${least}s to ${most}s.`);
    },
  );
}

function secondsOf(text: string): number | undefined {
  const seconds = durationSeconds(text);
  return seconds !== undefined && seconds >= least && seconds <= most ? seconds : undefined;
}

/** What the flags say of rendering; undefined: nothing; null: `--no-render`. */
export function renderOf({ render, waitFor, within }: RenderFlags): RenderOptions | null | undefined {
  if (render === false) return null;
  return render === undefined && waitFor === undefined && within === undefined
    ? undefined
    : renderOptions(waitFor, within);
}

function renderOptions(waitFor: string | undefined, within: number | undefined): RenderOptions {
  return {
    ...(waitFor !== undefined && { wait_for: waitFor }),
    ...(within !== undefined && { within_seconds: within }),
  };
}

export function isSameRender(one: RenderOptions | undefined, other: RenderOptions | undefined): boolean {
  return JSON.stringify(writtenRender(one)) === JSON.stringify(writtenRender(other));
}

/** As flags that say the same, ready for a shell. */
export function renderFlags(render: RenderOptions | null | undefined): string[] {
  if (!render) return [];
  const { wait_for: waitFor, within_seconds: within } = render;
  return [
    '--render',
    ...(waitFor === undefined ? [] : [`--wait-for ${quoted(waitFor)}`]),
    ...(within === undefined ? [] : [`--within ${within}s`]),
  ];
}

/** The same in words, for a line of a list: `render, wait-for .price`. */
export function renderWords(render: RenderOptions | null | undefined): string[] {
  return renderFlags(render).map((flag) => flag.replace(/^--/, ''));
}

/** The fields of an entry of a file. */
export const RENDER_FIELDS = ['render', 'wait_for', 'within'] as const;

/** `wait_for` and `within` mean that the page is rendered, as their flags do. @throws {UsageError} with the line */
export function renderOfFields(fields: YamlFields): { readonly render?: RenderOptions } {
  const waitFor = fields.text('wait_for');
  const within = fields.text('within');
  const isRendered = fields.flag('render') ?? (waitFor !== undefined || within !== undefined);
  if (!isRendered) return {};
  const seconds = within === undefined ? undefined : secondsOf(within);
  if (within !== undefined && seconds === undefined) {
    throw fields.fault('within', `\`within: ${within}\`: it must be a time from ${least}s to ${most}s`);
  }
  return { render: renderOptions(waitFor, seconds) };
}

/** As `renderOfFields` reads it. */
export function writtenRender(render: RenderOptions | null | undefined): object {
  if (!render) return {};
  const { wait_for: waitFor, within_seconds: within } = render;
  return {
    render: true,
    ...(waitFor !== undefined && { wait_for: waitFor }),
    ...(within !== undefined && { within: `${within}s` }),
  };
}
