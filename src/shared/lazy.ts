/**
 * A value that is made when it is first asked for. For patterns of many languages, which take milliseconds to build and to
 * compile: a command that reads one page needs few of them.
 */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
