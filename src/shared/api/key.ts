import { type Static, Type } from 'typebox';
import { nameOf } from './name.ts';

/** A management key as the operator sees it: never the key itself, which is shown once, at creation. */
export interface Key {
  readonly id: string;
  readonly name: string;
  /** `svcm_` and the first four characters: enough to recognize it by. */
  readonly prefix: string;
  /** The name of the member it acts as. */
  readonly member: string;
  readonly created_at: string;
}

export const KeyCreation = Type.Object({
  name: nameOf(255),
  /** Whom it acts as: an id or a name; absent: the organization's first admin. */
  member: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
});
export type KeyCreation = Static<typeof KeyCreation>;

export interface KeyCreated {
  readonly data: Key;
  readonly key: string;
}
