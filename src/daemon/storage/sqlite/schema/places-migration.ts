/**
 * The step that counts apart what takes no place of a source (`Places`), and keeps what a full source may let go of in two
 * lines: failed pages are due last, and would stand before all others where their going leaves no place. Pages get the flag
 * (64) at their next visit, as with the step for full sources.
 */
export const placesMigration = `
ALTER TABLE sources ADD COLUMN apart INTEGER NOT NULL DEFAULT 0;
DROP INDEX pages_expendable;
CREATE INDEX pages_expendable ON pages (source, due) WHERE flags & 80 = 16;
CREATE INDEX pages_expendable_apart ON pages (source, due) WHERE flags & 80 = 80;
`;
