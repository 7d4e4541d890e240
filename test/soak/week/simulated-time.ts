import { mock } from 'node:test';
import { outside, type Outside } from '../../../src/daemon/outside.ts';

/**
 * The time of this process: timers and dates stand still until they are told to go on, and what is under way goes on
 * meanwhile. The daemon's clock can be set beside it, as an operator sets that of a machine.
 */
export class SimulatedTime {
  readonly began: number;
  /** Milliseconds by which the daemon's clock is wrong. */
  skewMs = 0;

  constructor(from: number) {
    this.began = from;
    mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: from });
  }

  /** As it is, whatever the daemon's clock says. */
  get now(): number {
    return Date.now();
  }

  get outside(): Outside {
    return { ...outside, now: () => Date.now() + this.skewMs };
  }

  pass(ms: number): void {
    mock.timers.tick(ms);
  }

  /** What is real (sockets, threads, the disk) takes as long as it does: meanwhile this time goes as fast as the real one. */
  async during<Result>(taking: Promise<Result>): Promise<Result> {
    const state = { isDone: false };
    const done = taking.finally(() => {
      state.isDone = true;
    });
    done.catch(() => undefined);
    let seen = performance.now();
    while (!state.isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      const passed = Math.floor(performance.now() - seen);
      seen += passed;
      if (passed > 0) mock.timers.tick(passed);
    }
    return done;
  }

  end(): void {
    mock.timers.reset();
  }
}
