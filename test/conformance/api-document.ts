import { Check } from 'typebox/schema';
import type { Api } from '../daemon/http/api.ts';

interface Media {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

/** The document that a running server gives, as a measure for what the server answers. */
export class ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;

  private constructor(document: Pick<ApiDocument, 'paths' | 'components'>) {
    this.paths = document.paths;
    this.components = document.components;
  }

  static async of(api: Api): Promise<ApiDocument> {
    const { body } = await api.call<Pick<ApiDocument, 'paths' | 'components'>>('GET', '/openapi.json');
    return new ApiDocument(body);
  }

  /** `path` as the route is registered: `/v1/taps/:id`. */
  operation(method: string, path: string): Operation {
    const found = this.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
    if (!found) throw new Error(`${method} ${path} is not in the document`);
    return found;
  }

  /** What is wrong with an answer: a status that the document does not name for this route, or a body of another form. */
  faultOf(method: string, path: string, answer: { readonly status: number; readonly body: unknown }): string[] {
    const { status, body } = answer;
    const what = `${method} ${path} answered ${status}`;
    const said = this.operation(method, path).responses[status];
    if (!said) return [`${what}, which is not in the document`];
    if (said.content === undefined) return body === undefined ? [] : [`${what} with a body`];
    const schema = said.content['application/json']?.schema;
    return schema && !this.fits(schema, body) ? [`${what} with ${JSON.stringify(body)}, against its schema`] : [];
  }

  fits(schema: object, value: unknown): boolean {
    return Check({ ...schema, components: this.components }, value);
  }
}
