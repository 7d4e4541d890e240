import { escaped, fieldRows, type SchemaNode, shown } from './docs-fields.ts';
import { curlOf } from './docs-curl.ts';
import { docsStyle } from './docs-style.ts';
import { prose } from './docs-prose.ts';

/** As much of OpenAPI 3.1 as our own document has. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: SchemaNode;
}

interface Response {
  readonly description: string;
  readonly content?: Content;
}

type Content = Readonly<
  Record<
    string,
    {
      readonly schema: SchemaNode;
      readonly example?: unknown;
      readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
    }
  >
>;

export interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/**
 * The document as one page of HTML: no script, no font, no picture from anywhere, so that it reads the same in a network
 * without an exit. Everything that comes out of the document is escaped.
 */
export function docsPage({ info, paths }: ApiDocument): string {
  const placed = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const byTag = Map.groupBy(placed, ({ operation }) => operation.tags[0] ?? 'Others');
  const sections = [...byTag].map(([tag, members]) => `<h2>${escaped(tag)}</h2>\n${members.map(article).join('\n')}`);
  const title = escaped(`${info.title} API`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${docsStyle}</style>
</head>
<body>
<header><h1>${title}</h1><p>${prose(info.description ?? '')}</p>
<p>The same for programs: <a href="openapi.json">openapi.json</a></p>
<p>For the <code>curl</code> lines below:</p>
<pre>export HYDRANT_URL=http://127.0.0.1:7878 HYDRANT_KEY=svcm_… HYDRANT_TAP_TOKEN=svc_…</pre></header>
<nav aria-label="Routes"><ul>${[...byTag].map(entryOf).join('')}</ul></nav>
<main>
${sections.join('\n')}
</main>
</body>
</html>
`;
}

function entryOf([tag, members]: readonly [string, readonly Placed[]]): string {
  const links = members.map(({ method, path, operation }) => {
    return `<li><a href="#${escaped(operation.operationId)}"><b>${method}</b> ${escaped(path)}</a></li>`;
  });
  return `<li>${escaped(tag)}<ul>${links.join('')}</ul></li>`;
}

function article({ method, path, operation }: Placed): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  return `<article id="${escaped(operationId)}">
<h3><b>${method}</b> <code>${escaped(path)}</code></h3>
<p><strong>${escaped(summary)}.</strong> ${prose(description ?? '')}</p>
<p>${keyOf(operation)}</p>
<pre class="curl">${escaped(curlOf({ method, path, operation }))}</pre>
${parameters.length > 0 ? parameterTable(parameters) : ''}
${requestBody ? `<h4>Body</h4>${contentOf(requestBody.content)}` : ''}
<h4>Answers</h4>
${Object.entries(responses).map(response).join('\n')}
</article>`;
}

const keys: Readonly<Record<string, string>> = {
  managementKey: 'Needs a management key.',
  tapToken: 'Needs a tap token.',
};

function keyOf({ security = [] }: Operation): string {
  const [scheme = ''] = security.flatMap((one) => Object.keys(one));
  return keys[scheme] ?? 'Needs no key.';
}

function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.flatMap(({ name, in: place, required = false, description, schema }) =>
    fieldRows({ name, required, schema: { ...schema, ...(description !== undefined && { description }) }, place }),
  );
  return `<h4>Parameters</h4>${tableOf(rows)}`;
}

function response([status, { description, content }]: readonly [string, Response]): string {
  const isGood = status.startsWith('2');
  return `<details${isGood ? ' open' : ''}><summary><b class="${isGood ? 'good' : 'bad'}">${escaped(status)}</b> ${prose(
    description,
  )}</summary>${content ? contentOf(content, isGood) : ''}</details>`;
}

/** A refusal's fields are the same everywhere: its sentences alone are shown. */
function contentOf(content: Content, withFields = true): string {
  return Object.entries(content)
    .map(([type, { schema, example, examples = {} }]) => {
      const values = example === undefined ? Object.values(examples).map(({ value }) => value) : [example];
      const fields = withFields ? fieldRows({ name: '', required: true, schema }) : [];
      const table = fields.length > 0 ? tableOf(fields) : '';
      const media = type === 'application/json' ? '' : `<p><code>${escaped(type)}</code></p>`;
      return `${media}${table}${values.map((value) => `<pre>${escaped(shown(value))}</pre>`).join('')}`;
    })
    .join('');
}

function tableOf(rows: readonly string[]): string {
  const names = ['name', 'type', 'meaning'].map((name) => `<th scope="col">${name}</th>`);
  return `<table><thead><tr>${names.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}
