/**
 * The catalog, a row a record, and who follows it. `doc` is `json`, which keeps what it is given to the letter: `jsonb` would refuse
 * a NUL in a text. `position` orders the records of a kind; there may be gaps. The one row of `catalog_state` is what writers
 * lock, so that versions become visible in their order: who has read up to one has missed none below. `catalog_log` has what changed
 * since `floor`, and which node wrote it; who is further behind reads all of it again.
 *
 * `nodes`: the processes that share the database, and which version of the catalog each has. `epoch`: no
 * two processes have the same, also those that were given one name by mistake. `node_work`: what one of them does at a time, and until
 * when it is waited for. `instance` has one row, with the hash of the secret that all nodes seal with.
 */
export const catalogTables = `
CREATE TABLE catalog (
  kind text NOT NULL,
  id text NOT NULL,
  position bigint NOT NULL,
  doc json NOT NULL,
  PRIMARY KEY (kind, id)
);
CREATE TABLE catalog_state (
  id integer PRIMARY KEY CHECK (id = 1),
  schema integer NOT NULL,
  version bigint NOT NULL,
  floor bigint NOT NULL
);
INSERT INTO catalog_state (id, schema, version, floor) VALUES (1, 4, 0, 0);
CREATE TABLE catalog_log (
  version bigint NOT NULL,
  kind text NOT NULL,
  id text NOT NULL,
  node text NOT NULL,
  PRIMARY KEY (version, kind, id)
);

CREATE SEQUENCE node_epochs;
CREATE TABLE nodes (
  id text PRIMARY KEY,
  epoch bigint NOT NULL,
  seen_at timestamptz NOT NULL,
  catalog_version bigint NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE node_work (
  work text PRIMARY KEY,
  node text NOT NULL,
  until timestamptz NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE instance (
  id smallint PRIMARY KEY CHECK (id = 1),
  secret_fingerprint bytea NOT NULL
);
`;

/**
 * Limits that hold for all nodes together. `address_places`: which node holds which place at an IP address, and until when; renewed
 * by who uses it. `request_counts`: how often a client has asked in its window; after a crash of the server all of them
 * begin anew, so nothing of it is written ahead.
 */
export const limitTables = `
CREATE TABLE address_places (
  address text COLLATE "C" NOT NULL,
  place smallint NOT NULL,
  node text NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (address, place)
) WITH (fillfactor = 50);
CREATE UNLOGGED TABLE request_counts (
  client text COLLATE "C" PRIMARY KEY,
  until bigint NOT NULL,
  count integer NOT NULL
) WITH (fillfactor = 50);
`;
