import { Type } from 'typebox';
import { MatchSchema } from '../../shared/api/match.ts';
import { STREAM_ERRORS, type StreamErrorCode } from '../stream/frames.ts';

/**
 * What a stream says, event by event, for the document of the API: as JSON lines have it, and as an SSE client has it once
 * it has read `data` as JSON.
 */
const nothing = Type.Object({}, { additionalProperties: false });

const ConnectedEvent = Type.Object(
  { event: Type.Literal('connected'), data: nothing },
  { title: 'ConnectedEvent', description: 'Once, when the stream opens.', additionalProperties: false },
);

const UpdateEvent = Type.Object(
  {
    event: Type.Literal('update'),
    id: Type.String({ pattern: '^\\d+-\\d+$', description: '`<partition>-<offset>`, for `Last-Event-ID`.' }),
    data: MatchSchema,
  },
  { title: 'UpdateEvent', description: 'A page that matched.', additionalProperties: false },
);

const codes = Object.keys(STREAM_ERRORS) as StreamErrorCode[];
const ErrorEvent = Type.Object(
  {
    event: Type.Literal('error'),
    data: Type.Object(
      { message: Type.String(), code: Type.Union(codes.map((code) => Type.Literal(code))) },
      { additionalProperties: false },
    ),
  },
  { title: 'ErrorEvent', description: 'Something is wrong; the stream closes.', additionalProperties: false },
);

const EndEvent = Type.Object(
  { event: Type.Literal('end'), data: nothing },
  {
    title: 'EndEvent',
    description: 'The timeout or the limit is reached; the stream closes.',
    additionalProperties: false,
  },
);

export const StreamEvent = Type.Union([ConnectedEvent, UpdateEvent, ErrorEvent, EndEvent], { title: 'StreamEvent' });
