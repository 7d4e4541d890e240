import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type PlanTable, readPlans } from './accounts/plans.ts';
import { StartFailure } from './start-failure.ts';
import { defaultConfigFile, defaultDataDir } from '../shared/directories.ts';
import { configName, durationSeconds, environmentName, type Setting, settings } from '../shared/settings.ts';

/** The daemon's settings, resolved: flag, else environment, else config file, else default. */
export interface DaemonSettings {
  readonly dataDir: string;
  /** Of a PostgreSQL database, with its password; empty: SQLite in the data directory. */
  readonly store: string;
  readonly listen: string;
  readonly port: number;
  readonly allowPrivate: readonly string[];
  readonly crawlConcurrency: number;
  readonly crawlHostDelay: number;
  readonly crawlDeadline: number;
  readonly crawlContact: string;
  readonly crawlRate: number;
  readonly crawlThreads: number;
  readonly memory: 'small' | 'normal' | 'large';
  readonly crawlProxy: string;
  readonly crawlSharedIps: readonly string[];
  readonly warcDir: string;
  readonly renderBrowser: string;
  readonly renderEndpoint: string;
  readonly renderProxy: string;
  readonly renderPages: number;
  readonly renderSandbox: 'on' | 'off';
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  readonly tlsCert: string;
  readonly tlsKey: string;
  readonly ui: 'off' | 'on';
  /** As wanted; the process may be allowed fewer. */
  readonly maxConnections: number;
  readonly publicValidateRate: number;
  readonly compatLegacyMatchPayload: 'off' | 'on';
  /** Credits. */
  readonly matchPrice: number;
  /** Seconds. */
  readonly streamRetention: number;
  readonly logBytes: number;
  readonly recentBytes: number;
  /** Checks of a watch. */
  readonly watchHistory: number;
  readonly metricsListen: string;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  readonly logFormat: 'auto' | 'pretty' | 'json';
  /** An absolute path, or empty. */
  readonly logFile: string;
  readonly logFileBytes: number;
  /** In the config file only: a table makes no flag. */
  readonly plans: PlanTable;
}

type Values = Readonly<Record<string, unknown>>;
type Environment = Readonly<Record<string, string | undefined>>;

/** Flags come by their camelCase name, as typed. Throws StartFailure with the place, the value and what is allowed. */
export async function resolveSettings(flags: Values, environment: Environment): Promise<DaemonSettings> {
  const file = await readConfig(flags['config'], environment);
  const values: Record<string, unknown> = {};
  const given = await withSecretFiles(environment);
  for (const setting of settings) values[configName(setting.name)] = valueOf(setting, flags, given, file);
  values[PLANS] = readPlans(file.values[PLANS] ?? {}, `${file.path}: ${PLANS}`);
  const resolved = values as unknown as DaemonSettings;
  return withListen(resolved, dataDir(resolved.dataDir, environment));
}

const PLANS = 'plans';

/** With the secrets that stand in files, as they are handed to containers and units. */
async function withSecretFiles(environment: Environment): Promise<Environment> {
  const secrets = settings.filter((setting: Setting) => setting.isSecret === true);
  const read: Record<string, string> = {};
  for (const variable of secrets.map(({ name }) => environmentName(name))) {
    const path = environment[`${variable}_FILE`] ?? '';
    if (path === '') continue;
    if ((environment[variable] ?? '') !== '') throw wrong(`${variable} and ${variable}_FILE are both set; keep one`);
    read[variable] = (await readSetting(path, `${variable}_FILE`)).trim();
    if (read[variable] === '') throw wrong(`${variable}_FILE: ${path} is empty`);
  }
  return { ...environment, ...read };
}

async function readSetting(path: string, variable: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw wrong(`${variable}: ${path} cannot be read: ${error.code ?? error.message}`);
  });
}

interface ConfigFile {
  readonly path: string;
  readonly values: Values;
}

async function readConfig(flag: unknown, environment: Environment): Promise<ConfigFile> {
  const named = typeof flag === 'string' ? flag : environment['HYDRANT_CONFIG'];
  const path = named ?? defaultConfigFile(environment, 'hydrantd.json');
  if (path === undefined) return { path: '', values: {} };
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && named === undefined) return '{}';
    throw wrong(`config file ${path} cannot be read: ${error.code ?? error.message}`);
  });
  return { path, values: parseConfig(path, text) };
}

function parseConfig(path: string, text: string): Values {
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch (error) {
    throw wrong(`config file ${path} is not JSON: ${(error as Error).message}`);
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw wrong(`config file ${path} must hold one JSON object of settings`);
  }
  const known = new Set([...settings.map((setting) => configName(setting.name)), PLANS]);
  for (const name of Object.keys(values)) {
    if (!known.has(name))
      throw wrong(`config file ${path}: unknown setting ${shown(name)}; known are ${[...known].join(', ')}`);
  }
  return values as Values;
}

