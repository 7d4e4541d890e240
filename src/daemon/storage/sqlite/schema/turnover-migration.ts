/**
 * The step that lets full sources make room. Pages get the flag that `pages_expendable` goes by at their next visit: a
 * migration that writes ten million rows would take minutes.
 */
export const turnoverMigration = `
CREATE TABLE retired (
  hash INTEGER NOT NULL,
  source INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (hash, source)
) WITHOUT ROWID;
CREATE INDEX retired_oldest ON retired (source, at, hash);
CREATE INDEX pages_expendable ON pages (source, due) WHERE flags & 16;
ALTER TABLE sources ADD COLUMN full_at INTEGER;
ALTER TABLE sources ADD COLUMN left_day INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sources ADD COLUMN left_pages INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sources ADD COLUMN tombstones INTEGER NOT NULL DEFAULT 0;
`;
