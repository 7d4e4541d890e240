import { type Static, Type } from 'typebox';
import { TAG_LENGTH } from '../limits.ts';
import { TAG_PATTERN } from './name.ts';

/** A rule on the wire (spec: Resources, Rule): one stored query of a tap. An absent `tag` is left out. */
export const Rule = Type.Object(
  {
    id: Type.String(),
    value: Type.String(),
    tag: Type.Optional(Type.String()),
    nsfw: Type.Boolean(),
    quality: Type.Boolean(),
  },
  { title: 'Rule' },
);
export type Rule = Static<typeof Rule>;

const fields = {
  value: Type.String({ description: 'The query.' }),
  tag: Type.Optional(Type.Union([Type.String({ maxLength: TAG_LENGTH, pattern: TAG_PATTERN }), Type.Null()])),
  nsfw: Type.Optional(Type.Boolean({ default: false, description: 'true takes adult pages too.' })),
  quality: Type.Optional(
    Type.Boolean({ default: true, description: 'true takes pages of the last 7 days alone, and no index pages.' }),
  ),
};

/** `tag: null` means no tag: clients that build JSON from a struct send it so. */
export const RuleCreation = Type.Object(fields, {
  examples: [{ value: 'title:ferry AND language:en', tag: 'ferries' }],
});
export type RuleCreation = Static<typeof RuleCreation>;

export const RuleChange = Type.Partial(Type.Object(fields), { examples: [{ quality: false }] });
export type RuleChange = Static<typeof RuleChange>;
