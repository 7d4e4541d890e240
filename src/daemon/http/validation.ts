import type { FastifySchemaValidationError } from 'fastify';
import type { NearMiss } from './near-misses.ts';

/**
 * The sentences of a 422: what a schema found, said about the field it found it in. One sentence a field – the first
 * finding is the cause, the others follow from it (a union reports each of its branches). A field that is missing may
 * have been sent under a name that is nearly its own.
 */
export function sentencesFor(
  findings: readonly FastifySchemaValidationError[],
  place: string | undefined,
  nearMisses: readonly NearMiss[] = [],
): Record<string, string[]> {
  const noun = place === 'querystring' ? 'parameter' : 'field';
  const byField = Map.groupBy(findings, fieldOf);
  const misspelt = (field: string): string => {
    const sent = nearMisses.find(({ meant }) => meant === field)?.sent;
    return sent === undefined ? '' : ` The field ${JSON.stringify(sent)} is unknown.`;
  };
  return Object.fromEntries(
    [...byField].map(([field, found]) => [field, [`${sentence(field, noun, found)}${misspelt(field)}`]]),
  );
}

/** What stands in `errors` for a finding about the body as a whole. */
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

/** Where in a field of several values, or of which one of a list a field is missing: `, watches entry 3,`. */
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
      return 'must have something in it that can be seen, and no control characters or broken surrogate pairs';
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must not be greater than ${limit}`;
    default:
      return message ?? 'is not valid';
  }
}
