import { isObject } from '../../shared/page/json-value.ts';
import type { FastifyInstance, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import type { Diagnostic } from '../../shared/api/diagnostic.ts';
import { distance } from '../../shared/query/suggest/misspelling.ts';

/**
 * The `errors` of a 422, by field: what schema validation found. One message per field – the first finding is the cause, the
 * others follow from it (a union reports each of its branches). If a required field is missing and the body has an unknown
 * field with a similar name, the message names it.
 */
export function fieldErrors(
  findings: readonly FastifySchemaValidationError[],
  place: string | undefined,
  misspelt: readonly MisspeltField[] = [],
): Record<string, string[]> {
  const noun = place === 'querystring' ? 'parameter' : 'field';
  const byField = Map.groupBy(findings, fieldOf);
  const suffix = (field: string): string => {
    const sent = misspelt.find(({ meant }) => meant === field)?.sent;
    return sent === undefined ? '' : ` The field ${JSON.stringify(sent)} is unknown.`;
  };
  return Object.fromEntries(
    [...byField].map(([field, found]) => [field, [`${sentence(field, noun, found)}${suffix(field)}`]]),
  );
}

/** The key in `errors` for a finding about the body as a whole. */
const WHOLE_BODY = 'body';

function fieldOf(finding: FastifySchemaValidationError): string {
  const missing = finding.params['missingProperty'];
  if (typeof missing === 'string') return missing;
  return finding.instancePath.split('/')[1] ?? WHOLE_BODY;
}

function sentence(field: string, noun: string, findings: readonly FastifySchemaValidationError[]): string {
  const choices = findings.filter((finding) => finding.keyword === 'const');
  if (choices.length > 0) {
    const [choice] = choices;
    return `The ${field} ${noun}${choice ? placeOf(choice) : ''} must be ${choices.map(({ params }) => String(params['allowedValue'])).join(' or ')}.`;
  }
  const [first] = findings;
  if (field === WHOLE_BODY) return 'The body must be a JSON object.';
  return `The ${field} ${noun}${first ? `${placeOf(first)} ${predicate(first)}` : ' is not valid'}.`;
}

/** The position inside a field that is a list or an object: `, watches entry 3,`. */
function placeOf({ instancePath, params }: FastifySchemaValidationError): string {
  const steps = instancePath.split('/').slice('missingProperty' in params ? 1 : 2);
  const words = steps.map((step) => (/^\d+$/.test(step) ? `entry ${Number(step) + 1},` : step)).join(' ');
  return words === '' ? '' : `, ${words}${words.endsWith(',') ? '' : ','}`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'an object',
  array: 'an array',
};

function predicate({ keyword, params, message }: FastifySchemaValidationError): string {
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'type':
      return `must be ${typeNames[String(params['type'])] ?? String(params['type'])}`;
    case 'maxLength':
      return `must not be longer than ${limit} characters`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'pattern':
      return 'must have at least one visible character, and no control characters or broken surrogate pairs';
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must not be greater than ${limit}`;
    default:
      return message ?? 'is not valid';
  }
}

/** An unknown field of a body, and the known field that was probably meant. */
interface MisspeltField {
  readonly sent: string;
  readonly meant: string;
}

/** How many unknown fields are compared, and characters of each: a body may have ten thousand fields. */
const COMPARED = 100;
const NAME_LENGTH = 64;

/**
 * Adds a warning to the answer of an accepted request with an unknown field whose name is similar to a known one. Other
 * unknown fields are ignored silently: clients send back whole answers, or fields of newer versions and other services. Must
 * be called before the routes are registered.
 */
export function warnOfMisspeltFields(app: FastifyInstance): void {
  app.addHook('preSerialization', async (request, reply, payload) => {
    if (reply.statusCode >= 300 || typeof payload !== 'object' || payload === null) return payload;
    const found = misspeltFieldsIn(request).map(warningOf);
    if (found.length === 0) return payload;
    const others = 'warnings' in payload && Array.isArray(payload.warnings) ? (payload.warnings as Diagnostic[]) : [];
    return { ...payload, warnings: [...found, ...others] };
  });
}

function warningOf({ sent, meant }: MisspeltField): Diagnostic {
  const hint = { message: `Did you mean ${JSON.stringify(meant)}?`, replacement: meant };
  const message = `The field ${JSON.stringify(sent)} is unknown and was ignored. ${hint.message}`;
  return { severity: 'warning', code: 'unknown_body_field', message, field: sent, hint };
}

/** Compares the fields of a JSON object with the body schema of its route. */
export function misspeltFieldsIn({ body, routeOptions }: FastifyRequest): MisspeltField[] {
  const schema = routeOptions.schema?.body;
  if (!isObject(schema) || !isObject(schema['properties']) || !isObject(body)) return [];
  const known = Object.keys(schema['properties']);
  const unknown = Object.keys(body).filter((name) => !known.includes(name));
  return unknown.slice(0, COMPARED).flatMap((name) => {
    const sent = name.slice(0, NAME_LENGTH);
    const meant = known.find((one) => isNear(normalized(sent), normalized(one)));
    return meant === undefined ? [] : [{ sent, meant }];
  });
}

/** `frequencyMinutes` and `Frequency-Minutes` equal `frequency_minutes`. */
function normalized(name: string): string {
  return name.toLowerCase().replaceAll(/[_\s-]/g, '');
}

/** One edit (a plural is one), two in a longer name; or a prefix: `frequency`. */
function isNear(sent: string, known: string): boolean {
  if (sent.length >= SHORT && known.startsWith(sent)) return true;
  const most = known.length > SHORT + 1 ? 2 : 1;
  return distance(sent, known, most + 1) <= most;
}

const SHORT = 4;
