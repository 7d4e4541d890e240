import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ChangingSite } from './changing-site.ts';
import { RealDaemon } from './real-daemon.ts';

/**
 * What people type when they are wrong: each gets one sentence, the next step and the exit code of docs/exit-codes.md. `URL` is
 * the origin of a site on loopback, `DIR` a directory with a file that is no configuration.
 */
type Row = readonly [words: string, exitCode: number, error: RegExp, next: RegExp];

const ROWS: readonly Row[] = [
  // A verb elsewhere, a word of another program, a slip of the hand.
  ['list', 2, /^unknown command 'list'$/, /^did you mean watch list, crawl list, tap list or rule list\?$/],
  ['watch new URL/b', 2, /^unknown command 'new'$/, /^did you mean add\?$/],
  ['watch import urls.txt', 2, /^unknown command 'import'$/, /^(?:did you mean|see: hydrant watch --help)/],
  ['service start-now', 2, /^unknown command 'start-now'$/, /^see: hydrant service --help$/],
  ['tpa list', 2, /^unknown command 'tpa'$/, /^did you mean tap\?$/],
  ['tap list --quite', 2, /^unknown option '--quite'$/, /^did you mean --quiet\?$/],
  ['serve --prot 1', 2, /^unknown option '--prot'$/, /^did you mean --port\?$/],
  ['status --nope', 2, /^unknown option '--nope'$/, /^see: hydrant status --help$/],
  ['status extra', 2, /^too many arguments for 'status'/, /^see: hydrant status --help$/],
  ['help nope', 2, /^there is no command `nope`$/, /^see: hydrant --help$/],
  ['completion tcsh', 2, /Allowed choices are bash, zsh, fish\.$/, /^see: hydrant completion --help$/],
  // Something is missing.
  ['watch add', 2, /^there is no URL to watch$/, /^try: {2}hydrant watch add https:\/\/example\.org\/ --every 6h$/],
  ['match ferry', 2, /^the document is missing$/, /^try: {2}hydrant match QUERY page\.json$/],
  ['extract', 2, /^the page is missing$/, /^try: {2}hydrant extract https:\/\/example\.org\/$/],
  ['diff DIR/bad.yaml', 2, /^missing required argument 'new'$/, /^see: hydrant diff --help$/],
  ['key create', 2, /^missing required argument 'name'$/, /^see: hydrant key create --help$/],
  ['watch edit URL/a', 2, /^nothing to change: give --every/, /--no-select and the like reset an option/],
  // What is named is not there.
  ['tap show nope', 5, /^there is no tap `nope`$/, /^known: .*news \(/],
  ['rule add nope ferry', 5, /^there is no tap `nope`$/, /^known: .*news \(/],
  ['rule remove nope', 5, /^there is no rule `nope`$/, /^known: f \(/],
  ['watch diff nope', 5, /^there is no watch `nope`$/, /^known: .*\/a \(/],
  ['watch diff URL/a 99', 5, /^there is no check 99, or it is no longer kept$/, /^try: {2}hydrant watch log /],
  ['watch diff URL/a', 5, /has not changed since the watch was added/, /^try: {2}hydrant watch log /],
  ['crawl remove nope', 5, /^there is no source `nope`$/, /^known: /],
  ['crawl visit URL/never', 5, /^no source contains /, /^why: hydrant crawl why .*\n.*try: {2}hydrant crawl add /],
  ['tail nope', 5, /^there is no tap `nope`$/, /^known: /],
  ['saved show nope', 5, /^there is no saved match `nope`$/, /^there is none at all$/],
  ['status --org nope', 5, /^There is no such organization; known: home\.$/, /home/],
  ['context use nope', 5, /^there is no context `nope`$/, /hydrant context add <name> <url>$/],
  ['status --context nope', 5, /^there is no context `nope`$/, /hydrant context add <name> <url>$/],
  // It is there already, or has no room.
  ['tap create news', 6, /^there is a tap news already/, /hydrant tap show news; or choose another name$/],
  ['watch add http://10.0.0.1/', 6, /^10\.0\.0\.1 is not a public address/, /--allow-private 10\.0\.0\.0\/8/],
  [
    'watch add URL/a --select h1',
    6,
    /is watched already, without --select h1/,
    /^next: hydrant watch edit \w+ --select h1$/,
  ],
  // A value that cannot be meant.
  ['watch add notaurl', 2, /^`notaurl` is not a URL/, /^a URL begins with https:\/\/ or http:\/\/$/],
  ['watch add ftp://example.org/', 2, /^`ftp:\/\/example\.org\/` is not a URL/, /^a URL begins with https/],
  ['watch add example.org', 2, /^`example\.org` is not a URL/, /^did you mean https:\/\/example\.org\?$/],
  ['watch add URL/c --every 5', 2, /Its unit is missing: it must be one of 5m, /, /^see: hydrant watch add --help$/],
  ['watch add URL/c --every 7m', 2, /The nearest is 5m; it must be one of/, /^see: hydrant watch add --help$/],
  ['crawl add URL/c --every 5', 2, /Its unit is missing: 5s, 5m or 5h\.$/, /^see: hydrant crawl add --help$/],
  ['watch add URL/c --select p:::x', 2, /^--select `p:::x`: "::", at character 2/, /leave it out\.$/],
  ['watch add URL/c --ignore /(/', 2, /^--ignore `\/\(\/`: .* at character 2/, /missing closing \)/],
  ['watch diff URL/a x', 2, /^`x` is neither the number of a check nor a range/, /^try: {2}hydrant watch log /],
  ['watch follow --once --format {titel}', 2, /a change has no field `titel`$/, /^fields: .*title, /],
  ['tail news --since 3y', 2, /It must be a time up to 90d, such as 5m, 24h, 7d\.$/, /^see: hydrant tail --help$/],
  ['tail news --fields idd', 2, /^--fields: a match has no field `idd`$/, /^fields: id, /],
  ['digest --format pdf', 2, /Allowed choices are md, html, text, json\.$/, /^see: hydrant digest --help$/],
  ['tap list --jq .[', 2, /^--jq: syntax error/, /^\.\[\n +\^\n +docs: https:\/\/jqlang\.org\/manual\/$/],
  ['tap list --template {id', 2, /^--template: `\{` stands alone$/, /^write a literal brace as `\{\{`$/],
  ['serve --port 99999', 2, /It must be a whole number from 0 to 65535\.$/, /^see: hydrant serve --help$/],
  ['context add x ssh://', 2, /^`ssh:\/\/` is not the address of a machine/, /it looks like ssh:\/\/me@/],
  // Where messages are sent to.
  ['ntfy add phone', 2, /^unknown command 'ntfy'$/, /^did you mean notify\?$/],
  ['notify new phone', 2, /^unknown command 'new'$/, /^did you mean add\?$/],
  ['notify add phone ntfi x', 2, /^there is no kind `ntfi` of sinks$/, /^did you mean ntfy\?$/],
  [
    'notify add phone ntfy',
    2,
    /^ntfy needs its topic: /,
    /^give the address of a topic, .* all fields: hydrant notify kinds ntfy$/,
  ],
  [
    'notify add phone ntfy x --token tk_1',
    2,
    /^the token of ntfy is a secret/,
    /^--token @FILE reads it from a file, --token - /,
  ],
  [
    'notify add team slack https://hooks.slack.com/x',
    2,
    /^the url of slack is a secret/,
    /^--option url=@FILE reads it/,
  ],
  ['notify add team slack @DIR/nope', 2, /^cannot read .*nope: no such file/, /ENOENT/],
  ['notify add phone ntfy x --smtp a.b', 2, /^ntfy has no field `host`$/, /^its fields: url \(/],
  ['notify add phone ntfy x --zone berlin', 2, /^--zone must be an IANA time zone/, /^did you mean Europe\/Berlin\?$/],
  ['notify add phone ntfy x --quiet-hours 22-7', 2, /^--quiet-hours must be a window such as 22:00-07:00/, /22:00/],
  ['notify add phone ntfy x --quiet 22:00-07:00', 2, /^--quiet prints ids only/, /--quiet-hours 22:00-07:00$/],
  ['notify add phone ntfy x --query titel:a', 1, /^--query: There is no field titel\./, /^titel:a\n +\^{5}/],
  ['notify add phone ntfy x --query ferry+NOT+$junk', 1, /junk/, /^ferry NOT \$junk\n +\^{5}/],
  ['notify add ntfy my-topic', 2, /^the name is missing/, /^try: {2}hydrant notify add my-ntfy ntfy/],
  ['notify add phone ntfy x --taps nope', 5, /^There is no such tap; known: news, jobs\.$/, /known/],
  ['notify add phone ntfy http://127.0.0.1/a+b', 6, /^topic must be/, /^fields of ntfy: url \(/],
  ['notify show nope', 5, /^there is no sink `nope`$/, /^there is none at all$/],
  ['notify replay nope', 2, /^what is to be sent again is missing$/, /^--since 2h .* --parked /],
  // A query that is none: where, and what to write.
  [
    'rule add news titel:ferry',
    1,
    /^There is no field titel\. Did you mean title\?/,
    /^titel:ferry\n +\^{5}\n[^]*try: {2}hydrant rule add news title:ferry( |$)/,
  ],
  [
    'rule add news vulnerab*',
    1,
    /^A wildcard works in url and domain only/,
    /vulnerability[^]*try: {2}hydrant rule add news '\(/,
  ],
  ['rule try ferry+AND', 1, /^AND has nothing after it/, /^ferry AND\n +\^{3}\n +Leave it out\./],
  ['watch add URL/c --trigger price:3', 1, /^There is no field price\. Fields are /, /^price:3\n +\^{5}/],
  // A file, or a daemon, that is not there.
  ['extract /nope.html', 2, /^\/nope\.html: no such file or directory \(ENOENT\)$/, /ENOENT/],
  ['apply DIR/bad.yaml', 2, /bad\.yaml:3:1: /, /must be sufficiently indented/],
  ['backup /nope/dir/x.tar', 1, /^\/nope\/dir: no such file or directory \(ENOENT\)$/, /ENOENT/],
  [
    'status --data-dir /nope',
    3,
    /^no daemon is running in \/nope$/,
    /^start one with: hydrant serve --data-dir \/nope$/,
  ],
  [
    'status --url http://127.0.0.1:1',
    2,
    /^a key is needed for http:\/\/127\.0\.0\.1:1$/,
    /^set HYDRANT_KEY, or give --key-file/,
  ],
];

let daemon: RealDaemon;
let site: ChangingSite;
let directory: string;

beforeAll(async () => {
  site = await ChangingSite.start(1, 93);
  daemon = await RealDaemon.start();
  directory = mkdtempSync(join(tmpdir(), 'hydrant-wrong-'));
  writeFileSync(join(directory, 'bad.yaml'), 'rules:\n  - value: [\n');
  for (const words of [
    'tap create news',
    'tap create jobs',
    'rule add news ferry --tag f',
    'crawl add URL/',
    'watch add URL/a --wait',
  ]) {
    await daemon.hydrant(wordsOf(words));
  }
});
afterAll(async () => {
  site.close();
  await daemon.dispose();
  rmSync(directory, { recursive: true, force: true });
});

/** A plus stands for a space within a word. */
function wordsOf(text: string): string[] {
  return text.split(' ').map((word) => word.replace('URL', origin()).replace('DIR', directory).replaceAll('+', ' '));
}

function origin(): string {
  return new URL(site.urls[0] ?? '').origin;
}

test(`${ROWS.length} wrong invocations each get a sentence, the next step and the right exit code`, async () => {
  const faults: string[] = [];
  const check = async ([text, exitCode, error, next]: Row): Promise<void> => {
    const words = wordsOf(text);
    const isElsewhere = ['--data-dir', '--url', '--context', 'serve'].some((word) => words.includes(word));
    const ended = await (isElsewhere ? daemon.runElsewhere(words, { HOME: directory }) : daemon.run('hydrant', words));
    const said = ended.stderr.trim();
    const [sentence = '', ...more] = said.replace(/^error: /, '').split('\n');
    const rest = more.join('\n').trim();
    const isRight = ended.exitCode === exitCode && error.test(sentence) && next.test(rest === '' ? sentence : rest);
    if (!isRight || /^ +at /m.test(said)) faults.push(`hydrant ${text} → ${ended.exitCode}\n${said}`);
  };
  // Two at once, as there are two processors: a run takes a third of a second.
  const rows = ROWS.values();
  const worker = async (): Promise<void> => {
    for (const row of rows) await check(row);
  };
  await Promise.all([worker(), worker()]);
  expect(faults).toEqual([]);
  expect(ROWS.length).toBeGreaterThanOrEqual(50);
}, 180_000);
