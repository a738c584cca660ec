#include "store/schema.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "core/error.h"
#include "records/status.h"
#include "records/trial_figures.h"

namespace warpwright {

bool migrate(Connection& connection, std::span<const Migration> steps,
             std::span<const View> views) {
  WARPWRIGHT_CHECK(!steps.empty(), "a schema has at least one step");
  if (connection.query_integer("PRAGMA user_version") >= steps.back().version) return false;

  // A step may rebuild a table that others refer to, so foreign keys are switched off and checked
  // at the end. The pragma is ignored inside a transaction, so it comes first.
  connection.execute("PRAGMA foreign_keys = OFF");
  Transaction transaction(connection);
  // Another process may have migrated while this one waited for the lock.
  const std::int64_t from = connection.query_integer("PRAGMA user_version");
  for (const View& view : views)
    connection.execute(fmt::format("DROP VIEW IF EXISTS {}", view.name));
  for (const Migration& step : steps) {
    if (step.version > from) connection.execute(step.sql);
  }
  for (const View& view : views) connection.execute(view.sql);
  if (Statement broken(connection, "PRAGMA foreign_key_check"); broken.step()) {
    throw Error(Fault::kInternal,
                fmt::format("{}: after migration from schema {} to {} a row of table {} refers to "
                            "nothing; the database was left as it was; please report this",
                            connection.name(), from, steps.back().version, broken.next_text()));
  }
  connection.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                                 kApplicationId, steps.back().version));
  transaction.commit();
  connection.execute("PRAGMA foreign_keys = ON");
  return true;
}

namespace {

// The migrations themselves. A step that has been released is never edited: add the next one.

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

// Version 8 changes only a view: when a final ranking applies.
constexpr const char* kStep8 = "";

constexpr std::array kSteps = {Migration{1, kStep1}, Migration{2, kStep2}, Migration{3, kStep3},
                               Migration{4, kStep4}, Migration{5, kStep5}, Migration{6, kStep6},
                               Migration{7, kStep7}, Migration{8, kStep8}};

}  // namespace

std::span<const Migration> migrations() { return kSteps; }

int current_schema_version() { return kSteps.back().version; }

namespace {

// The views that people query. They rank as analysis/board/leaderboard.h does; tests/analysis
// compares the two.

// Every trial with the names of the records that it refers to.
constexpr const char* kTrial = R"sql(
CREATE VIEW v_trial AS
SELECT t.id AS trial, k.name AS kernel, k.contract_hash, k.generation AS contract_generation,
       p.text AS problem, p.sizes AS problem_json,
       d.name AS device, d.selector AS device_selector, d.arch, d.driver, d.fingerprint,
       c.variant, c.text AS configuration, c."values" AS configuration_json,
       t.status, t.reason, t.median_us, t.ci_low_us, t.ci_high_us, t.floor_us, t.raw_median_us,
       t.at_least_us, t.modelled, t.protocol,
       CASE WHEN t.median_us > 0 AND t.work_bytes > 0 THEN t.work_bytes / t.median_us / 1e3 END
         AS gb_per_s,
       CASE WHEN t.median_us > 0 AND t.work_flops > 0 THEN t.work_flops / t.median_us / 1e3 END
         AS gflop_per_s,
       t.work_bytes, t.work_bytes_written, t.work_flops, t.arithmetic,
       k.baseline, c.text = k.default_configuration AS is_default,
       t.resources, t.counters, t.errors, t.measurement, t.options, t.cubin_hash, t.same_as,
       t.compile_seconds, t.validate_seconds, t.measure_seconds, t.sm_clock_mhz,
       t.key, t.run_id AS run, r.seed, r.strategy, r.version, r.nvrtc_version, r.host, t.started_utc
)sql";
constexpr const char* kTrialTables = R"sql(
FROM trial t
JOIN kernel k ON k.id = t.kernel_id
JOIN device d ON d.id = t.device_id
JOIN problem p ON p.id = t.problem_id
JOIN configuration c ON c.id = t.configuration_id
JOIN run r ON r.id = t.run_id
)sql";

// The trials that count: the newest of each key, under the variant's contract that was swept last.
// One that settles nothing (noisy, or not compiled) is the newest only if there is no other. A
// trial that failed before a protocol applied belongs to the board of the protocol used last.
// Infinite values and values not above 0 are not times and are not ranked; a text is greater than
// every number.
constexpr const char* kStanding = R"sql(
CREATE VIEW v_standing AS
SELECT *, CASE WHEN max(timed) OVER (PARTITION BY kernel, problem, fingerprint, protocol)
               THEN protocol
               ELSE first_value(protocol) OVER (PARTITION BY kernel, problem, fingerprint
                                                ORDER BY timed DESC, trial DESC) END
          AS board_protocol
