-- A database as schema version 3 left it. Frozen: migrations must keep reading it.

CREATE TABLE device (
  id          INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL UNIQUE,
  selector    TEXT NOT NULL,
  name        TEXT NOT NULL,
  arch        TEXT NOT NULL,
  uuid        TEXT NOT NULL,
  driver      TEXT NOT NULL,
  has_clock   INTEGER NOT NULL CHECK (has_clock IN (0, 1)),
  details     TEXT CHECK (details IS NULL OR json_valid(details))
);

CREATE TABLE kernel (
  id            INTEGER PRIMARY KEY,
  name          TEXT NOT NULL,
  contract_hash TEXT NOT NULL,
  summary       TEXT NOT NULL,
  contract      TEXT NOT NULL,
  generation    INTEGER NOT NULL,
  UNIQUE (name, contract_hash)
);

CREATE TABLE problem (
  id    INTEGER PRIMARY KEY,
  sizes TEXT NOT NULL CHECK (json_valid(sizes)),
  text  TEXT NOT NULL,
  UNIQUE (sizes, text)
);

CREATE TABLE configuration (
  id       INTEGER PRIMARY KEY,
  variant  TEXT NOT NULL,
  "values" TEXT NOT NULL CHECK (json_valid("values")),
  text     TEXT NOT NULL,
  UNIQUE (text, variant, "values")
);

CREATE TABLE run (
  id            INTEGER PRIMARY KEY,
  config_path   TEXT NOT NULL,
  config        TEXT NOT NULL,
  seed          TEXT NOT NULL,
  strategy      TEXT NOT NULL,
  budget        TEXT NOT NULL,
  version       TEXT NOT NULL,
  nvrtc_version TEXT NOT NULL,
  host          TEXT NOT NULL,
  command_line  TEXT NOT NULL,
  started_utc   TEXT NOT NULL,
  finished_utc  TEXT NOT NULL DEFAULT '',
  ended         TEXT NOT NULL DEFAULT ''
);

CREATE TABLE trial (
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  key              TEXT NOT NULL,
  run_id           INTEGER NOT NULL REFERENCES run,
  kernel_id        INTEGER NOT NULL REFERENCES kernel,
  device_id        INTEGER NOT NULL REFERENCES device,
  problem_id       INTEGER NOT NULL REFERENCES problem,
  configuration_id INTEGER NOT NULL REFERENCES configuration,
  status           TEXT NOT NULL,
  reason           TEXT NOT NULL,
  median_us        REAL,
  ci_low_us        REAL,
  ci_high_us       REAL,
  modelled         INTEGER NOT NULL CHECK (modelled IN (0, 1)),
  protocol         TEXT NOT NULL,
  resources        TEXT CHECK (resources IS NULL OR json_valid(resources)),
  counters         TEXT CHECK (counters IS NULL OR json_valid(counters)),
  errors           TEXT CHECK (errors IS NULL OR json_valid(errors)),
  options          TEXT CHECK (options IS NULL OR json_valid(options)),
  cubin_hash       TEXT NOT NULL,
  compile_seconds  REAL NOT NULL,
  validate_seconds REAL NOT NULL,
  measure_seconds  REAL NOT NULL,
  sm_clock_mhz     INTEGER NOT NULL,
  work_bytes       REAL NOT NULL,
  work_flops       REAL NOT NULL,
  started_utc      TEXT NOT NULL
);
CREATE INDEX trial_by_key ON trial (key, id);
CREATE INDEX trial_by_run ON trial (run_id);

CREATE TABLE sample (
  trial_id INTEGER PRIMARY KEY REFERENCES trial ON DELETE CASCADE,
  count    INTEGER NOT NULL,
  encoding TEXT NOT NULL,
  data     BLOB NOT NULL
);

ALTER TABLE trial ADD COLUMN floor_us REAL;

CREATE TABLE ceiling (
  id           INTEGER PRIMARY KEY,
  device_id    INTEGER NOT NULL REFERENCES device,
  name         TEXT NOT NULL,
  value        REAL NOT NULL,
  unit         TEXT NOT NULL,
  ci_low       REAL,
  ci_high      REAL,
  protocol     TEXT NOT NULL,
  measured_utc TEXT NOT NULL
);
CREATE INDEX ceiling_by_device ON ceiling (device_id, name, id);
CREATE INDEX trial_by_board ON trial (kernel_id, device_id, problem_id);

ALTER TABLE trial ADD COLUMN at_least_us REAL;
ALTER TABLE trial ADD COLUMN raw_median_us REAL;
ALTER TABLE trial ADD COLUMN same_as INTEGER REFERENCES trial;
ALTER TABLE trial ADD COLUMN measurement TEXT CHECK (measurement IS NULL OR json_valid(measurement));

