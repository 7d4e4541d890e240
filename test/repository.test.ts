import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

/** The workflows and templates of the repository: they parse, run what everyone runs, and pin what they use. */
const root = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<string, { readonly strategy?: { readonly matrix: { readonly node: string[] } }; readonly steps: Step[] }>
  >;
}

const names = readdirSync(path.join(root, '.github/workflows'));
const workflow = (name: string): Workflow => parse(read(`.github/workflows/${name}`)) as Workflow;
const stepsOf = (name: string): Step[] => Object.values(workflow(name).jobs).flatMap(({ steps }) => steps);

describe('the workflows', () => {
  test.each(names)('%s runs .ci/run, as everyone else does', (name) => {
    expect(stepsOf(name).map(({ run }) => run)).toContain('bash .ci/run');
  });

  test.each(names)('%s pins each action by its commit, and may only read unless a job says otherwise', (name) => {
    const used = stepsOf(name).flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
    expect(workflow(name).permissions).toEqual({ contents: 'read' });
  });

  test('CI covers the oldest Node line that package.json allows', () => {
    const { engines } = JSON.parse(read('package.json')) as { readonly engines: { readonly node: string } };
    const oldest = /^>=(\d+)/.exec(engines.node)?.[1];
    expect(workflow('ci.yml').jobs['check']?.strategy?.matrix.node).toContain(oldest);
  });
});

test('a pull request and each issue form ask for something', () => {
  expect(read('.github/pull_request_template.md')).toContain('npm run check');
  for (const form of ['bug.yml', 'idea.yml']) {
    const { body } = parse(read(`.github/ISSUE_TEMPLATE/${form}`)) as { readonly body: readonly { type: string }[] };
    expect(body.length).toBeGreaterThan(0);
  }
});
