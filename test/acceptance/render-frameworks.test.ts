import { expect, test } from 'vitest';
import { NO_BROWSER } from '../daemon/render/rendering.ts';
import { FRAMEWORKS, RenderedShells } from '../soak/render/shells.ts';
import { loopback, RealDaemon } from './real-daemon.ts';

test.skipIf(NO_BROWSER)(
  'shells of React, Vue, Svelte, Angular and Lit: each change is seen as what it is, and none is invented',
  async () => {
    expect(FRAMEWORKS.toSorted()).toEqual(['angular', 'lit', 'react', 'svelte', 'vue']);
    const daemon = await RealDaemon.start([...loopback, '--log-level', 'error']);
    const shells = new RenderedShells(daemon);
    try {
      await shells.open();
      for (const n of FRAMEWORKS.keys()) await shells.checkChange(n);
      await shells.checkNothing();
      expect(shells.faults).toEqual([]);
    } finally {
      shells.close();
      await daemon.dispose();
    }
  },
);
