/** One server of a connection string, and how it is named to people: without user and password. */
export interface Endpoint {
  readonly connectionString: string;
  readonly name: string;
}

/** Servers of one string: a primary and its replicas are two to five. */
const MOST_SERVERS = 16;

/**
 * The servers of `postgres://user:password@one:5432,two:5432/database?option=value`, in their order. `pg` knows one server a
 * string, and `URL` refuses a list.
 * @throws {TypeError} for what is no such string; the message does not repeat it, since it may hold a password
 */
export function endpointsOf(url: string): readonly [Endpoint, ...Endpoint[]] {
  const parts = /^(postgres(?:ql)?:\/\/)((?:[^@/?#]*@)?)([^/?#]*)(\/[^#]*|\?[^#]*)?$/.exec(url);
  if (!parts) throw new TypeError('is not of the form postgres://user:password@host:port/database');
  const [, scheme = '', login = '', list = '', rest = ''] = parts;
  const servers = list.split(',');
  if (servers.length > MOST_SERVERS)
    throw new TypeError(`names ${servers.length} servers; at most ${MOST_SERVERS} can be tried`);
  const [first, ...others] = servers.map((server): Endpoint => {
    const connectionString = `${scheme}${login}${server}${rest}`;
    if (!isServer(server)) throw new TypeError(`has a server that is no host[:port]: ${server}`);
    return { connectionString, name: server === '' ? 'the local socket' : server };
  });
  if (!first) throw new TypeError('names no server');
  return [first, ...others];
}

/** Empty where `?host=/run/postgresql` says it. */
function isServer(server: string): boolean {
  return server === '' || URL.canParse(`http://${server}/`);
}
