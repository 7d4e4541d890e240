import { MATCH_CREDITS, STREAM_RETENTION_SECONDS, WATCH_HISTORY } from './limits.ts';

/**
 * The daemon's settings: one table, read by the flag parser, `--help`, the completions, docs/configuration.md and
 * validation. A value comes from the flag, else the environment, else the config file, else the default.
 */
export interface Setting {
  /** `--name`; in the config file the same name in camelCase; in the environment HYDRANT_NAME. */
  readonly name: string;
  readonly type: 'string' | 'path' | 'port' | 'integer' | 'number' | 'seconds' | 'duration' | 'list' | 'choice';
  /** What stands behind the flag in the help: `<dir>`. */
  readonly value: string;
  readonly default: string | number | readonly string[];
  readonly doc: string;
  /** It is shown nowhere, and may stand in a file of its own: HYDRANT_NAME_FILE. */
  readonly isSecret?: boolean;
  readonly choices?: readonly string[];
  /** Of a choice: what the flag alone means. */
  readonly preset?: string;
  /** Of a duration, in seconds. */
  readonly least?: number;
  readonly most?: number;
}

export const settings = [
  {
    name: 'data-dir',
    type: 'path',
    value: '<dir>',
    default: '',
    doc: 'data directory (default: $XDG_DATA_HOME/hydrant, else ~/.local/share/hydrant)',
  },
  {
    name: 'store',
    type: 'string',
    value: '<url>',
    default: '',
    isSecret: true,
    doc: 'PostgreSQL database that several daemons share, as postgres://user:password@host/database, or in a file named by HYDRANT_STORE_FILE; empty: SQLite in the data directory',
  },
  {
    name: 'listen',
    type: 'string',
    value: '<address>',
    default: '127.0.0.1',
    doc: 'address that the public API listens on; host:port sets the port too',
  },
  {
    name: 'port',
    type: 'port',
    value: '<port>',
    default: 7878,
    doc: 'port of the public API; 0 takes a free one',
  },
  {
    name: 'allow-private',
    type: 'list',
    value: '<cidr>',
    default: [],
    doc: 'private network that the crawl may visit, such as 192.168.1.0/24; may be given several times',
  },
  {
    name: 'crawl-concurrency',
    type: 'integer',
    value: '<count>',
    default: 16,
    least: 1,
    most: 256,
    doc: 'pages visited at the same time, over all hosts; up to 128 more may wait for slow hosts',
  },
  {
    name: 'crawl-host-delay',
    type: 'seconds',
    value: '<seconds>',
    default: 1,
    least: 0,
    most: 3_600,
    doc: 'seconds between two requests to one host, which never overlap',
  },
  {
    name: 'crawl-deadline',
    type: 'seconds',
    value: '<seconds>',
    default: 30,
    least: 1,
    most: 600,
    doc: 'seconds that a page may take, from the DNS lookup to its last byte',
  },
  {
    name: 'crawl-contact',
    type: 'string',
    value: '<url>',
    default: '',
    doc: 'contact for site owners: a URL or mail address, sent in the User-Agent',
  },
  {
    name: 'crawl-rate',
    type: 'number',
    value: '<count>',
    default: 5,
    least: 0.001,
    most: 10_000,
    doc: 'pages per second, over all hosts, that revisits are planned for; pages that change often get more of them',
  },
  {
    name: 'crawl-threads',
    type: 'integer',
    value: '<count>',
    default: 0,
    least: 0,
    most: 64,
    doc: 'threads that read and analyze pages; 0 starts as many as memory says: with normal one fewer than there are processors',
  },
  {
    name: 'memory',
    type: 'choice',
    value: '<plan>',
    default: 'normal',
    choices: ['small', 'normal', 'large'],
    doc: 'how much memory is used to save processor time: analysis threads, young generations, cache of the database',
  },
  {
    name: 'crawl-proxy',
    type: 'string',
    value: '<url>',
    default: '',
    doc: 'proxy for the crawl, such as http://user:password@host:port; HTTP_PROXY and its like are ignored',
  },
  {
    name: 'crawl-shared-ips',
    type: 'list',
    value: '<cidr>',
    default: [],
    doc: 'network of a CDN, where many hosts share an address: the limit per address does not apply there; may be given several times',
  },
  {
    name: 'warc-dir',
    type: 'path',
    value: '<dir>',
    default: '',
    doc: 'directory in which everything fetched is archived as WARC files; empty: none',
  },
  {
    name: 'render-browser',
    type: 'path',
    value: '<file>',
    default: '',
    doc: 'Chromium that renders pages for watches that ask for it; empty: the first one found in the usual places',
  },
  {
    name: 'render-endpoint',
    type: 'string',
    value: '<url>',
    default: '',
    doc: 'browser elsewhere to use instead, as http://host:9222 or ws://host:3000; weaker protected, see rendering.md',
  },
  {
    name: 'render-proxy',
    type: 'string',
    value: '<address>',
    default: '127.0.0.1',
    doc: 'address on which the proxy of rendered pages listens; only the browser of render-endpoint needs another one',
  },
  {
    name: 'render-pages',
    type: 'integer',
    value: '<count>',
    default: 1,
    least: 1,
    most: 16,
    doc: 'pages rendered at the same time; each takes a processor and about 100 MB',
  },
  {
    name: 'render-sandbox',
    type: 'choice',
    value: '<mode>',
    default: 'on',
    choices: ['on', 'off'],
    doc: 'sandbox of the browser; off only where a container does not allow one and is itself the boundary',
  },
  {
    name: 'trusted-proxies',
    type: 'list',
    value: '<cidr>',
    default: [],
    doc: 'network of a reverse proxy whose X-Forwarded-For is trusted, such as 10.0.0.0/8; may be given several times',
  },
  {
    name: 'cors-origins',
    type: 'list',
    value: '<origin>',
    default: [],
    doc: 'origin whose pages may call the API from a browser, such as https://app.example.org, or * for any; may be given several times',
  },
  {
    name: 'tls-cert',
    type: 'path',
    value: '<file>',
    default: '',
    doc: 'certificate chain in PEM form, for HTTPS on the public API; read at the start',
  },
  {
    name: 'tls-key',
    type: 'path',
    value: '<file>',
    default: '',
    doc: 'private key of that certificate in PEM form',
  },
  {
    name: 'ui',
    type: 'choice',
    value: '[mode]',
    default: 'off',
    choices: ['off', 'on'],
    preset: 'on',
    doc: 'serve a web page to look at under /ui of the public address; hydrant ui prints the link to sign in',
  },
  {
    name: 'max-connections',
    type: 'integer',
    value: '<count>',
    default: 20_000,
    least: 16,
    most: 1_000_000,
    doc: 'most connections to the public API at the same time, including streams; beyond it, an idle connection is closed',
  },
  {
    name: 'public-validate-rate',
    type: 'integer',
    value: '<count>',
    default: 30,
    least: 0,
    most: 1_000_000,
    doc: 'requests per minute that one address may make to /v1/validate/public',
  },
  {
    name: 'compat-legacy-match-payload',
    type: 'choice',
    value: '<mode>',
    default: 'off',
    choices: ['off', 'on'],
    doc: 'for older clients: matches also have query_id and document.markdown (the page), and taps have no status',
  },
  {
    name: 'match-price',
    type: 'number',
    value: '<credits>',
    default: 0.005,
    least: 0,
    most: MATCH_CREDITS,
    doc: 'credits charged for the first delivery of a match, in steps of 0.001; 0 makes matches free',
  },
  {
    name: 'stream-retention',
    type: 'duration',
    value: '<time>',
    default: '24h',
    ...STREAM_RETENTION_SECONDS,
    doc: 'how long matches are kept for replay, such as 7d, up to 90d, as far as log-bytes allows',
  },
  {
    name: 'log-bytes',
    type: 'integer',
    value: '<bytes>',
    default: 2 * 1_024 * 1_024 * 1_024,
    least: 1_024 * 1_024,
    most: Number.MAX_SAFE_INTEGER,
    doc: 'bytes of matches kept for replay, over all taps; beyond it, the oldest are deleted before stream-retention is over',
  },
  {
    name: 'recent-bytes',
    type: 'integer',
    value: '<bytes>',
    default: 256 * 1_024 * 1_024,
    least: 0,
    most: Number.MAX_SAFE_INTEGER,
    doc: 'bytes of changes kept for hydrant rule try, for 24 hours; the oldest are deleted first; 0 keeps none',
  },
  {
    name: 'watch-history',
    type: 'integer',
    value: '<checks>',
    default: WATCH_HISTORY,
    least: 1,
    most: 1_000_000,
    doc: 'checks kept of each watched URL; the oldest are deleted first, but never the latest text',
  },
  {
    name: 'metrics-listen',
    type: 'string',
    value: '<address>',
    default: '',
    doc: 'host:port of a listener for Prometheus (/metrics, no key needed); empty: none',
  },
  {
    name: 'log-level',
    type: 'choice',
    value: '<level>',
    default: 'info',
    choices: ['debug', 'info', 'warn', 'error'],
    doc: 'least severe level that is logged',
  },
  {
    name: 'log-format',
    type: 'choice',
    value: '<form>',
    default: 'auto',
    choices: ['auto', 'pretty', 'json'],
    doc: 'format of the log on stderr; auto is pretty on a terminal, else JSON',
  },
  {
    name: 'log-file',
    type: 'path',
    value: '<file>',
    default: '',
    doc: 'file to which the log is also written, as JSON, for hydrant logs; empty: none',
  },
  {
    name: 'log-file-bytes',
    type: 'integer',
    value: '<bytes>',
    default: 10 * 1_024 * 1_024,
    least: 64 * 1_024,
    most: 1_024 * 1_024 * 1_024,
    doc: 'size in bytes at which the log file is rotated; four older files are kept',
  },
] as const satisfies readonly Setting[];

export type SettingName = (typeof settings)[number]['name'];

/** `data-dir` → `HYDRANT_DATA_DIR`. */
export function environmentName(name: string): string {
  return `HYDRANT_${name.replaceAll('-', '_').toUpperCase()}`;
}

/** `data-dir` → `dataDir`, as in the config file. */
export function configName(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Seconds of a duration as a setting has it: `90s`, `30m`, `24h`, `7d`, or a bare number of seconds. Undefined where it is none. */
export function durationSeconds(text: string): number | undefined {
  const [, count = '', unit = 's'] = /^(\d{1,9})\s*([smhd])?$/.exec(text.trim()) ?? [];
  return count === '' ? undefined : Number(count) * (UNIT_SECONDS[unit] ?? 1);
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
