import { createHmac } from 'node:crypto';
import type { Configured, SinkKind } from '../sink-kind.ts';
import { outcomeOfReply } from './answers.ts';
import { aHeader, anAddress, field, originOf, secret } from './fields.ts';
import { messageJson } from './message-json.ts';
import { plain } from '../message-lines.ts';

/**
 * A POST of JSON, signed as Standard Webhooks 1.0.0 has it: `webhook-id` (the same in every attempt), `webhook-timestamp` (of this
 * attempt), and `webhook-signature`, `v1,` and the HMAC-SHA256 of `id.timestamp.body`, one for each secret.
 *
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export const webhook: SinkKind = {
  name: 'webhook',
  fields: [
    field('url', 'the address that messages are sent to', { isRequired: true, check: anAddress }),
    secret('path', 'what follows it and is nobody’s business: a path, with its query', { check: aPath }),
    secret('secret', 'what messages are signed with: whsec_ and 24 to 64 bytes in base64; two while it is changed', {
      check: signingSecrets,
    }),
    secret('authorization', 'the Authorization header, where the receiver asks for one', { check: aHeader }),
  ],
  target: ({ url }) => (url !== undefined && !url.includes('?') ? url : originOf(url)),
  escape: plain,
  fault: ({ options, secrets }) => {
    if (secrets['path'] === undefined) return undefined;
    return anAddress(addressOf({ options, secrets })) === undefined
      ? undefined
      : 'url and path together are no address';
  },
  send: async (message, configured, transport) => {
    const { secrets } = configured;
    const body = messageJson(message);
    const timestamp = String(Math.floor(transport.now() / 1_000));
    const signatures = secretsIn(secrets['secret']).map((key) => signature(key, `${message.id}.${timestamp}.${body}`));
    const reply = await transport.http({
      method: 'POST',
      url: addressOf(configured),
      headers: {
        'content-type': 'application/json',
        'webhook-id': message.id,
        'webhook-timestamp': timestamp,
        ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
        ...(secrets['authorization'] !== undefined && { authorization: secrets['authorization'] }),
      },
      body,
    });
    return outcomeOfReply(reply, configured);
  },
};

function addressOf({ options, secrets }: Pick<Configured, 'options' | 'secrets'>): string {
  const { url = '' } = options;
  const path = secrets['path'];
  return path === undefined ? url : `${url.replace(/\/+$/, '')}${path}`;
}

function aPath(value: string): string | undefined {
  return /^\/[\x21-\x7e]{0,2000}$/.test(value) && !/[#\\]/.test(value)
    ? undefined
    : 'must begin with a slash and be ASCII characters without spaces';
}

function secretsIn(value: string | undefined): readonly Buffer[] {
  const words = value?.split(/\s+/).filter((word) => word !== '') ?? [];
  return words.map((word) => Buffer.from(word.replace(/^whsec_/, ''), 'base64'));
}

function signature(key: Buffer, content: string): string {
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

function signingSecrets(value: string): string | undefined {
  const words = value.split(/\s+/).filter((word) => word !== '');
  const areWell = words.every((word) => /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(word));
  const areLong = secretsIn(value).every(({ length }) => length >= 24 && length <= 64);
  if (words.length >= 1 && words.length <= 2 && areWell && areLong) return undefined;
  return 'must be whsec_ and 24 to 64 random bytes in base64, as `openssl rand -base64 32` prints them';
}
