/**
 * The input with as much left out as can be while it still fails: pieces of half its length, then of a quarter, down
 * to single characters (Zeller's delta debugging, without the complements).
 */
export async function minimize(
  input: string,
  fails: (text: string) => boolean | Promise<boolean>,
  mayGoOn: () => boolean,
): Promise<string> {
  let text = input;
  for (let size = Math.ceil(text.length / 2); size >= 1 && mayGoOn(); size = size === 1 ? 0 : Math.ceil(size / 2)) {
    let shorter = true;
    while (shorter && mayGoOn()) {
      shorter = false;
      for (let start = 0; start < text.length && mayGoOn();) {
        const without = text.slice(0, start) + text.slice(start + size);
        if (await fails(without)) {
          text = without;
          shorter = true;
        } else start += size;
      }
    }
  }
  return text;
}
