import {
  CLEAN_FAULT_POINTS,
  START_FAULT_POINTS,
  VISIT_FAULT_POINTS,
  WATCH_FAULT_POINTS,
  WRITE_FAULT_POINTS,
} from '../../../src/daemon/fault-points.ts';

/** How one life goes, and ends. */
export interface LifePlan {
  /** `name:3`; undefined: at any moment. */
  readonly fault: string | undefined;
  /** After which it is killed in any case. */
  readonly longestMs: number;
  readonly fillsDisk: boolean;
  /** The kill comes while the disk is full, and the next start finds it so. */
  readonly diesFull: boolean;
  /** It ends as if by a power cut. */
  readonly tears: boolean;
  /** A copy of what is left is damaged in its journal, before the last commit. */
  readonly damages?: boolean;
}

interface Shares {
  readonly fault: number;
  readonly full: number;
  readonly torn: number;
  readonly damaged: number;
}

/** Half of the kills at a point, which take turns; the others at any moment. */
export const USUAL: Shares = { fault: 0.6, full: 0.06, torn: 0.35, damaged: 0.25 };

/** Points that everything comes by many times a second; of the others the first time is the one. */
const FREQUENT = /^(group|visit|watch|charge|ingest|catalog):/;
const MOST_TIMES = 25;
const LIFE_MS = { least: 150, most: 2_200, withFault: 6_000, minute: 64_000 };

/** Without end: each point once before any comes again. */
export function* plans(random: () => number, shares = USUAL, points: readonly string[] = POINTS): Generator<LifePlan> {
  for (let turn = 0; ;) {
    const isFault = random() < shares.fault;
    const point = points[turn % points.length] ?? '';
    if (isFault) turn += 1;
    const times = FREQUENT.test(point) ? 1 + Math.floor(random() * MOST_TIMES) : 1;
    const fillsDisk = !isFault && random() < shares.full / (1 - shares.fault);
    const anyMs = LIFE_MS.least + random() * (LIFE_MS.most - LIFE_MS.least);
    const faultMs = point === 'clean:trimmed' ? LIFE_MS.minute : LIFE_MS.withFault;
    yield {
      fault: isFault ? `${point}:${times}` : undefined,
      longestMs: isFault ? faultMs : anyMs,
      fillsDisk,
      diesFull: fillsDisk && random() < 0.4,
      tears: random() < shares.torn,
      damages: random() < shares.damaged,
    };
  }
}

/** Those of an upgrade need an older store, and have a test of their own. */
export const POINTS: readonly string[] = [
  ...VISIT_FAULT_POINTS,
  ...WRITE_FAULT_POINTS,
  ...WATCH_FAULT_POINTS,
  ...START_FAULT_POINTS,
  ...CLEAN_FAULT_POINTS,
];
