import { corpusIsHere, type Half } from './corpus.ts';

/**
 * `npm run report -- labels [section …] [--half build|check] [--json]`: how true the labels are, measured on the
 * labelled corpus. Without the corpus there is nothing to measure, and it says so. `npm run report -- revisit` is of
 * another kind, and needs no corpus: see `revisit.ts`.
 */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** What the value was measured on. */
  readonly of: string;
  /** The least (or, for a rate of mistakes, the most) that we want. */
  readonly goal?: number;
}

export type Section = (half: Half) => Promise<Figure[]>;

const sections: Record<string, () => Promise<{ figures: Section }>> = {
  language: () => import('./language.ts'),
  'main-text': () => import('./main-text.ts'),
  category: () => import('./category.ts'),
  facts: () => import('./facts.ts'),
  'page-type': () => import('./page-type.ts'),
  rating: () => import('./rating.ts'),
};

if (process.argv[2] === 'revisit') await (await import('./revisit.ts')).report(process.argv.slice(3));
else await labels();

function option(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
}

async function labels(): Promise<void> {
  const half: Half = option('--half') === 'build' ? 'build' : 'check';
  const names = process.argv.slice(3).filter((name) => Object.hasOwn(sections, name));
  const wanted = names.length > 0 ? names : Object.keys(sections);
  const asJson = process.argv.includes('--json');
  if (!corpusIsHere) {
    process.stderr.write('skipped: the labelled corpus is not at hand, so there is nothing to measure on\n');
  } else {
    const all: Record<string, Figure[]> = {};
    for (const name of wanted) {
      const figures = (await (await sections[name]?.())?.figures(half)) ?? [];
      all[name] = figures;
      if (asJson) continue;
      process.stdout.write(`\n${name} (${half} half)\n`);
      for (const { name: what, value, of, goal } of figures) {
        const aim = goal === undefined ? '' : `  goal ${goal}`;
        process.stdout.write(`  ${what.padEnd(44)} ${value.toFixed(3).padStart(7)}${aim.padEnd(12)}  ${of}\n`);
      }
    }
    if (asJson) process.stdout.write(`${JSON.stringify({ half, ...all })}\n`);
  }
}
