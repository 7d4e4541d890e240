/**
 * The class of a host (`hostClass` in `frontier-rules.ts`) as SQL: its place in `HOST_CLASSES`. The two lines of hosts are
 * kept by class, so that whoever may take one more quick host finds it behind any number of dead ones. An expression, since
 * nobody has to keep it up; the index is used where a query repeats it to the letter, so a change of it is a new step.
 */
export const HOST_CLASS = `CASE WHEN failures > 0 AND backoff_reason >= 'a' THEN 3
  WHEN response_ms >= 2000 THEN 2 WHEN response_ms = 0 THEN 1 ELSE 0 END`;

export const hostClassesMigration = `
  DROP INDEX hosts_ready;
  DROP INDEX hosts_watch_ready;
  CREATE INDEX hosts_class_ready ON hosts (${HOST_CLASS}, ready) WHERE ready IS NOT NULL;
  CREATE INDEX hosts_class_watch_ready ON hosts (${HOST_CLASS}, watch_ready) WHERE watch_ready IS NOT NULL;
`;
