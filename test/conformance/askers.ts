/** Whatever a key can be, in a house with two organizations. */
export interface Scene {
  readonly key: string;
  readonly keyHash: string;
  readonly revokedKey: string;
  readonly colleagueKey: string;
  readonly strangerKey: string;
  readonly tapId: string;
  readonly ruleId: string;
  readonly watchId: string;
  readonly token: string;
  readonly revokedToken: string;
  readonly colleagueToken: string;
  readonly strangerToken: string;
}

/** Who asks: of which kind the key is, and how its holder stands to the tap, the rule and the watch that are asked for. */
export interface Asker {
  readonly name: string;
  readonly authorization: (scene: Scene) => string | undefined;
  readonly kind?: 'management key' | 'tap token';
  /** `colleague`: of the same organization, and not its maker; a management key is the organization's all the same. */
  readonly stands?: 'owner' | 'colleague' | 'stranger';
}

const bearer = (key: string): string => `Bearer ${key}`;
export const ASKERS: readonly Asker[] = [
  { name: 'nobody', authorization: () => undefined },
  { name: 'an empty header', authorization: () => '' },
  { name: 'a bearer without a key', authorization: () => 'Bearer ' },
  { name: 'a key without a scheme', authorization: ({ token }) => token },
  { name: 'another scheme', authorization: ({ key }) => `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
  { name: 'two keys in one header', authorization: ({ key, token }) => `Bearer ${key} ${token}` },
  { name: 'a key and something behind it', authorization: ({ key }) => `Bearer ${key},` },
  { name: 'an unknown management key', authorization: () => bearer(`svcm_${'x'.repeat(40)}`) },
  { name: 'an unknown tap token', authorization: () => bearer(`svc_${'x'.repeat(40)}`) },
  { name: 'the right key but its last character', authorization: ({ key }) => bearer(key.slice(0, -1)) },
  { name: 'the right token in another case', authorization: ({ token }) => bearer(swapCase(token)) },
  { name: 'the id of a tap', authorization: ({ tapId }) => bearer(tapId) },
  { name: 'the hash of a key, as it is stored', authorization: ({ keyHash }) => bearer(keyHash) },
  { name: 'a revoked management key', authorization: ({ revokedKey }) => bearer(revokedKey) },
  { name: 'the token of a revoked tap', authorization: ({ revokedToken }) => bearer(revokedToken) },
  { name: 'a management key', kind: 'management key', stands: 'owner', authorization: ({ key }) => bearer(key) },
  {
    name: 'a management key of another member',
    kind: 'management key',
    stands: 'colleague',
    authorization: ({ colleagueKey }) => bearer(colleagueKey),
  },
  {
    name: 'a management key of another organization',
    kind: 'management key',
    stands: 'stranger',
    authorization: ({ strangerKey }) => bearer(strangerKey),
  },
  { name: 'the tap token', kind: 'tap token', stands: 'owner', authorization: ({ token }) => bearer(token) },
  {
    name: 'the tap token, oddly written',
    kind: 'tap token',
    stands: 'owner',
    authorization: ({ token }) => `bEARER   ${token}  `,
  },
  {
    name: 'the token of another tap of the organization',
    kind: 'tap token',
    stands: 'colleague',
    authorization: ({ colleagueToken }) => bearer(colleagueToken),
  },
  {
    name: 'the token of a tap of another organization',
    kind: 'tap token',
    stands: 'stranger',
    authorization: ({ strangerToken }) => bearer(strangerToken),
  },
];

function swapCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
}
