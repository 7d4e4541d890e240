'use strict';

/**
 * How the daemon's process is to be started, which it cannot set once it runs. glibc takes blocks of 128 KiB and more from
 * the system and returns them when they are freed; by itself it stops doing so after the first large block it frees, and
 * 100 MB of freed page bodies stay in the process. No MALLOC_ARENA_MAX: in an arena that threads share, what one of them
 * frees stays below what another one keeps.
 */
const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };
/** MB, by the setting `memory`. The young generation of the main thread else grows to 50 MB once it is busy, and stays there. */
const SEMI_SPACE_MB = { small: 2, normal: 4, large: 16 };
const SEMI_SPACE = '--max-semi-space-size';

/**
 * Starts this program once more in the same process (execve: the same process id, standard streams and parent), with what
 * its memory needs, unless that is set already: by a unit of `hydrant service`, the container, or the user, whose
 * values stand. Does nothing where it would not help or cannot work: other systems than Linux, a parent that talks to
 * this process over IPC (execve closes it), Node without `process.execve`.
 */
function restartForLessMemory({ platform, env, execve, execPath, execArgv, argv, argv0, channel }, memory) {
  const isSet = Object.keys(ALLOCATOR).every((name) => env[name] !== undefined);
  if (isSet || platform !== 'linux' || !execve || channel) return;
  const hasSemiSpace = [...execArgv, env.NODE_OPTIONS || ''].some((words) =>
    words.replaceAll('_', '-').includes(SEMI_SPACE),
  );
  const flags = hasSemiSpace ? execArgv : [...execArgv, `${SEMI_SPACE}=${SEMI_SPACE_MB[memory]}`];
  try {
    execve(execPath, [argv0, ...flags, ...argv.slice(1)], { ...ALLOCATOR, ...env });
  } catch {
    // Node's permission model forbids it, say: the daemon runs all the same, and takes more memory.
  }
}

module.exports = { restartForLessMemory };