FROM (
  SELECT *, ifnull(status = 'ok' AND median_us > 0 AND median_us < 9e999, 0) AS timed,
         status IN [faulty] AS faulty
  FROM (
    SELECT *, first_value(contract_hash) OVER (
             PARTITION BY kernel, problem, fingerprint, variant
             ORDER BY contract_generation DESC, contract_hash DESC) AS newest_contract
    FROM v_trial
    WHERE trial IN (SELECT ifnull(max(CASE WHEN status NOT IN [unsettled] THEN id END), max(id))
                    FROM trial GROUP BY key))
  WHERE contract_hash = newest_contract)
)sql";

// The newest final ranking of each board.
constexpr const char* kRanking = R"sql(
CREATE VIEW v_ranking AS
SELECT r.id AS ranking, r.kernel_name AS kernel, p.text AS problem, d.name AS device,
       d.selector AS device_selector, d.fingerprint, w.protocol AS board_protocol, r.protocol,
       r.rounds, r.confidence, r.decided_by, r.started_utc, r.headline, r.winner_id AS winner,
       c.text AS winner_configuration, r.last_trial, r.run_id AS run,
       (SELECT count(*) FROM ranking_entry WHERE ranking_id = r.id) AS finalists,
       (SELECT sum(tied) FROM ranking_entry WHERE ranking_id = r.id) AS tied,
       (SELECT ci_high_us FROM ranking_entry WHERE ranking_id = r.id AND place = 1)
         AS winner_ci_high_us
FROM ranking r
JOIN trial w ON w.id = r.winner_id
JOIN configuration c ON c.id = w.configuration_id
JOIN device d ON d.id = r.device_id
JOIN problem p ON p.id = r.problem_id
WHERE r.id IN (SELECT max(r.id) FROM ranking r JOIN trial w ON w.id = r.winner_id
               JOIN problem p ON p.id = r.problem_id
               GROUP BY r.kernel_name, r.device_id, p.text, w.protocol)
)sql";

// One row per configuration. The newest trial counts, but a configuration that was ever faulty
// (under another seed) is not ranked. A ranking applies while all of its finalists count and no
// newer trial of another configuration may beat its winner. Nor may an older one that cannot have
// been a candidate: it is clearly faster, before the ranking, than all finalists were.
constexpr const char* kLeaderboard = R"sql(
CREATE VIEW v_leaderboard AS
WITH entry AS MATERIALIZED (
  SELECT * FROM (
    SELECT *,
           row_number() OVER (PARTITION BY kernel, problem, fingerprint, board_protocol, configuration
                              ORDER BY status IN [unsettled], trial DESC) AS age,
           CASE WHEN ci_low_us > 0 AND ci_low_us < 9e999 THEN ci_low_us END AS low,
           CASE WHEN ci_high_us > 0 AND ci_high_us < 9e999 THEN ci_high_us END AS high,
           max(faulty) OVER (PARTITION BY kernel, problem, fingerprint, configuration) AS ever_faulty
    FROM v_standing)
  WHERE age = 1 AND timed AND NOT ever_faulty),
applied AS MATERIALIZED (
  SELECT * FROM v_ranking r
  WHERE NOT EXISTS (SELECT 1 FROM ranking_entry e WHERE e.ranking_id = r.ranking
                    AND e.trial_id NOT IN (SELECT trial FROM entry))
    AND NOT EXISTS (SELECT 1 FROM entry o
                    WHERE o.kernel = r.kernel AND o.problem = r.problem
                      AND o.fingerprint = r.fingerprint AND o.board_protocol = r.board_protocol
                      AND CASE WHEN o.trial > r.last_trial
                               THEN ifnull(o.low, o.median_us) < r.winner_ci_high_us
                               ELSE o.median_us < 0.9 * (SELECT min(f.median_us) FROM entry f
                                    JOIN ranking_entry e ON e.trial_id = f.trial
                                    WHERE e.ranking_id = r.ranking) END
                      AND ifnull(o.same_as, o.trial) NOT IN
                          (SELECT trial_id FROM ranking_entry WHERE ranking_id = r.ranking))),
