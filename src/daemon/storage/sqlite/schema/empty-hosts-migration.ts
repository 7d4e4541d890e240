/**
 * Empty hosts in the order in which their rests end. In that of their keys, two hundred that rested for long kept all others
 * from being forgotten.
 */
export const emptyHostsMigration = `
  DROP INDEX hosts_empty;
  CREATE INDEX hosts_empty ON hosts (not_before) WHERE pages = 0 AND watches = 0;
`;
