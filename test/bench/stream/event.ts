/** The document of an event of about so many bytes; the moment stands in it, since both processes read one clock. */
export function documentOf(bytes: number): string {
  const title = `t=${process.hrtime.bigint()};`;
  const text = 'x'.repeat(Math.max(0, bytes - 240));
  return JSON.stringify({ url: 'http://h.example/', title, diff: { chunks: [{ typ: 'ins', text }] } });
}

export const QUERY_IDS = '["r"]';
