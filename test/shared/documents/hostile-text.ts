import fc from 'fast-check';

/** What pages say to be mark-up, a link, a line or an instruction in a document that is ours. */
const HOSTILE = [
  ['<script>alert(1)</script>', '</title>', '</p><img src=x onerror=alert(1)>', '<!--', '-->', '<![CDATA[', ']]>'],
  ['&amp;', '&#60;', '&nbsp;', '&', '"', "'", '<', '>', '" onclick="x', 'javascript:alert(1)', '<?xml ?>', '%00'],
  ['[x](http://evil.example)', '![x](http://evil.example/i.png)', '<http://evil.example>', '[a]: http://evil.example'],
  ['http://evil.example', 'HTTPS://evil.example/a', 'www.evil.example', 'me@evil.example', 'mailto:me@evil.example'],
  [
    '# ',
    '> ',
    '- ',
    '* ',
    '+ ',
    '1. ',
    '    code',
    '```',
    '~~~',
    '---',
    '===',
    '***',
    '__',
    '_a_',
    '~~a~~',
    '`',
    '|',
    '\\',
  ],
  ['\n', '\r\n', '\t', '\n\n# ', '\n- ', '\nFrom a', '\n.\n', '\u2028', '\u2029', '\u0085', '\u000b', '  \n'],
  ['\u0000', '\u001b[2J', '\u009b31m', '\u0007', '\u007f', '\u202e', '\u2066', '\u2069', '\u200f', '\u061c'],
  ['\ud800', '\udc00', '\ufffe', '\uffff', '\u{e0041}', '\u{e007f}', '\ufeff', '😀', 'é', '漢', 'word', ' '],
].flat();

/** Hostile texts, and any others. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 8 })
  .map((parts) => parts.join(''));

/** Addresses of pages with all that may stand in one, in the form in which a match has them. */
export const hostileUrl: fc.Arbitrary<string> = fc
  .tuple(hostileText, hostileText, hostileText)
  .map(([path, query, fragment]) => URL.parse(`https://site.example/${path}?${query}#${fragment}`)?.href)
  .filter((url) => url !== undefined);

/** What nobody sees, or what moves the rest: in no document. Line ends are the documents' own. */
export const UNSEEN =
  /[^\P{Cc}\n]|[\p{Bidi_Control}\p{Noncharacter_Code_Point}\u2028\u2029\u{e0000}-\u{e007f}]|\p{Cs}/u;
