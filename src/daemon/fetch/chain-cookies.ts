import type { Head } from './answer.ts';

/**
 * The cookies of one chain of redirects, for the host that set them: some servers set one, lead back to the same address, and
 * look for it. They live as long as the chain. Nothing is kept for the next visit, and no other host is sent any: a crawl
 * that comes back as whoever it was would be told what a reader of that kind is told.
 */
export class ChainCookies {
  /** Of each origin, by name. */
  readonly #origins = new Map<string, Map<string, string>>();

  /** Takes what a redirect sets; whether a cookie is new, or has another value. */
  take(url: URL, { headers }: Pick<Head, 'headers'>): boolean {
    const lines = [headers['set-cookie'] ?? []].flat();
    const jar = this.#origins.get(url.origin) ?? new Map<string, string>();
    this.#origins.set(url.origin, jar);
    let isNew = false;
    for (const line of lines) {
      const cookie = cookieOf(line);
      if (cookie === undefined) continue;
      const { name, value, isOver } = cookie;
      if (isOver) jar.delete(name);
      else if (jar.size < MOST_COOKIES || jar.has(name)) {
        isNew ||= jar.get(name) !== value;
        jar.set(name, value);
      }
    }
    return isNew;
  }

  /** Name and value of the header, in turn; nothing where there is no cookie. */
  headersFor(url: URL): readonly string[] {
    const jar = this.#origins.get(url.origin);
    if (!jar || jar.size === 0) return [];
    return ['cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; ')];
  }
}

function cookieOf(
  line: string,
): { readonly name: string; readonly value: string; readonly isOver: boolean } | undefined {
  const [pair = '', ...attributes] = line.split(';');
  const equals = pair.indexOf('=');
  const [name, value] = [pair.slice(0, Math.max(0, equals)).trim(), pair.slice(equals + 1).trim()];
  if (line.length > MOST_CHARACTERS || !TOKEN.test(name) || !VALUE.test(value)) return undefined;
  return { name, value, isOver: attributes.some((attribute) => /^\s*max-age\s*=\s*(?:-|0+\s*$)/i.test(attribute)) };
}

const MOST_COOKIES = 20;
/** As browsers have it, name, value and attributes together. */
const MOST_CHARACTERS = 4_096;
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
/** Visible ASCII but for what ends a value. */
const VALUE = /^[\x20-\x3a\x3c-\x7e]*$/;
