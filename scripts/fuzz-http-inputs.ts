import { below, type Dice, diceOf, pick, times } from './fuzz-dice.ts';

/** What a client of the server under test may know. */
export interface Known {
  readonly key: string;
  readonly token: string;
  readonly tap: string;
  readonly rule: string;
}

const METHODS = 'GET POST PUT DELETE HEAD OPTIONS PATCH TRACE CONNECT QUERY PRI get P0ST MKCOL'.split(' ');
const SEGMENTS =
  '/ // v1 v2 taps rules stream validate public openapi.json docs admin metrics TAP RULE . .. %2e%2e %00 %2F %E0%A4 %F0%9F%A6%A9 %zz * :id __proto__ ; \\'.split(
    ' ',
  );
const PATHS =
  '/v1/taps /v1/taps/TAP /v1/rules /v1/rules/RULE /v1/stream /v1/validate /v1/validate/public /openapi.json /docs'.split(
    ' ',
  );
const QUERIES =
  'timeout=1 timeout=0 timeout=1e3 timeout=%31 since=5m since=25h since=-1s offset=0 offset=99999999999999999 limit=1 limit=x a=b %zz=%zz = & ; []=1 timeout[]=1 __proto__=1'.split(
    ' ',
  );
const NAMES =
  'Content-Type Accept Expect Transfer-Encoding Content-Length Connection Upgrade Origin Last-Event-ID X-Forwarded-For Content-Encoding Cookie Host Range If-None-Match Authorization Forwarded TE __proto__ X-A'.split(
    ' ',
  );
const VALUES =
  'application/json text/xml ;;; */* 100-continue chunked gzip,chunked identity 0 5 -1 1e9 99999999999999999999 keep-alive close upgrade websocket h2c null https://example.org 0-0 0-99999999999999999 x 127.0.0.1 :: gzip bytes=0- \t é \x80 Bearer'.split(
    ' ',
  );
const FIELDS = 'name status value tag nsfw quality query __proto__ constructor id'.split(' ');
const LEAVES =
  '"news" "active" "paused" "ferry" "titel:x" "(((" "*:*" "$x" "\\ud800" "\\u0000" "" null true false 0 -1 1e999 [] {} [[[]]] "\\u2028"'.split(
    ' ',
  );
const PIECES = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  ':',
  '\r\n\r\n',
  '\xff',
  '\t',
  'HTTP/1.1',
  'HTTP/2.0',
  'GET / HTTP/1.1\r\n',
  '0\r\n\r\n',
  '%',
  '"',
];

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** A request as bytes, each a character; number n of a seed is always the same. Most are well-formed HTTP. */
export function inputOf(seed: number, number: number, known: Known): string {
  const dice = diceOf(seed, number);
  const sort = dice();
  if (sort < 0.08) return garbage(dice);
  const whole = request(dice, known);
  return sort < 0.75 ? whole : mutant(whole, dice);
}

function request(dice: Dice, known: Known): string {
  const method = dice() < 0.7 ? pick(dice, METHODS.slice(0, 5)) : pick(dice, METHODS);
  const body = method === 'GET' && dice() < 0.9 ? '' : bodyOf(dice);
  const headers = [...headersOf(dice, known), ...framing(dice, body)];
  const version =
    dice() < 0.97 ? 'HTTP/1.1' : pick(dice, ['HTTP/1.0', 'HTTP/0.9', 'HTTP/1.2', 'HTTP/2.0', 'HTP/1.1', '']);
  // What is deleted is gone, and with its token most of what there is to see: only now and then.
  const named = method === 'DELETE' && dice() < 0.999 ? { ...known, tap: NOBODY, rule: NOBODY } : known;
  const line = `${method} ${filled(target(dice), named)} ${version}`;
  return `${[line, ...headers].join('\r\n')}\r\n\r\n${body}`;
}

function target(dice: Dice): string {
  const path = dice() < 0.75 ? pick(dice, PATHS) : `/${times(below(dice, 5), () => pick(dice, SEGMENTS)).join('/')}`;
  const query = dice() < 0.35 ? `?${times(1 + below(dice, 3), () => pick(dice, QUERIES)).join('&')}` : '';
  const form = dice();
  if (form < 0.02) return `http://example.org${path}${query}`;
  if (form < 0.03) return pick(dice, ['*', '', 'example.org:443', '/ /', '/\x80', `/${'a'.repeat(17_000)}`]);
  return path + query;
}

function headersOf(dice: Dice, { key, token }: Known): string[] {
  const who = dice();
  const authorization = who < 0.4 ? token : who < 0.75 ? key : who < 0.85 ? 'svc_none' : undefined;
  const odd = times(dice() < 0.5 ? 0 : below(dice, 5), () => `${pick(dice, NAMES)}: ${pick(dice, VALUES)}`);
  return [
    ...(dice() < 0.97 ? ['Host: x'] : []),
    ...(authorization === undefined ? [] : [`Authorization: Bearer ${authorization}`]),
    ...odd,
    ...(dice() < 0.01 ? times(300, () => `X-${below(dice, 1_000)}: 1`) : []),
    ...(dice() < 0.01 ? [`X-Long: ${'x'.repeat(17_000)}`] : []),
  ];
}

/** How long the body is, said rightly most of the time. */
function framing(dice: Dice, body: string): string[] {
  const sort = dice();
  if (body === '') return sort < 0.9 ? [] : ['Content-Length: 3'];
  if (sort < 0.9) return [`Content-Length: ${body.length}`];
  return [
    pick(dice, ['Transfer-Encoding: chunked', 'Content-Length: 1', `Content-Length: ${body.length + 5}`, 'X: y']),
  ];
}

function bodyOf(dice: Dice): string {
  const sort = dice();
  if (sort < 0.1) return garbage(dice);
  if (sort < 0.15) return '['.repeat(1 + below(dice, 5_000));
  if (sort < 0.16) return `{"name":"${'x'.repeat(140_000)}"}`;
  const fields = times(below(dice, 5), () => `"${pick(dice, FIELDS)}":${pick(dice, LEAVES)}`);
  const json = `{${fields.join(',')}}`;
  return sort < 0.25 ? json.slice(0, below(dice, json.length)) : json;
}

function garbage(dice: Dice): string {
  return times(1 + below(dice, 80), () =>
    dice() < 0.3 ? pick(dice, PIECES) : String.fromCharCode(below(dice, 256)),
  ).join('');
}

function mutant(whole: string, dice: Dice): string {
  let text = whole;
  for (let round = below(dice, 3); round >= 0; round--) {
    const start = below(dice, text.length + 1);
    const end = Math.min(text.length, start + below(dice, 6));
    const piece = dice() < 0.5 ? pick(dice, PIECES) : text.slice(start, end).repeat(2);
    text = text.slice(0, start) + (dice() < 0.3 ? '' : piece) + text.slice(dice() < 0.5 ? start : end);
  }
  return text;
}

function filled(text: string, { tap, rule }: Known): string {
  return text.replaceAll('TAP', tap).replaceAll('RULE', rule);
}
