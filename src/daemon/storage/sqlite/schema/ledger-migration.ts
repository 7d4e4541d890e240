/**
 * Charged offsets are intervals, merged: nearly always one for each tap. Usage is summed up by day, tap and rule; the row
 * with the empty rule is the tap's own, since an event with two rules is one delivery. Both are rows of a few integers
 * and ids, so they are their own index; days come first, because they are forgotten in the order of days.
 */
export const ledgerMigration = `
  CREATE TABLE credit_accounts (organization TEXT PRIMARY KEY, prepaid INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE credit_entries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    organization TEXT NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('grant', 'set', 'unlimited')),
    amount INTEGER NOT NULL,
    left INTEGER NOT NULL CHECK (left >= 0),
    withdrawn INTEGER NOT NULL DEFAULT 0,
    expires_at INTEGER
  );
  CREATE INDEX credit_entries_organization ON credit_entries (organization, seq);
  CREATE INDEX credit_entries_left ON credit_entries (organization, expires_at) WHERE left > 0;
  CREATE TABLE charged (
    tap INTEGER NOT NULL,
    first INTEGER NOT NULL,
    next INTEGER NOT NULL,
    PRIMARY KEY (tap, first)
  ) WITHOUT ROWID;
  CREATE TABLE usage (
    day INTEGER NOT NULL,
    organization TEXT NOT NULL,
    tap TEXT NOT NULL,
    rule TEXT NOT NULL,
    matches INTEGER NOT NULL,
    spent INTEGER NOT NULL,
    PRIMARY KEY (day, organization, tap, rule)
  ) WITHOUT ROWID;
  CREATE TABLE checks (
    month TEXT NOT NULL,
    organization TEXT NOT NULL,
    checks INTEGER NOT NULL,
    PRIMARY KEY (month, organization)
  ) WITHOUT ROWID;
`;
