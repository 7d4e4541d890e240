import { type Static, Type } from 'typebox';
import { TAG_LENGTH } from '../limits.ts';

/** A rule on the wire (spec: Resources, Rule): one stored query of a tap. An absent `tag` is left out. */
export const Rule = Type.Object({
  id: Type.String(),
  value: Type.String(),
  tag: Type.Optional(Type.String()),
  nsfw: Type.Boolean(),
  quality: Type.Boolean(),
});
export type Rule = Static<typeof Rule>;

const fields = {
  value: Type.String(),
  tag: Type.Optional(Type.Union([Type.String({ maxLength: TAG_LENGTH }), Type.Null()])),
  nsfw: Type.Optional(Type.Boolean()),
  quality: Type.Optional(Type.Boolean()),
};

/** `tag: null` means no tag: clients that build JSON from a struct send it so. */
export const RuleCreation = Type.Object(fields);
export type RuleCreation = Static<typeof RuleCreation>;

export const RuleChange = Type.Partial(Type.Object(fields));
export type RuleChange = Static<typeof RuleChange>;
