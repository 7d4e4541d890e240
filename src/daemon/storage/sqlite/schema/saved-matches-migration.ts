/** A row is some kilobytes, the document and the words it is found by; searching thousands of them is a scan of one index. */
export const savedMatchesMigration = `
  CREATE TABLE saved_matches (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    organization TEXT NOT NULL,
    url TEXT NOT NULL,
    tap TEXT NOT NULL,
    tap_name TEXT NOT NULL,
    rules TEXT NOT NULL,
    matched_at INTEGER NOT NULL,
    saved_at INTEGER NOT NULL,
    saved_by TEXT NOT NULL,
    note TEXT NOT NULL,
    document TEXT NOT NULL,
    words TEXT NOT NULL
  );
  CREATE UNIQUE INDEX saved_matches_url ON saved_matches (organization, url);
  CREATE INDEX saved_matches_order ON saved_matches (organization, seq);
`;
