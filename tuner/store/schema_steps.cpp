// The migrations themselves. A step that has been released is never edited: add the next one.
#include <array>

#include "store/schema.h"

namespace warpwright {
namespace {

// Names follow results/README.md. Times are in microseconds, and their names say so; the values of
// a trial that only people and the exporters read stay JSON, so that a new counter needs no
// migration.
constexpr const char* kStep1 = R"sql(
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
)sql";

// Version 2: the empty kernel's time for every trial, measured ceilings, and boards without a full
// scan.
constexpr const char* kStep2 = R"sql(
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
)sql";

// Version 3: observations while a trial was timed, bounds of pruned trials, the sources themselves,
// and final rankings.
constexpr const char* kStep3 = R"sql(
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
)sql";

// Version 4: the data for a lower bound of a trial's time, and for comparisons with its kernel's
// default and baseline.
constexpr const char* kStep4 = R"sql(
ALTER TABLE trial ADD COLUMN work_bytes_written REAL;
ALTER TABLE trial ADD COLUMN arithmetic TEXT;
ALTER TABLE kernel ADD COLUMN default_configuration TEXT;
ALTER TABLE kernel ADD COLUMN baseline INTEGER CHECK (baseline IS NULL OR baseline IN (0, 1));
)sql";

// Version 5: the goals of a run other than a short time.
constexpr const char* kStep5 = R"sql(
ALTER TABLE run ADD COLUMN goal TEXT CHECK (goal IS NULL OR json_valid(goal));
)sql";

// Version 6 adds contract checks.
constexpr const char* kStep6 = R"sql(
CREATE TABLE contract_check (
  run_id     INTEGER NOT NULL REFERENCES run,
  kernel_id  INTEGER NOT NULL REFERENCES kernel,
  problem_id INTEGER NOT NULL REFERENCES problem,
  remarks    TEXT NOT NULL CHECK (json_valid(remarks)),
  UNIQUE (run_id, kernel_id, problem_id)
);
)sql";

// Version 7: checksums of rows, which row_seal.h describes. Existing rows have none.
constexpr const char* kStep7 = R"sql(
ALTER TABLE device ADD COLUMN checksum BLOB;
ALTER TABLE kernel ADD COLUMN checksum BLOB;
ALTER TABLE problem ADD COLUMN checksum BLOB;
ALTER TABLE configuration ADD COLUMN checksum BLOB;
ALTER TABLE run ADD COLUMN checksum BLOB;
ALTER TABLE trial ADD COLUMN checksum BLOB;
ALTER TABLE sample ADD COLUMN checksum BLOB;
ALTER TABLE ceiling ADD COLUMN checksum BLOB;
ALTER TABLE kernel_source ADD COLUMN checksum BLOB;
ALTER TABLE contract_check ADD COLUMN checksum BLOB;
ALTER TABLE ranking ADD COLUMN checksum BLOB;
ALTER TABLE ranking_entry ADD COLUMN checksum BLOB;
)sql";

constexpr std::array kSteps = {Migration{1, kStep1}, Migration{2, kStep2}, Migration{3, kStep3},
                               Migration{4, kStep4}, Migration{5, kStep5}, Migration{6, kStep6},
                               Migration{7, kStep7}};

}  // namespace

std::span<const Migration> migrations() { return kSteps; }

int current_schema_version() { return kSteps.back().version; }

}  // namespace warpwright
