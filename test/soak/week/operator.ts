import { request } from 'node:http';
import { ORGANIZATION_HEADER } from '../../../src/shared/daemon-notice.ts';

export interface Asked {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** The organization that it is about; absent: the only one. */
  readonly organization?: string;
  readonly token?: string;
}

/** A call on the operator's socket, on a connection of its own. @throws {Error} for what is refused. */
export function operate<Body>(socketPath: string, asked: Asked): Promise<Body> {
  const { method, path, body, organization, token } = asked;
  const headers = {
    'content-type': 'application/json',
    ...(organization !== undefined && { [ORGANIZATION_HEADER]: organization }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, method, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        if ((response.statusCode ?? 0) < 300) resolve((text === '' ? undefined : JSON.parse(text)) as Body);
        else reject(new Error(`${method} ${path} → ${response.statusCode}: ${text}`));
      });
    });
    call.on('error', reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
