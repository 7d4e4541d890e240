/** A row is some kilobytes. AUTOINCREMENT: who reads on from one must not meet its number again. */
export const recentChangesMigration = `
  CREATE TABLE changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    change BLOB NOT NULL,
    page BLOB NOT NULL
  );
  CREATE TABLE change_totals (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    bytes INTEGER NOT NULL DEFAULT 0,
    last_at INTEGER NOT NULL DEFAULT 0
  );
  INSERT INTO change_totals (id) VALUES (1);
`;
