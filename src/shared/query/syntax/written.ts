/** Writing values so that the lexer reads back what was meant. */

/** A value in quotes, where only these two need an escape. */
export function quote(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** Every backslash gone that makes the next character literal; `\uXXXX` is not read here. */
export function withoutBackslashes(raw: string): string {
  return raw.replace(/\\([^])/g, '$1');
}

const SPECIAL = /[ \t\n\r\u3000!():^[\]"{}~*?\\/]/;
/** Whole words that would be operators. */
const OPERATOR = /^(?:AND|OR|NOT|&&|\|\|)$/;

/** A value without quotes, its special characters escaped, but for those of `kept` and what is escaped already. */
export function escapeValue(raw: string, kept = ''): string {
  let text = '';
  for (let at = 0; at < raw.length; at++) {
    const character = raw.charAt(at);
    if (kept !== '' && character === '\\' && at + 1 < raw.length) {
      text += character + raw.charAt(++at);
    } else if (!kept.includes(character) && (SPECIAL.test(character) || (at === 0 && /[+$-]/.test(character)))) {
      text += `\\${character}`;
    } else {
      text += character;
    }
  }
  return OPERATOR.test(text) ? `\\${text}` : text;
}

/** A value of a keyword field: bare where it can be, and quoted where it would need an escape. */
export function bareOrQuoted(value: string): string {
  return value !== '' && escapeValue(value) === value ? value : quote(value);
}
