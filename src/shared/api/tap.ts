import { type Static, Type } from 'typebox';
import { TAP_NAME_LENGTH } from '../limits.ts';
import { NAME_PATTERN } from './name-pattern.ts';

/** A tap on the wire (spec: Resources, Tap): an API token that owns rules and is streamed from. */
export const Tap = Type.Object(
  {
    id: Type.String({ description: 'UUID' }),
    name: Type.String(),
    status: Type.Union([Type.Literal('active'), Type.Literal('paused')]),
    token: Type.String({ description: 'svc_ and 40 characters' }),
    token_prefix: Type.String(),
    rules_count: Type.Integer(),
    last_used_at: Type.Union([Type.String(), Type.Null()]),
    created_at: Type.String({ description: '2026-02-27T00:00:00+00:00' }),
  },
  { title: 'Tap' },
);
export type Tap = Static<typeof Tap>;

/** Spaces around it are left out. */
const Name = Type.String({ minLength: 1, maxLength: TAP_NAME_LENGTH, pattern: NAME_PATTERN });

export const TapCreation = Type.Object({ name: Name }, { examples: [{ name: 'news' }] });
export type TapCreation = Static<typeof TapCreation>;

export const TapChange = Type.Object(
  {
    name: Type.Optional(Name),
    status: Type.Optional(Type.Union([Type.Literal('active'), Type.Literal('paused')])),
  },
  { examples: [{ status: 'paused' }] },
);
export type TapChange = Static<typeof TapChange>;

/** The create response keeps its own envelope: the token stands beside `data`, in clear. */
export const TapCreated = Type.Object({
  data: Type.Pick(Tap, ['id', 'name', 'token_prefix', 'created_at']),
  token: Type.String(),
});
export type TapCreated = Static<typeof TapCreated>;
