import type { Placed } from './docs-page.ts';

const variables: Readonly<Record<string, string>> = { managementKey: 'HYDRANT_KEY', tapToken: 'HYDRANT_TAP_TOKEN' };

/** A command that asks the route, with the example of its body; it can be copied into a shell. */
export function curlOf({ method, path, operation }: Placed): string {
  const isStream = Object.values(operation.responses).some(({ content = {} }) => 'text/event-stream' in content);
  const url = `$HYDRANT_URL${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}`;
  const [scheme = ''] = (operation.security ?? []).flatMap((one) => Object.keys(one));
  const variable = variables[scheme];
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
