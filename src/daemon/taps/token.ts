import type { Seal } from '../accounts/seal.ts';
import { hashSecret, newSecret, shownPrefix } from '../accounts/secret.ts';
import type { Outside } from '../outside.ts';
import type { CatalogData, TapRecord } from '../storage/catalog.ts';

type Token = Pick<TapRecord, 'tokenPrefix' | 'tokenHash' | 'tokenSealed'>;

/** A token of a tap, as it is kept. */
export function newToken(seal: Seal, outside: Outside): Token {
  const token = newSecret('svc_', outside);
  return {
    tokenPrefix: shownPrefix(token, 'svc_'),
    tokenHash: hashSecret(token),
    tokenSealed: seal.seal(token),
  };
}

/** The catalog with a new token for each tap whose own was sealed with another secret; and the names of these taps. */
export function withReadableTokens(
  data: CatalogData,
  seal: Seal,
  outside: Outside,
): { readonly data: CatalogData; readonly renewed: readonly string[] } {
  const lost = new Set(data.taps.filter((tap) => !isReadable(seal, tap)).map(({ id }) => id));
  const taps = data.taps.map((tap) => (lost.has(tap.id) ? Object.assign({}, tap, newToken(seal, outside)) : tap));
  return { data: { ...data, taps }, renewed: taps.filter(({ id }) => lost.has(id)).map(({ name }) => name) };
}

function isReadable(seal: Seal, { tokenSealed }: TapRecord): boolean {
  try {
    seal.open(tokenSealed);
    return true;
  } catch {
    return false;
  }
}
