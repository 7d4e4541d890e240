/** Rows of a rule and an hour: 24 of each at most, and only of hours in which something happened. */
export const ruleCountersMigration = `
  CREATE TABLE rule_hours (
    rule TEXT NOT NULL,
    hour INTEGER NOT NULL,
    matches INTEGER NOT NULL,
    no_date INTEGER NOT NULL,
    too_old INTEGER NOT NULL,
    future_date INTEGER NOT NULL,
    url INTEGER NOT NULL,
    adult INTEGER NOT NULL,
    PRIMARY KEY (rule, hour)
  ) WITHOUT ROWID;
  CREATE TABLE rule_last (rule TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
`;
