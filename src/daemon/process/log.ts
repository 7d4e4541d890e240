import { type Logger, multistream, pino } from 'pino';
import pretty from 'pino-pretty';

export type Log = Pick<Logger, 'child' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

type Level = 'debug' | 'info' | 'warn' | 'error';

export type LogOutput = NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };

/**
 * The daemon's log, on stderr: lines for people on a terminal, one JSON object a line otherwise; and in a file, if
 * there is one, always as JSON. Keys, tokens and headers that carry them are never passed to it, but for the first
 * key, which the file does not keep; the redaction is a second safeguard.
 */
export function createLog(
  settings: { level: Level; format: 'auto' | 'pretty' | 'json' },
  output: LogOutput,
  file?: { write(line: string): void },
): Log {
  const isPretty = settings.format === 'pretty' || (settings.format === 'auto' && output.isTTY === true);
  const options = {
    level: settings.level,
    base: null,
    redact: { paths: ['authorization', '*.authorization', 'req.headers.authorization'], remove: true },
  };
  const screen = isPretty
    ? pretty({ colorize: output.isTTY === true, translateTime: 'SYS:HH:MM:ss', destination: output })
    : output;
  if (file === undefined) return pino(options, screen);
  const kept = { write: (line: string) => file.write(withoutKey(line)) };
  const { level } = settings;
  return pino(
    options,
    multistream([
      { level, stream: screen },
      { level, stream: kept },
    ]),
  );
}

/** The key that the first start shows: a file would keep it for as long as it lies there. */
function withoutKey(line: string): string {
  return line.replace(/("management_key":")svcm_[^"]*"/, '$1(on stderr only)"');
}
