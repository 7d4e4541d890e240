/**
 * The database cannot be reached, or the connection broke off. What was acknowledged before is kept; the same call can be
 * made again. `isOutcomeUnknown`: the connection broke while COMMIT was under way, so the write may have happened.
 */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable' as const;
  readonly isOutcomeUnknown: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isOutcomeUnknown?: boolean } = {}) {
    super(message, options);
    this.isOutcomeUnknown = options.isOutcomeUnknown ?? false;
  }
}
