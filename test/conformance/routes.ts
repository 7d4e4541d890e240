import type { FastifyInstance } from 'fastify';

export interface Route {
  readonly method: string;
  /** As it is registered: `/v1/taps/:id`. */
  readonly path: string;
}

/**
 * Every route that the server answers, out of its router: nobody has to remember to add a new one here. HEAD is left out
 * where it comes with GET. Call it when the server is ready.
 */
export function routesOf(server: FastifyInstance): Route[] {
  const routes: Route[] = [];
  const above: string[] = [];
  for (const line of server.printRoutes({ commonPrefix: false }).split('\n')) {
    const found = /^(?<indent>.*?)[├└]── (?<segment>\S+) \((?<methods>[A-Z, ]+)\)$/.exec(line)?.groups;
    if (!found) {
      if (line.trim() !== '') throw new Error(`a line of the router that is not understood: ${line}`);
      continue;
    }
    const { indent = '', segment = '', methods = '' } = found;
    const depth = indent.length / 4;
    above.length = depth;
    const path = above.join('') + segment;
    above[depth] = segment;
    for (const method of methods.split(', ')) if (method !== 'HEAD') routes.push({ method, path });
  }
  return routes;
}
