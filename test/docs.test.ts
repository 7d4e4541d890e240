import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ApiDocument } from './conformance/api-document.ts';
import { Api } from './daemon/http/api.ts';
import { documentedCommands, faultOf } from './documented-commands.ts';

/** The documentation: links lead somewhere, commands parse, and the routes are those of the daemon. */
const root = path.resolve(import.meta.dirname, '..');
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...(readdirSync(path.join(root, 'docs'), { recursive: true }) as string[])
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`),
].sort();
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** As GitHub makes them: lower case, no punctuation, a hyphen for each space; a repeated one is numbered. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutCode(markdown).matchAll(/^#{1,6} (.*)$/gm)) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    let free = anchor;
    for (let count = 1; anchors.has(free); count += 1) free = `${anchor}-${count}`;
    anchors.add(free);
  }
  return anchors;
}

function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^```.*?^```$/gms, '');
}

/** What is wrong with the links of a paper, each in a line. */
function brokenLinks(file: string): string[] {
  const prose = withoutCode(read(file)).replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^https?:/.test(link)) return [];
    const [target = '', anchor] = link.split('#');
    const linked = target === '' ? file : path.posix.join(path.posix.dirname(file), target);
    if (!existsSync(path.join(root, linked))) return [`${link}: no such file`];
    if (anchor === undefined || statSync(path.join(root, linked)).isDirectory()) return [];
    return anchorsOf(read(linked)).has(anchor) ? [] : [`${link}: no such heading`];
  });
}

describe('the documentation', () => {
  test.each(documents)('%s links to what is there', (file) => {
    expect(brokenLinks(file)).toEqual([]);
  });

  test('are all reached from the first page or from the list of documents', () => {
    const linked = ['README.md', 'docs/README.md'].flatMap((file) =>
      [...read(file).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = '']) =>
        path.posix.join(path.posix.dirname(file), link),
      ),
    );
    const forgotten = documents.filter((file) => !file.startsWith('docs/decisions/') && !linked.includes(file));
    expect(forgotten).toEqual(['README.md']);
  });

  test.each(documents.filter((file) => documentedCommands(read(file)).length > 0))(
    'the commands of %s can be given',
    async (file) => {
      const faults: string[] = [];
      for (const command of documentedCommands(read(file))) {
        const fault = await faultOf(command);
        if (fault !== undefined) faults.push(`hydrant ${command.words.join(' ')}: ${fault}`);
      }
      expect(faults).toEqual([]);
    },
  );

  test('a command that is not there is seen, and so is a wrong flag', async () => {
    const page =
      '```sh\nA=1 hydrant tpa list | jq .\n```\nand `hydrant tail --jsno`, but `hydrant tap revoke` only names it.';
    const faults = await Promise.all(documentedCommands(page).map((command) => faultOf(command)));
    expect(faults).toEqual(["unknown command 'tpa'", "unknown option '--jsno'", undefined]);
  });

  test('the page of the API has the routes that there are', async () => {
    const written = [...read('docs/http-api.md').matchAll(/^\| `([A-Z]+ \/\S*)` \| (.*?) \| (.*?) \|$/gm)];
    expect(written.map(([, ...cells]) => cells).toSorted()).toEqual((await documentedRoutes()).toSorted());
  });
});

/** Route, key and summary of each operation that the daemon documents. */
async function documentedRoutes(): Promise<string[][]> {
  const keys: Readonly<Record<string, string>> = { managementKey: 'management key', tapToken: 'tap token' };
  const api = await Api.open();
  try {
    const { paths } = await ApiDocument.of(api);
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security, summary }]) => {
        const [scheme = ''] = security.flatMap((one) => Object.keys(one));
        return [`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, keys[scheme] ?? 'none', summary];
      }),
    );
  } finally {
    await api.close();
  }
}
