import { EVENT_OVERHEAD_BYTES } from '../../event-log.ts';

/** The size of the log is counted as it grows and shrinks: a sum over it would read all of it. */
export const logBytesMigration = `
  ALTER TABLE log ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
  UPDATE log SET bytes = (
    SELECT coalesce(sum(octet_length(query_ids) + octet_length(document) + ${EVENT_OVERHEAD_BYTES}), 0) FROM events
  );
`;
