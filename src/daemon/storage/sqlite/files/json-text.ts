/** The JSON value of a text, or what is wrong with it and in which line. */
export function parseJson(text: string): { readonly ok: true; readonly value: unknown } | { ok: false; what: string } {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    const { message } = error as SyntaxError;
    return { ok: false, what: `${gist(message)} at line ${lineOfError(text, message)}` };
  }
}

/** V8's sentence without the place and without a piece of the file, which may be over several lines. */
function gist(message: string): string {
  return message.replace(/, (\.\.\.)?".*$/s, '').replace(/ in JSON at position .*$| after JSON at position .*$/s, '');
}

/** V8 names the position for most errors; for an unexpected token it shows the text around it instead. */
function lineOfError(text: string, message: string): number {
  const named = /\(line (\d+) column/.exec(message)?.[1];
  if (named !== undefined) return Number(named);
  const length = message.startsWith('Unexpected token') ? shortestRefused(text) : text.length;
  return text.slice(0, length).split('\n').length;
}

/** The length of the shortest beginning that already has the bad token: shorter ones merely end too early. */
function shortestRefused(text: string): number {
  let accepted = 0;
  let refused = text.length;
  while (refused - accepted > 1) {
    const middle = Math.floor((accepted + refused) / 2);
    const outcome = parseOutcome(text.slice(0, middle));
    if (outcome.startsWith('Unexpected token')) refused = middle;
    else accepted = middle;
  }
  return refused;
}

function parseOutcome(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return (error as SyntaxError).message;
  }
}
