/**
 * Loaded before `hydrantd` (`--import`): its clock is ahead by so many milliseconds, so that a daemon that comes back a second after
 * its death has been away for minutes or for a day. Timers go as they always do.
 */
const laterMs = Number(process.env['LATER_CLOCK_MS'] ?? 0);

const RealDate = Date;

class LaterDate extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(LaterDate.now());
    else super(...(given as [number]));
  }

  static override now(): number {
    return RealDate.now() + laterMs;
  }
}

globalThis.Date = LaterDate as DateConstructor;
