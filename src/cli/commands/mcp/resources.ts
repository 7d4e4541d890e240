import { isObject } from '../../../shared/page/json-value.ts';
import { bounded } from './bounded.ts';
import type { Call } from './tool.ts';
import { marked, readable } from './untrusted.ts';

/** What a client can show and attach by itself: each rule and each watch, by its id. */

/** A resource as a list of the protocol has it. */
export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly [other: string]: unknown;
}

/** One kind of resource. */
export interface ResourceKind {
  /** `rule` */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** `hydrant://rules/{id}` */
  readonly template: string;
  readonly list: (call: Call) => Promise<ListedResource[]>;
  readonly read: (call: Call, id: string) => Promise<string>;
}

export const MIME_TYPE = 'text/plain';
/** Resources of one kind that are listed: a client shows them in a menu. The tools list all. */
const LISTED = 200;
const NAME_LENGTH = 120;

const rules: ResourceKind = {
  name: 'rule',
  title: 'Rule',
  description: 'A stored query with its tap, its switches and its matches of the last 24 hours.',
  template: 'hydrant://rules/{id}',
  list: async ({ run }) =>
    objectsOf((await run(['rule', 'list'])).values[0]).map(({ id, tag, value }) =>
      listed('rules', { id, name: tag ?? value, description: value }),
    ),
  read: async ({ run }, id) => told((await run(['rule', 'show', '--', id])).values[0]),
};

const watches: ResourceKind = {
  name: 'watch',
  title: 'Watch',
  description: 'A watched URL: its interval, its options, its last and next check, its problem.',
  template: 'hydrant://watches/{id}',
  list: async ({ run }) =>
    objectsOf((await run(['watch', 'list'])).values[0]).map(({ id, title, url }) =>
      listed('watches', { id, name: title ?? url, description: url }),
    ),
  read: async ({ run }, id) => told((await run(['watch', 'show', '--', id])).values[0]),
};

export const resourceKinds: readonly ResourceKind[] = [rules, watches];

function objectsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject).slice(0, LISTED) : [];
}

function listed(
  kind: 'rules' | 'watches',
  { id, name, description }: { readonly id: unknown; readonly name: unknown; readonly description: unknown },
): ListedResource {
  return {
    uri: `hydrant://${kind}/${encodeURIComponent(String(id))}`,
    name: shortened(name),
    title: shortened(name),
    description: shortened(description),
    mimeType: MIME_TYPE,
  };
}

/** One line: a client shows it in a menu. */
function shortened(text: unknown): string {
  const line = readable(String(text)).replaceAll(/\s+/g, ' ').trim();
  return line.length <= NAME_LENGTH ? line : `${line.slice(0, NAME_LENGTH - 1).toWellFormed()}…`;
}

function told(value: unknown): string {
  const { value: found, cut } = bounded(isObject(value) ? value : {});
  return marked(JSON.stringify({ ...(cut.length > 0 && { cut }), ...found }, null, 2));
}
