/**
 * What a script reads from `$?`. One table; nothing else in the command line names a number, but for
 * the 128 and more that tell a signal. 126 and above are the shell's; 70 and 78 are those of sysexits.h.
 */
export const exitCode = {
  /** Done. */
  ok: 0,
  /** The answer is no: an invalid query, a question answered with "n", a start that failed. `diff`: it changed. */
  no: 1,
  /** `watch check`: a page has changed, as `diff` ends. */
  changed: 1,
  /** Unknown command or flag, bad value: nothing was sent. `extract`, `match`, `diff`: a page that cannot be read. */
  usage: 2,
  /** `watch check`, `watch add` that waits: a page could not be read, whatever else has changed. */
  failed: 2,
  /** The daemon cannot be reached. */
  unreachable: 3,
  /** 401 or 403. */
  unauthorized: 4,
  /** 404. */
  notFound: 5,
  /** The daemon refused: 422 other than a query, or any other 4xx. */
  refused: 6,
  /** 402: out of credit or quota. */
  outOfCredit: 7,
  /** 429 or 503, after our own retries. */
  tryAgain: 8,
  /** A bug, ours or the daemon's (EX_SOFTWARE). */
  bug: 70,
  /** A bad configuration: a supervisor need not try again (EX_CONFIG). */
  configuration: 78,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** The same for people: `hydrant help exit-codes` and docs/exit-codes.md. */
export const exitCodes: readonly { readonly code: number; readonly meaning: string }[] = [
  { code: exitCode.ok, meaning: 'success; also when the reader of the output closed the pipe' },
  {
    code: exitCode.no,
    meaning:
      'a negative result: an invalid query, no match, a failed check or command, a test message that was not delivered, a question answered with n; for diff and watch check: something changed',
  },
  {
    code: exitCode.usage,
    meaning:
      'unknown command or flag, invalid value; nothing was sent; for extract, match, diff, watch check, and watch add that waits: a page could not be read; for watch try: it must not be',
  },
  { code: exitCode.unreachable, meaning: 'the daemon cannot be reached' },
  { code: exitCode.unauthorized, meaning: 'the key or token is not accepted (401, 403)' },
  { code: exitCode.notFound, meaning: 'the named object does not exist (404)' },
  { code: exitCode.refused, meaning: 'the daemon refused (422 and other 4xx)' },
  { code: exitCode.outOfCredit, meaning: 'out of credit or quota (402)' },
  {
    code: exitCode.tryAgain,
    meaning: 'try again later: the daemon is busy, or there were too many requests (429, 503)',
  },
  { code: exitCode.bug, meaning: 'a bug in hydrant' },
  {
    code: exitCode.configuration,
    meaning: 'an invalid configuration or a damaged file of hydrant; trying again does not help',
  },
  { code: 129, meaning: 'ended by SIGHUP' },
  { code: 130, meaning: 'ended by Ctrl-C (SIGINT)' },
  { code: 143, meaning: 'ended by SIGTERM' },
];

const ofStatus: Readonly<Record<number, ExitCode>> = {
  401: exitCode.unauthorized,
  402: exitCode.outOfCredit,
  403: exitCode.unauthorized,
  404: exitCode.notFound,
  429: exitCode.tryAgain,
  503: exitCode.tryAgain,
};

/** The exit code of a refused request. A refused query is `no`, which the caller knows and the status does not. */
export function exitCodeOfStatus(status: number): ExitCode {
  return ofStatus[status] ?? (status >= 500 ? exitCode.bug : exitCode.refused);
}
