/**
 * Why the daemon cannot start: one line that says what is wrong and what to do. `configuration` failures exit with
 * 78 (sysexits EX_CONFIG), so that a supervisor does not restart into the same wall; others with 1.
 *
 * What a file says may stand in it: line ends and what would move a cursor are written as `\u{a}`, and a value that is
 * longer than anyone reads is cut.
 */
export class StartFailure extends Error {
  override readonly name = 'StartFailure' as const;
  readonly kind: 'configuration' | 'environment';

  constructor(kind: 'configuration' | 'environment', message: string, options?: ErrorOptions) {
    super(oneLine(message), options);
    this.kind = kind;
  }
}

function oneLine(message: string): string {
  const line = message
    .toWellFormed()
    .replaceAll(UNSAFE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST / 2)} … ${line.slice(-LONGEST / 2)}`;
}

const UNSAFE = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;
/** Characters. Two paths of the greatest length, 4,096, are as much as a sentence of ours holds. */
const LONGEST = 10_000;
