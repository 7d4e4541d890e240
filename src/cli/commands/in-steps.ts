/** Requests under way at once: the daemon commits together what comes together, and one at a time waits for the disk each time. */
const AT_ONCE = 16;

/** Asks for each, some at once; the answers stand in the order of the items. Nothing is asked after a failure. */
export async function inSteps<Item, Answer>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Answer>,
  tell?: (done: number) => void,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    answers.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(ask))));
    tell?.(answers.length);
  }
  return answers;
}
