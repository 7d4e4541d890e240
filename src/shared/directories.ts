/** Where both programs keep what is theirs, by the XDG base directories. */
type Environment = Readonly<Record<string, string | undefined>>;

/** The XDG data directory, for both programs; undefined where neither it nor a home is known. */
export function defaultDataDir(environment: Environment): string | undefined {
  return placeOf(environment, 'XDG_DATA_HOME', '.local/share');
}

/** `$XDG_CONFIG_HOME/hydrant/<file>`, else `~/.config/hydrant/<file>`. */
export function defaultConfigFile(environment: Environment, file: string): string | undefined {
  const directory = placeOf(environment, 'XDG_CONFIG_HOME', '.config');
  return directory === undefined ? undefined : `${directory}/${file}`;
}

/** `$XDG_STATE_HOME/hydrant`, else `~/.local/state/hydrant`: what the command line remembers between two runs. */
export function defaultStateDir(environment: Environment): string | undefined {
  return placeOf(environment, 'XDG_STATE_HOME', '.local/state');
}

/** https://specifications.freedesktop.org/basedir-spec: a relative path in a variable counts as none. */
function placeOf(environment: Environment, variable: string, inHome: string): string | undefined {
  const base = environment[variable];
  if (base?.startsWith('/')) return `${base}/hydrant`;
  const home = environment['HOME'] ?? environment['USERPROFILE'];
  return home === undefined || home === '' ? undefined : `${home}/${inHome}/hydrant`;
}
