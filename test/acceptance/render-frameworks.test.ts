import { expect, test } from 'vitest';
import { NO_BROWSER } from '../daemon/render/rendering.ts';
import { FRAMEWORKS, renderedShells } from '../soak/render.ts';

test.skipIf(NO_BROWSER)(
  'shells of React, Vue, Svelte, Angular and Lit: each change is seen as what it is, and none is invented',
  async () => {
    expect(FRAMEWORKS.toSorted()).toEqual(['angular', 'lit', 'react', 'svelte', 'vue']);
    const [, ...faults] = await renderedShells(FRAMEWORKS.length);
    expect(faults).toEqual([]);
  },
);