CREATE TABLE kernel_source (
  kernel_id INTEGER NOT NULL REFERENCES kernel ON DELETE CASCADE,
  path      TEXT NOT NULL,
  text      TEXT NOT NULL,
  UNIQUE (kernel_id, path)
);

CREATE TABLE ranking (
  id          INTEGER PRIMARY KEY,
  run_id      INTEGER NOT NULL REFERENCES run,
  kernel_name TEXT NOT NULL,
  device_id   INTEGER NOT NULL REFERENCES device,
  problem_id  INTEGER NOT NULL REFERENCES problem,
  protocol    TEXT NOT NULL,
  rounds      INTEGER NOT NULL,
  confidence  REAL NOT NULL,
  decided_by  TEXT NOT NULL,
  started_utc TEXT NOT NULL,
  headline    TEXT CHECK (headline IS NULL OR json_valid(headline)),
  winner_id   INTEGER NOT NULL REFERENCES trial,
  last_trial  INTEGER NOT NULL
);
CREATE INDEX ranking_by_board ON ranking (kernel_name, device_id, problem_id, id);

CREATE TABLE ranking_entry (
  ranking_id    INTEGER NOT NULL REFERENCES ranking ON DELETE CASCADE,
  trial_id      INTEGER NOT NULL REFERENCES trial,
  place         INTEGER NOT NULL,
  tied          INTEGER NOT NULL CHECK (tied IN (0, 1)),
  median_us     REAL NOT NULL,
  ci_low_us     REAL NOT NULL,
  ci_high_us    REAL NOT NULL,
  relative      REAL NOT NULL,
  relative_low  REAL NOT NULL,
  relative_high REAL NOT NULL,
  p_adjusted    REAL,
  count         INTEGER NOT NULL,
  encoding      TEXT NOT NULL,
  data          BLOB NOT NULL,
  UNIQUE (ranking_id, trial_id)
);

INSERT INTO device VALUES (1, 'f1e2d3c4b5a6', 'cuda:0', 'NVIDIA H200', 'sm_90a', 'GPU-1234', '580.159.04', 1, '{}');
INSERT INTO kernel VALUES (1, 'softmax_topk', 'hash-1', 'Fused softmax + top-k', 'kernel: softmax_topk', 1);
INSERT INTO problem VALUES (1, '{"rows":8192}', 'rows=8192');
INSERT INTO configuration VALUES (1, 'threshold', '{"THREADS":512}', 'threshold THREADS=512');
INSERT INTO configuration VALUES (2, 'naive', '{"THREADS":128}', 'naive THREADS=128');
INSERT INTO run VALUES (1, 'configs/softmax_topk.yaml', 'kernel: softmax_topk', '7', 'exhaustive', '200', '0.1.0',
  '13.0', 'bench-1', 'warpwright sweep', '2026-03-01T12:00:00Z', '2026-03-01T12:10:00Z', 'complete');
INSERT INTO trial VALUES (1, 'key-1', 1, 1, 1, 1, 1, 'ok', '', 372.1, 371.8, 372.6, 0, 'cold-events-1', NULL, '{}', '[]',
  '[]', 'c0ffee', 0.5, 0.25, 0.125, 1980, 1647476736, 0, '2026-03-01T12:00:01Z', 4.4, NULL, 376.5, NULL, '{}');
INSERT INTO trial VALUES (2, 'key-2', 1, 1, 1, 1, 2, 'timeout', 'no end after 2000 ms', NULL, NULL, NULL, 0, '', NULL,
  '{}', '[]', '[]', '', 0.5, 0, 0, 0, 0, 0, '2026-03-01T12:00:02Z', NULL, NULL, NULL, NULL, NULL);
INSERT INTO sample VALUES (1, 2, 'f32le', x'0000803f0010ba43');
INSERT INTO ceiling VALUES (1, 1, 'read', 4430, 'GB/s', NULL, NULL, 'cold-events-1', '2026-03-01T12:00:03Z');
INSERT INTO kernel_source VALUES (1, 'kernels/softmax_topk/kernel.yaml', 'kernel: softmax_topk');
INSERT INTO ranking VALUES (1, 1, 'softmax_topk', 1, 1, 'rounds-1', 2, 0.99, '', '2026-03-01T12:00:04Z', '{}', 1, 2);
INSERT INTO ranking_entry VALUES (1, 1, 1, 1, 371.5, 371.2, 371.8, 1, 1, 1, NULL, 2, 'f32le', x'0000803f0010ba43');
CREATE VIEW v_trial AS SELECT id AS trial FROM trial;
PRAGMA application_id = 0x57617270;
PRAGMA user_version = 3;
