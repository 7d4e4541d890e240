/**
 * What the engine printed, as a rule can say it: `age` is what it makes of `recent`, and no field of a rule. All of them
 * are whole hours.
 */
export function withRecent(lucene: string): string {
  return lucene.replaceAll(
    /(?<![\w"])age:\[0 TO (\d+)\]/g,
    (_, seconds: string) => `recent:${Number(seconds) / 3_600}h`,
  );
}
