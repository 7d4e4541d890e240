import { isSpace, type Token, token } from './token.ts';

const BOUND = /[^ \]}]+/y;
const QUOTED = /"(?:\\"|[^"])+"/y;

/**
 * The tokens of `[from TO to]` or `{from TO to}`: inside, `:` and `/` need no escape and quotes have no other
 * escape than `\"`. Without an end bracket the tokens run to the end of the query, where the parser misses it.
 */
export function lexRange(query: string, start: number): Token[] {
  const tokens = [token('range_start', start, start + 1, query)];
  let at = start + 1;
  while (at < query.length) {
    const character = query.charAt(at);
    if (isSpace(character)) {
      at++;
      continue;
    }
    if (character === ']' || character === '}') {
      tokens.push(token('range_end', at, at + 1, query));
      break;
    }
    const end = Math.max(endOf(BOUND, query, at), endOf(QUOTED, query, at));
    tokens.push(token(query.slice(at, end) === 'TO' ? 'range_to' : 'range_bound', at, end, query));
    at = end;
  }
  return tokens;
}

function endOf(pattern: RegExp, query: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(query) ? pattern.lastIndex : at;
}
