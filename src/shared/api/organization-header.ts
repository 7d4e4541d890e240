/**
 * On the operator's socket: for which organization a request acts, by id, name or a beginning of the id, percent-encoded.
 * Without it, the only one there is. In a file without schemas, since the command line needs nothing else of them.
 */
export const ORGANIZATION_HEADER = 'hydrant-organization';
