/** Text as content of HTML or XML, between tags or in a quoted attribute. What XML 1.0 cannot hold is replaced. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(UNWRITABLE, '\u{fffd}')
    .replaceAll(/[&<>"']/g, (found) => ENTITIES[found] ?? found);
}

/** XML 1.0, 2.2: all but `Char`. */
const UNWRITABLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
