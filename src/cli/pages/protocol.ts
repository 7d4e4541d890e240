import type { Zone } from '../../shared/page/page.ts';

/** One line of `hydrant extract --jsonl`, as the threads are asked for it. */
export interface Task {
  readonly file: string;
  /** The address that the file had. */
  readonly url: string | null;
  /** When it was visited, milliseconds since 1970. */
  readonly at: number;
  readonly zone?: Zone;
}

export interface Answer {
  /** The page as JSON on one line, printable; or why there is none, in the same form. */
  readonly line: string;
  readonly failed: boolean;
}
