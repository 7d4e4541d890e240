import { MATCH_CREDITS, WATCH_HISTORY } from './limits.ts';

/**
 * The daemon's settings: one table, read by the flag parser, `--help`, the completions, docs/configuration.md and
 * validation. A value comes from the flag, else the environment, else the config file, else the default.
 */
export interface Setting {
  /** `--name`; in the config file the same name in camelCase; in the environment HYDRANT_NAME. */
  readonly name: string;
  readonly type: 'string' | 'path' | 'port' | 'integer' | 'number' | 'seconds' | 'list' | 'choice';
  /** What stands behind the flag in the help: `<dir>`. */
  readonly value: string;
  readonly default: string | number | readonly string[];
  readonly doc: string;
  readonly choices?: readonly string[];
  readonly least?: number;
  readonly most?: number;
}

export const settings = [
  {
    name: 'data-dir',
    type: 'path',
    value: '<dir>',
    default: '',
    doc: 'where everything is kept (default: $XDG_DATA_HOME/hydrant, else ~/.local/share/hydrant)',
  },
  {
    name: 'listen',
    type: 'string',
    value: '<address>',
    default: '127.0.0.1',
    doc: 'address of the public API; host:port sets the port too',
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
    doc: 'private network the crawl may reach, as 192.168.1.0/24; may be given several times',
  },
  {
    name: 'crawl-concurrency',
    type: 'integer',
    value: '<count>',
    default: 16,
    least: 1,
    most: 256,
    doc: 'pages under way at the same time, over all hosts; up to 128 more may wait for a host that keeps them waiting',
  },
  {
    name: 'crawl-host-delay',
    type: 'seconds',
    value: '<seconds>',
    default: 1,
    least: 0,
    most: 3_600,
    doc: 'seconds between two requests to one host; never two at the same time',
  },
  {
    name: 'crawl-deadline',
    type: 'seconds',
    value: '<seconds>',
    default: 30,
    least: 1,
    most: 600,
    doc: 'seconds one page may take, from the look-up of its host to its last byte',
  },
  {
    name: 'crawl-contact',
    type: 'string',
    value: '<url>',
    default: '',
    doc: 'where a site owner finds you: a URL or mail address, sent in the User-Agent',
  },
  {
    name: 'crawl-rate',
    type: 'number',
    value: '<count>',
    default: 5,
    least: 0.001,
    most: 10_000,
    doc: 'pages a second, over all hosts, that revisits are planned for; what changes more often gets more of them',
  },
  {
    name: 'crawl-threads',
    type: 'integer',
    value: '<count>',
    default: 0,
    least: 0,
    most: 64,
    doc: 'threads that read and judge pages; 0 takes one for each processor but one',
  },
  {
    name: 'crawl-proxy',
    type: 'string',
    value: '<url>',
    default: '',
    doc: 'proxy the crawl goes through, as http://user:password@host:port; the usual variables are not looked at',
  },
  {
    name: 'crawl-shared-ips',
    type: 'list',
    value: '<cidr>',
    default: [],
    doc: 'network of a CDN, where many hosts share an address: no limit of requests an address there; may be given several times',
  },
  {
    name: 'warc-dir',
    type: 'path',
    value: '<dir>',
    default: '',
    doc: 'where everything that is fetched is kept as WARC files; empty keeps none',
  },
  {
    name: 'trusted-proxies',
    type: 'list',
    value: '<cidr>',
    default: [],
    doc: 'network of a reverse proxy whose X-Forwarded-For is believed, as 10.0.0.0/8; may be given several times',
  },
  {
    name: 'cors-origins',
    type: 'list',
    value: '<origin>',
    default: [],
    doc: 'origin whose pages may call the API from a browser, as https://app.example.org, or * for any; may be given several times',
  },
  {
    name: 'tls-cert',
    type: 'path',
    value: '<file>',
    default: '',
    doc: 'certificate chain in PEM form, with which the public API speaks HTTPS; read at the start',
  },
  {
    name: 'tls-key',
    type: 'path',
    value: '<file>',
    default: '',
    doc: 'private key of that certificate in PEM form',
  },
  {
    name: 'max-connections',
    type: 'integer',
    value: '<count>',
    default: 20_000,
    least: 16,
    most: 1_000_000,
    doc: 'connections to the public API at the same time, streams included; beyond it, one goes that waits for nothing',
  },
  {
    name: 'public-validate-rate',
    type: 'integer',
    value: '<count>',
    default: 30,
    least: 0,
    most: 1_000_000,
    doc: 'requests a minute that one address may make to /v1/validate/public',
  },
  {
    name: 'compat-legacy-match-payload',
    type: 'choice',
    value: '<mode>',
    default: 'off',
    choices: ['off', 'on'],
    doc: 'whether matches also carry query_id and document.markdown, the page, and taps leave status out, for older clients',
  },
  {
    name: 'match-price',
    type: 'number',
    value: '<credits>',
    default: 0.005,
    least: 0,
    most: MATCH_CREDITS,
    doc: 'credits that a match costs when it is first delivered, in thousandths; 0 makes matches free',
  },
  {
    name: 'log-bytes',
    type: 'integer',
    value: '<bytes>',
    default: 2 * 1_024 * 1_024 * 1_024,
    least: 1_024 * 1_024,
    most: Number.MAX_SAFE_INTEGER,
    doc: 'bytes of events kept for replay, over all taps; the oldest go first, and none is kept for more than about 24 hours',
  },
  {
    name: 'recent-bytes',
    type: 'integer',
    value: '<bytes>',
    default: 256 * 1_024 * 1_024,
    least: 0,
    most: Number.MAX_SAFE_INTEGER,
    doc: 'bytes of changes kept for hydrant rule try, for 24 hours; the oldest go first, and 0 keeps none',
  },
  {
    name: 'watch-history',
    type: 'integer',
    value: '<checks>',
    default: WATCH_HISTORY,
    least: 1,
    most: 1_000_000,
    doc: 'checks kept of each watched URL; the oldest go first, and the latest text always stays',
  },
  {
    name: 'metrics-listen',
    type: 'string',
    value: '<address>',
    default: '',
    doc: 'host:port at which Prometheus finds /metrics, without a key; empty opens none',
  },
  {
    name: 'log-level',
    type: 'choice',
    value: '<level>',
    default: 'info',
    choices: ['debug', 'info', 'warn', 'error'],
    doc: 'least severe line that is logged',
  },
  {
    name: 'log-format',
    type: 'choice',
    value: '<form>',
    default: 'auto',
    choices: ['auto', 'pretty', 'json'],
    doc: 'form of the log on stderr; auto is pretty on a terminal',
  },
  {
    name: 'log-file',
    type: 'path',
    value: '<file>',
    default: '',
    doc: 'file that the log goes to as well, as JSON, for hydrant logs; empty keeps none',
  },
  {
    name: 'log-file-bytes',
    type: 'integer',
    value: '<bytes>',
    default: 10 * 1_024 * 1_024,
    least: 64 * 1_024,
    most: 1_024 * 1_024 * 1_024,
    doc: 'bytes of that file before it moves aside; four former ones are kept',
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
