import type { SinkField } from '../sink-kind.ts';
import { URL_LENGTH } from '../../../shared/limits.ts';

/** The fields of sinks, and what is wrong with a value. A value is never repeated in an error: it may be a secret. */
interface FieldOptions {
  readonly isRequired?: boolean;
  readonly isSecret?: boolean;
  readonly isMultiline?: true;
  readonly check?: (value: string) => string | undefined;
}

export function field(name: string, description: string, options: FieldOptions = {}): SinkField {
  const { isRequired = false, isSecret = false, isMultiline, check } = options;
  return { name, description, isRequired, isSecret, ...(isMultiline && { isMultiline }), ...(check && { check }) };
}

export function secret(name: string, description: string, options: Omit<FieldOptions, 'isSecret'> = {}): SinkField {
  return field(name, description, { check: aToken, ...options, isSecret: true });
}

export function anAddress(value: string): string | undefined {
  const url = value.length > URL_LENGTH ? null : URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be an http or https URL';
  if (url.username !== '' || url.password !== '')
    return 'must not carry a user name or password: there are fields for these';
  return url.hash === '' ? undefined : 'must not have a part behind #, which is never sent';
}

/** Of a server, whose paths are ours to add. */
export function aServer(value: string): string | undefined {
  return anAddress(value) ?? (value.includes('?') ? 'must not have a query' : undefined);
}

/** What is sent in a header or a path: a line end would begin another. */
function aToken(value: string): string | undefined {
  return /^[\x21-\x7e]{1,4096}$/.test(value) ? undefined : 'must be ASCII characters without spaces';
}

export function aHeader(value: string): string | undefined {
  return /^[\x21-\x7e](?:[\x20-\x7e]{0,4095})$/.test(value) ? undefined : 'must be one line of ASCII characters';
}

export function aNumber(least: number, most: number): (value: string) => string | undefined {
  return (value) => {
    const isOne = /^-?\d{1,6}$/.test(value) && Number(value) >= least && Number(value) <= most;
    return isOne ? undefined : `must be a whole number from ${least} to ${most}`;
  };
}

export function oneOf(...values: readonly string[]): (value: string) => string | undefined {
  return (value) =>
    values.includes(value) ? undefined : `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1) ?? ''}`;
}

/** Names parted by commas. */
export function words(value: string | undefined): readonly string[] {
  return (value ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** `https://ntfy.lan` and `https://ntfy.lan/base/` with `/message`: what stands before it stays. */
export function below(server: string, path: string): string {
  return `${server.replace(/\/+$/, '')}${path}`;
}

/** What of an address says nothing that may be a secret. */
export function originOf(address: string | undefined): string {
  return URL.parse(address ?? '')?.origin ?? '';
}