shown AS (
  SELECT o.*, a.ranking, e.place, e.tied AS final_tie,
         CASE WHEN e.place IS NULL THEN o.median_us ELSE e.median_us END AS us,
         CASE WHEN e.place IS NULL THEN o.low ELSE e.ci_low_us END AS low_us,
         CASE WHEN e.place IS NULL THEN o.high ELSE e.ci_high_us END AS high_us
  FROM entry o
  LEFT JOIN applied a ON a.kernel = o.kernel AND a.problem = o.problem
    AND a.fingerprint = o.fingerprint AND a.board_protocol = o.board_protocol
  LEFT JOIN ranking_entry e ON e.ranking_id = a.ranking AND e.trial_id = o.trial)
SELECT row_number() OVER board AS rank,
       CASE WHEN ranking IS NOT NULL THEN ifnull(final_tie, 0)
            WHEN modelled THEN us = first_value(us) OVER board
            ELSE ifnull(low_us, us) <= first_value(ifnull(high_us, us)) OVER board END
         AS tied_with_best,
       first_value(us) OVER board / us AS speed_vs_best,
       kernel, problem, device, device_selector, protocol, variant, configuration, us AS median_us,
       low_us AS ci_low_us, high_us AS ci_high_us, floor_us, modelled, ranking, place,
       gb_per_s * median_us / us AS gb_per_s, gflop_per_s * median_us / us AS gflop_per_s,
       work_bytes, work_bytes_written, work_flops, arithmetic, baseline, is_default,
       configuration_json, problem_json, resources, counters, cubin_hash, same_as, contract_hash,
       fingerprint, driver, run, trial
FROM shown
WINDOW board AS (PARTITION BY kernel, problem, fingerprint, board_protocol
                 ORDER BY place IS NULL, place, us, configuration)
)sql";

// All trials that failed; pruned and noisy ones did not.
constexpr const char* kFailure = R"sql(
CREATE VIEW v_failure AS
SELECT kernel, problem, device, device_selector, status, variant, configuration, reason,
       configuration_json, problem_json, contract_hash, fingerprint, driver, run, trial
FROM v_standing WHERE status NOT IN [right]
)sql";

// The newest measured ceiling of each kind.
constexpr const char* kCeiling = R"sql(
CREATE VIEW v_ceiling AS
SELECT d.name AS device, d.selector AS device_selector, d.fingerprint, c.name AS ceiling, c.value, c.unit,
       c.ci_low, c.ci_high, c.protocol, c.measured_utc
FROM ceiling c JOIN device d ON d.id = c.device_id
WHERE c.id IN (SELECT max(id) FROM ceiling GROUP BY device_id, name)
)sql";

// Figures of later versions than the text above come last.
std::string trial_view() {
  constexpr int kListed = 7;
  std::string sql = kTrial;
  for (const TrialFigure& figure : kTrialFigures)
    if (figure.schema > kListed) sql += fmt::format(", t.{}", figure.name);
  return sql + kTrialTables;
}

// "('noisy', 'not_compiled')"
std::string statuses_that(bool (*holds)(Status)) {
  std::string list;
  for (const Status status : all_statuses())
    if (holds(status)) list += fmt::format("{}'{}'", list.empty() ? "" : ", ", status_name(status));
  return "(" + list + ")";
}

// Replaces [unsettled], [faulty] and [right] by the statuses that records/status.h says so of.
std::string with_statuses(std::string sql) {
  const auto replace = [&sql](std::string_view mark, const std::string& list) {
    for (std::size_t at = sql.find(mark); at != std::string::npos; at = sql.find(mark, at))
      sql.replace(at, mark.size(), list);
  };
  replace("[unsettled]", unsettled_statuses());
  replace("[faulty]", statuses_that(proves_fault));
  replace("[right]", statuses_that(ran_right));
  return sql;
}

}  // namespace

const std::string& unsettled_statuses() {
  static const std::string kUnsettled =
      statuses_that([](Status status) { return !settled(status); });
  return kUnsettled;
}

std::span<const View> views() {
  static const std::string kTrialView = trial_view();
  static const std::string kStandingView = with_statuses(kStanding);
  static const std::string kLeaderboardView = with_statuses(kLeaderboard);
  static const std::string kFailureView = with_statuses(kFailure);
  static const std::array kViews = {View{"v_trial", kTrialView.c_str()},
                                    View{"v_standing", kStandingView.c_str()},
                                    View{"v_ranking", kRanking},
                                    View{"v_leaderboard", kLeaderboardView.c_str()},
                                    View{"v_failure", kFailureView.c_str()},
                                    View{"v_ceiling", kCeiling}};
  return kViews;
}

}  // namespace warpwright
