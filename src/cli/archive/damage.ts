/** Whether zlib, or zstd, says that what it was given is not what it unpacks; not that a file could not be read. */
export function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:Z_|ZSTD_)/.test(String(error.code));
}
