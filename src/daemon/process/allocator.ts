import { createRequire } from 'node:module';

/**
 * Returns to the system what the C library's allocator keeps of freed memory. By itself glibc returns the end of an arena alone,
 * and in each arena something in use lies near the end: after a crawl 50 MB of freed pages stay in the process.
 * `malloc_trim` returns free pages in between as well. Node has no way to call it; koffi, a library that calls functions of C, has.
 *
 * It takes some 30 ms of another thread: an arena is locked meanwhile, and the event loop is not.
 *
 * @returns whether there was anything to return; false where there is no such function (musl, macOS, Windows) or no koffi
 */
export async function trimAllocator(): Promise<boolean> {
  trim ??= load();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  // 0: no bytes are kept at the end of an arena.
  trim.async(0, (error, isTrimmed) => (error ? reject(error) : resolve(isTrimmed)));
  return (await promise) === 1;
}

/** A function of C as koffi gives it, as far as it is used. */
interface Trim {
  async(keptBytes: number, done: (error: Error | null, isTrimmed: number) => void): void;
}

interface Koffi {
  load(library: null): { func(declaration: string): Trim };
}

const NOTHING: Trim = { async: (_, done) => done(null, 0) };
let trim: Trim | undefined;

/** At the first call: 3 MB, which a command that is over in a moment does not need. */
function load(): Trim {
  if (process.platform !== 'linux') return NOTHING;
  try {
    const koffi = createRequire(import.meta.url)(`@koromix/koffi-linux-${process.arch}`) as Koffi;
    return koffi.load(null).func('int malloc_trim(size_t pad)');
  } catch {
    // No koffi for this machine, or musl, whose allocator has no such function: memory stays where it is.
    return NOTHING;
  }
}
