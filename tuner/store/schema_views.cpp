// What people query. The views rank as analysis/leaderboard.h does; tests/analysis hold both
// against each other.
#include <array>

#include "store/schema.h"

namespace warpwright {
namespace {

// Every trial with the names of what it refers to.
constexpr const char* kTrial = R"sql(
CREATE VIEW v_trial AS
SELECT t.id AS trial, k.name AS kernel, k.contract_hash, k.generation AS contract_generation,
       p.text AS problem, p.sizes AS problem_json,
       d.name AS device, d.selector AS device_selector, d.arch, d.driver, d.fingerprint,
       c.variant, c.text AS configuration, c."values" AS configuration_json,
       t.status, t.reason, t.median_us, t.ci_low_us, t.ci_high_us, t.floor_us, t.modelled, t.protocol,
       CASE WHEN t.median_us > 0 AND t.work_bytes > 0 THEN t.work_bytes / t.median_us / 1e3 END
         AS gb_per_s,
       CASE WHEN t.median_us > 0 AND t.work_flops > 0 THEN t.work_flops / t.median_us / 1e3 END
         AS gflop_per_s,
       t.resources, t.counters, t.errors, t.options, t.cubin_hash,
       t.compile_seconds, t.validate_seconds, t.measure_seconds, t.sm_clock_mhz,
       t.key, t.run_id AS run, r.seed, r.strategy, r.version, r.nvrtc_version, r.host, t.started_utc
FROM trial t
JOIN kernel k ON k.id = t.kernel_id
JOIN device d ON d.id = t.device_id
JOIN problem p ON p.id = t.problem_id
JOIN configuration c ON c.id = t.configuration_id
JOIN run r ON r.id = t.run_id
)sql";

// The trials that count: the newest of each key, under the variant's contract that was swept last.
// A trial that failed before a protocol applied belongs to the board of the protocol used last.
constexpr const char* kStanding = R"sql(
CREATE VIEW v_standing AS
SELECT *, CASE WHEN max(timed) OVER (PARTITION BY kernel, problem, fingerprint, protocol)
               THEN protocol
               ELSE first_value(protocol) OVER (PARTITION BY kernel, problem, fingerprint
                                                ORDER BY timed DESC, trial DESC) END
          AS board_protocol
FROM (
  SELECT *, status = 'ok' AND median_us IS NOT NULL AS timed,
         status IN ('wrong_result', 'nondeterministic', 'hazard') AS faulty
  FROM (
    SELECT *, first_value(contract_hash) OVER (
             PARTITION BY kernel, problem, fingerprint, variant
             ORDER BY contract_generation DESC, trial DESC) AS newest_contract
    FROM v_trial WHERE trial IN (SELECT max(id) FROM trial GROUP BY key))
  WHERE contract_hash = newest_contract)
)sql";

// One row per configuration. The newest trial counts, but a configuration that was ever faulty
// (under another seed) is not ranked.
constexpr const char* kLeaderboard = R"sql(
CREATE VIEW v_leaderboard AS
SELECT row_number() OVER board AS rank,
       CASE WHEN modelled THEN median_us = first_value(median_us) OVER board
            ELSE ifnull(ci_low_us, median_us) <=
                 first_value(ifnull(ci_high_us, median_us)) OVER board END AS tied_with_best,
       first_value(median_us) OVER board / median_us AS speed_vs_best,
       kernel, problem, device, device_selector, protocol, variant, configuration, median_us,
       ci_low_us, ci_high_us, floor_us, modelled, gb_per_s, gflop_per_s, configuration_json,
       problem_json, resources, counters, cubin_hash, contract_hash, fingerprint, driver, run, trial
FROM (
  SELECT *,
         row_number() OVER (PARTITION BY kernel, problem, fingerprint, board_protocol, configuration
                            ORDER BY trial DESC) AS age,
         max(faulty) OVER (PARTITION BY kernel, problem, fingerprint, configuration) AS ever_faulty
  FROM v_standing)
WHERE age = 1 AND timed AND NOT ever_faulty
WINDOW board AS (PARTITION BY kernel, problem, fingerprint, board_protocol
                 ORDER BY median_us, configuration)
)sql";

// Everything that was tried and is not ranked for a reason of its own.
constexpr const char* kFailure = R"sql(
CREATE VIEW v_failure AS
SELECT kernel, problem, device, device_selector, status, variant, configuration, reason,
       configuration_json, problem_json, contract_hash, fingerprint, driver, run, trial
FROM v_standing WHERE status <> 'ok'
)sql";

// The newest measured ceiling of each kind.
constexpr const char* kCeiling = R"sql(
CREATE VIEW v_ceiling AS
SELECT d.name AS device, d.selector AS device_selector, d.fingerprint, c.name AS ceiling, c.value, c.unit,
       c.ci_low, c.ci_high, c.protocol, c.measured_utc
FROM ceiling c JOIN device d ON d.id = c.device_id
WHERE c.id IN (SELECT max(id) FROM ceiling GROUP BY device_id, name)
)sql";

constexpr std::array kViews = {View{"v_trial", kTrial}, View{"v_standing", kStanding},
                               View{"v_leaderboard", kLeaderboard}, View{"v_failure", kFailure},
                               View{"v_ceiling", kCeiling}};

}  // namespace

std::span<const View> views() { return kViews; }

}  // namespace warpwright
