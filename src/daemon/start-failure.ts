/**
 * Why the daemon cannot start: one line that says what is wrong and what to do. `configuration` failures exit with
 * 78 (sysexits EX_CONFIG), so that a supervisor does not restart into the same wall; others with 1.
 */
export class StartFailure extends Error {
  override readonly name = 'StartFailure' as const;
  readonly kind: 'configuration' | 'environment';

  constructor(kind: 'configuration' | 'environment', message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