function valueOf(setting: Setting, flags: Values, environment: Environment, file: ConfigFile): unknown {
  const name = configName(setting.name);
  const variable = environmentName(setting.name);
  if (flags[name] !== undefined) return parse(setting, flags[name], `--${setting.name}`);
  const set = environment[variable];
  if (set !== undefined && set !== '') return parse(setting, fromEnvironment(setting, set), variable);
  if (file.values[name] !== undefined) return parse(setting, file.values[name], `${file.path}: ${name}`);
  return setting.type === 'duration' ? parse(setting, setting.default, variable) : setting.default;
}

function fromEnvironment(setting: Setting, text: string): unknown {
  return setting.type === 'list' ? text.split(',').map((part) => part.trim()) : text;
}

/** The value in its type. Text is read as the number it spells: flags and the environment know nothing else. */
function parse(setting: Setting, value: unknown, place: string): unknown {
  switch (setting.type) {
    case 'list':
      return list(value, place);
    case 'choice':
      return choice(value, place, setting.choices ?? []);
    case 'port':
      return number(value, { place, least: 0, most: 65_535, whole: true });
    case 'integer':
    case 'number':
    case 'seconds':
      return within(value, place, setting);
    case 'duration':
      return duration(value, place, setting);
    case 'string':
    case 'path':
      return setting.isSecret === true ? plainSecret(value, place) : plain(value, place);
  }
}

function list(value: unknown, place: string): readonly string[] {
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) {
    for (const part of value) plain(part, place);
    return value;
  }
  throw wrong(`${place}: expected a list of texts`);
}

function choice(value: unknown, place: string, choices: readonly string[]): string {
  if (typeof value === 'string' && choices.includes(value)) return value;
  throw wrong(`${place}: ${shown(value)} is not one of ${choices.join(', ')}`);
}

/** Settings end up in headers and log lines: a line break in one would begin a line of its own. */
function plain(value: unknown, place: string): string {
  const isControl = (unit: number): boolean => unit < 0x20 || unit === 0x7f;
  if (typeof value === 'string' && !Buffer.from(value).some(isControl)) return value;
  throw wrong(`${place}: ${shown(value)} is not a plain text`);
}

function plainSecret(value: unknown, place: string): string {
  try {
    return plain(value, place);
  } catch {
    throw wrong(`${place}: what is given is not a plain text`);
  }
}

function within(value: unknown, place: string, { type, least = 0, most = Number.MAX_SAFE_INTEGER }: Setting): number {
  return number(value, { place, least, most, whole: type === 'integer' });
}

function number(value: unknown, allowed: { place: string; least: number; most: number; whole: boolean }): number {
  const { place, least, most, whole } = allowed;
  const isNumeral = typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value));
  const parsed = isNumeral ? Number(value) : Number.NaN;
  if (parsed >= least && parsed <= most && (!whole || Number.isInteger(parsed))) return parsed;
  throw wrong(`${place}: ${shown(value)} is not a ${whole ? 'whole ' : ''}number from ${least} to ${most}`);
}

function duration(value: unknown, place: string, { least = 0, most = 0 }: Setting): number {
  const isText = typeof value === 'string' || typeof value === 'number';
  const seconds = isText ? durationSeconds(String(value)) : undefined;
  if (seconds !== undefined && seconds >= least && seconds <= most) return seconds;
  const example = `such as ${least / 3_600}h, 7d or ${most / 86_400}d`;
  throw wrong(
    `${place}: ${shown(value)} is not a time from ${least / 3_600} hours to ${most / 86_400} days, ${example}`,
  );
}

function dataDir(value: string, environment: Environment): string {
  const directory = value === '' ? defaultDataDir(environment) : value;
  if (directory === undefined) throw wrong('no data directory: HOME is not set; give one with --data-dir');
  return resolve(directory);
}

/** `--listen host:port` sets both; a bare IPv6 address has colons of its own and needs brackets for a port. */
function withListen(resolved: DaemonSettings, directory: string): DaemonSettings {
  const found = /^(?:\[(.+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(resolved.listen);
  const host = found?.[1] ?? found?.[2] ?? resolved.listen;
  // An empty host is every address of the machine to Node: the whole network, for a variable that was not set.
  if (host.trim() === '') throw wrong(`--listen: ${shown(host)} is not an address; 127.0.0.1 is this machine alone`);
  const port = found?.[3] === undefined ? resolved.port : Number(found[3]);
  if (port > 65_535) throw wrong(`--listen: ${port} is not a port`);
  const logFile = resolved.logFile === '' ? '' : resolve(resolved.logFile);
  return { ...resolved, dataDir: directory, listen: host, port, logFile };
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH)}…`;
}

const SHOWN_LENGTH = 100;

function wrong(message: string): StartFailure {
  return new StartFailure('configuration', message);
}
