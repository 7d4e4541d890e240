import type { MayLoad, RenderRequest } from '../fetch/fetched.ts';
import { Problem } from '../problem.ts';
import type { RenderOptions } from '../../shared/api/render.ts';
import { RENDER_SECONDS } from '../../shared/limits.ts';

/** Why no page can be rendered here, with what to do; undefined: it can. */
export type RenderRefusal = () => Promise<string | undefined>;

/**
 * Whether pages can be rendered so here. Absent, `refusal` says that they can.
 * @throws {Problem} `invalid_field`
 */
export async function checkRender({ wait_for: selector }: RenderOptions, refusal?: RenderRefusal): Promise<void> {
  const why = await refusal?.();
  if (why !== undefined) refuse(`This daemon cannot render pages: ${why}.`);
  if (selector === undefined) return;
  // With parsers of HTML and selectors, which are loaded when the first is checked.
  const { checkSelector } = await import('../../shared/page/select/selectors.ts');
  const flaw = checkSelector(selector);
  if (flaw !== undefined) refuse(`The selector ${JSON.stringify(selector)}: ${flaw}`);
}

function refuse(message: string): never {
  throw new Problem('invalid_field', { field: 'render', message });
}

/** As the fetcher takes it. */
export function renderRequest(
  { wait_for: waitFor, within_seconds: seconds = RENDER_SECONDS.default }: RenderOptions,
  mayLoad: MayLoad,
): RenderRequest {
  return { withinMs: seconds * 1_000, waitFor, mayLoad };
}
