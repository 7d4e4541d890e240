import { type DestinationStream, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

export interface LogOutput {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/**
 * The daemon's log, on stderr: lines for people on a terminal, one JSON object a line otherwise. Keys, tokens and
 * headers that carry them are never passed to it; the redaction is a second lock on the same door.
 */
export function createLog(settings: { level: string; format: 'auto' | 'pretty' | 'json' }, output: LogOutput): Log {
  const isPretty = settings.format === 'pretty' || (settings.format === 'auto' && output.isTTY === true);
  const options = {
    level: settings.level,
    base: null,
    redact: { paths: ['authorization', '*.authorization', 'req.headers.authorization'], remove: true },
  };
  const destination: DestinationStream = { write: (text) => void output.write(text) };
  if (!isPretty) return pino(options, destination);
  const form = { colorize: output.isTTY === true, translateTime: 'SYS:HH:MM:ss', destination };
  return pino(options, pretty(form));
}
