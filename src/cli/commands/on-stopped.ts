/** Told the exit code of a command that has an end of its own, once it has stopped. */
export type OnStopped = (code: number) => void;
