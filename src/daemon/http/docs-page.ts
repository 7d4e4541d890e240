import MarkdownIt from 'markdown-it';

/** The part of OpenAPI 3.1 that `/openapi.json` uses. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
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

interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Of a daemon with the default settings. */
const DEFAULT_URL = 'http://127.0.0.1:7878';

/**
 * The document as one page of HTML: no script, no font, no picture from anywhere, so that it reads the same in a network
 * without an exit. Everything that comes out of the document is escaped. `url` is where the daemon answers the reader.
 */
export function docsPage({ info, paths }: ApiDocument, url = DEFAULT_URL): string {
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
<pre>export HYDRANT_URL=${escaped(url)} HYDRANT_KEY=svcm_… HYDRANT_TAP_TOKEN=svc_…</pre></header>
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

/** The fields of a refusal are the same everywhere: only its message is shown. */
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

/** The part of JSON Schema that the schemas of the API use. */
export interface SchemaNode {
  readonly type?: string;
  readonly const?: unknown;
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly contentSchema?: SchemaNode;
}

interface Field {
  /** Empty for the value as a whole: its own fields are shown, and it is not. */
  readonly name: string;
  readonly required: boolean;
  readonly schema: SchemaNode;
  /** Where a parameter is sent: path, query or header. */
  readonly place?: string;
}

/** A row of HTML for a field and for each field inside it, by its path: `data.diagnostics[].code`. */
function fieldRows({ name, required, schema, place }: Field): string[] {
  const kind = [place, typeOf(schema), boundsOf(schema), required ? '' : 'optional'].filter((part) => part);
  const row = `<tr><th scope="row"><code>${escaped(name)}</code></th><td>${escaped(kind.join(', '))}</td><td>${prose(
    schema.description ?? '',
  )}</td></tr>`;
  return [...(name === '' ? [] : [row]), ...inside(schema).flatMap((field) => rowsBelow(name, field))];
}

function rowsBelow(name: string, field: Field): string[] {
  const isElement = field.name === '[]';
  const path = name === '' || isElement ? `${name}${field.name}` : `${name}.${field.name}`;
  // The row of the list already gives the type of its elements.
  if (isElement) return inside(field.schema).flatMap((part) => rowsBelow(path, part));
  return fieldRows({ ...field, name: path });
}

function inside(schema: SchemaNode): Field[] {
  const { properties, required = [], items, anyOf = [], contentSchema } = schema;
  if (properties) {
    return Object.entries(properties).map(([name, part]) => ({
      name,
      required: required.includes(name),
      schema: part,
    }));
  }
  if (items) return [{ name: '[]', required: true, schema: items }];
  if (contentSchema) return inside(contentSchema);
  return anyOf.flatMap(inside);
}

function typeOf({ type, const: value, items, anyOf }: SchemaNode): string {
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ');
  if (value !== undefined) return JSON.stringify(value);
  if (items) return `list of ${typeOf(items)}`;
  return type ?? 'any';
}

function boundsOf({ minimum, maximum, minLength, maxLength, default: standard, anyOf = [] }: SchemaNode): string {
  const said = [
    [minimum === undefined ? '' : `from ${minimum}`, maximum === undefined ? '' : `to ${maximum}`].join(' ').trim(),
    minLength === undefined ? '' : `at least ${minLength} characters`,
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    standard === undefined ? '' : `default ${JSON.stringify(standard)}`,
    ...anyOf.map(boundsOf),
  ];
  return said.filter((part) => part !== '').join(', ');
}

/** JSON as people read it; a text as it is. */
function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (found) => entities[found] ?? found);
}

const keyVariables: Readonly<Record<string, string>> = { managementKey: 'HYDRANT_KEY', tapToken: 'HYDRANT_TAP_TOKEN' };

/** A curl command for the route with the example of its body; it can be pasted into a shell. */
function curlOf({ method, path, operation }: Placed): string {
  const isStream = Object.values(operation.responses).some(({ content = {} }) => 'text/event-stream' in content);
  const url = `$HYDRANT_URL${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}`;
  const [scheme = ''] = (operation.security ?? []).flatMap((one) => Object.keys(one));
  const variable = keyVariables[scheme];
  const body = operation.requestBody?.content['application/json']?.example;
  return [
    `curl ${isStream ? '-N' : '-s'}`,
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    `"${url}"`,
    ...(variable === undefined ? [] : [`-H "Authorization: Bearer $${variable}"`]),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
  ].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Text on the page's background, for light and dark: at least 4.5 to 1, also for the smallest (WCAG 2.2, 1.4.3). */
export const docsColors = {
  background: ['#ffffff', '#121212'],
  text: ['#1b1b1b', '#e6e6e6'],
  link: ['#0b57d0', '#8ab4f8'],
  good: ['#1a7f37', '#4ac26b'],
  bad: ['#9a4a00', '#f0a05a'],
} as const;

const colorVariables = Object.entries(docsColors).map(
  ([name, [light, dark]]) => `--${name}: light-dark(${light}, ${dark});`,
);

/**
 * Readable on a phone, in the dark and on paper, with what every browser has. Nothing scrolls sideways: code is broken, and
 * on a narrow screen the cells of a table stand below one another.
 */
const docsStyle = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; ${colorVariables.join(' ')} }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 1rem; }
body { background: var(--background); color: var(--text); overflow-wrap: anywhere; } a { color: var(--link); }
nav ul { list-style: none; padding-left: 1rem; margin: 0; } nav > ul { padding: 0; columns: 18rem; }
nav > ul > li { break-inside: avoid; margin-bottom: .6rem; } nav a { display: inline-block; min-height: 1.5rem; }
h2 { margin-top: 2.5rem; } h3 { font-weight: 400; } h4 { margin: 1rem 0 .3rem; }
article { border-top: 1px solid var(--line); padding: .5rem 0 1rem; }
code, pre { font: 14px/1.45 ui-monospace, monospace; }
pre { background: var(--soft); padding: .6rem; white-space: pre-wrap; margin: .4rem 0; }
table { border-collapse: collapse; width: 100%; font-size: 15px; } th { text-align: left; font-weight: 400; }
td, tbody th { border-top: 1px solid var(--line); padding: .25rem .6rem .25rem 0; vertical-align: top; }
summary { cursor: pointer; padding: .15rem 0; } .good { color: var(--good); } .bad { color: var(--bad); }
@media (max-width: 40rem) {
  thead { display: none; } tr { display: block; border-top: 1px solid var(--line); padding: .3rem 0; }
  td, tbody th { display: block; border: 0; padding: 0; }
}
`;

/** HTML in a description is shown, not run; a picture would be loaded from elsewhere. */
const markdown = new MarkdownIt({ html: false, linkify: false }).disable('image');

/** The Markdown of a description as HTML for inside a paragraph. */
function prose(text: string): string {
  return markdown.renderInline(text);
}
