/**
 * Whether a text of XML has so many tags without an end that looking for those ends would take the parser of feeds seconds,
 * or hours: inside of some elements it looks through all that follows for each of them. What is between quotes ends no
 * tag, and one quote that has no other takes all the rest. Gone through as the parser does: what is in a section or a
 * comment begins no tag.
 */
export function hasEndlessTags(text: string): boolean {
  const isEndless = endless(text);
  if (isEndless.size * text.length < MOST_STEPS) return false;
  let steps = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    const closing = CLOSINGS.find(([opening]) => text.startsWith(opening, at))?.[1];
    if (closing !== undefined) {
      at = text.indexOf(closing, at);
      // The parser gives up here.
      if (at === -1) return false;
    } else if (isEndless.has(at)) {
      steps += text.length - at;
      if (steps > MOST_STEPS) return true;
    } else at = endOfTag(text, at);
  }
  return false;
}

/** Where tags would begin that have no end. From the back, since what ends one is the same for all before it. */
function endless(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  // Whether what is open here, outside of quotes or inside of either, comes to the end of its tag.
  let [ends, endsQuoted, endsApostrophed] = [false, false, false];
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const code = text.charCodeAt(at);
    if (code === GREATER) ends = true;
    else if (code === QUOTE) [ends, endsQuoted] = [endsQuoted, ends];
    else if (code === APOSTROPHE) [ends, endsApostrophed] = [endsApostrophed, ends];
    else if (code === LESS && !ends) found.add(at);
  }
  return found;
}

function endOfTag(text: string, start: number): number {
  let quote = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (quote !== 0) quote = code === quote ? 0 : quote;
    else if (code === QUOTE || code === APOSTROPHE) quote = code;
    else if (code === GREATER) return at;
  }
  return text.length;
}

const [QUOTE, APOSTROPHE, LESS, GREATER] = [0x22, 0x27, 0x3c, 0x3e];
const CLOSINGS = [
  ['<![CDATA[', ']]>'],
  ['<!--', '-->'],
  ['<?', '?>'],
] as const;
/** Characters that the parser looks at once more; a hundred million take it a second. */
const MOST_STEPS = 50_000_000;
