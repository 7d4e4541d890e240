/** What is merged: anything that gives values one after another, and can be told to stop by its own means. */
export interface Source<Value> extends AsyncIterable<Value> {}

export type Merged<From, Value> =
  | { readonly from: From; readonly value: Value }
  /** This one gives no more, and why, where it failed. */
  | { readonly from: From; readonly failure: unknown };

/**
 * Several streams as one, in the order in which their events come. Of each, the next event is asked for only when the
 * last was handled, so a slow reader slows all of them, and at most one event of each waits here. A stream that fails
 * ends alone: the others go on. (`Promise.race` over the streams would add a callback to the quiet ones with every
 * event of a busy one, and never let go of it.)
 */
export async function* merge<From extends Source<Value>, Value>(
  sources: readonly From[],
): AsyncGenerator<Merged<From, Value>, void> {
  const ready: (Merged<From, Value> | { readonly from: From })[] = [];
  let wake = (): void => {};
  const iterators = new Map(sources.map((from) => [from, from[Symbol.asyncIterator]()]));
  const ask = async (from: From): Promise<void> => {
    try {
      const next = await iterators.get(from)?.next();
      ready.push(next === undefined || next.done === true ? { from } : { from, value: next.value });
    } catch (failure) {
      ready.push({ from, failure });
    }
    wake();
  };
  for (const from of sources) void ask(from);
  for (let open = sources.length; open > 0;) {
    const next = ready.shift();
    if (next === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    if ('value' in next) {
      yield next;
      void ask(next.from);
      continue;
    }
    open -= 1;
    if ('failure' in next) yield next;
  }
}
