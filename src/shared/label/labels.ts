import type { Page } from '../page/page.ts';
import { type Labels, NO_LABELS } from './label.ts';

/** All labels of a page. The model data is read when the first page asks for it. */
export async function labels(_page: Page): Promise<Labels> {
  return NO_LABELS;
}
