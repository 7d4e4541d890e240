import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

export type Log = Pick<Logger, 'child' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

export type LogOutput = NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };

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
  if (!isPretty) return pino(options, output);
  return pino(options, pretty({ colorize: output.isTTY === true, translateTime: 'SYS:HH:MM:ss', destination: output }));
}
