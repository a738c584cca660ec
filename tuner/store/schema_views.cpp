// The views that people query. They rank as analysis/board/leaderboard.h does; tests/analysis
// compares the two.
#include <fmt/format.h>

#include <array>
#include <string>

#include "records/trial_figures.h"
#include "store/schema.h"

namespace warpwright {
namespace {

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
// A noisy one is the newest only if there is no other. A trial that failed before a protocol
// applied belongs to the board of the protocol used last. Infinite values and values not above 0
// are not times and are not ranked; a text is greater than every number.
constexpr const char* kStanding = R"sql(
CREATE VIEW v_standing AS
SELECT *, CASE WHEN max(timed) OVER (PARTITION BY kernel, problem, fingerprint, protocol)
               THEN protocol
               ELSE first_value(protocol) OVER (PARTITION BY kernel, problem, fingerprint
                                                ORDER BY timed DESC, trial DESC) END
          AS board_protocol
FROM (
  SELECT *, ifnull(status = 'ok' AND median_us > 0 AND median_us < 9e999, 0) AS timed,
         status IN ('wrong_result', 'nondeterministic', 'hazard') AS faulty
  FROM (
    SELECT *, first_value(contract_hash) OVER (
             PARTITION BY kernel, problem, fingerprint, variant
             ORDER BY contract_generation DESC, trial DESC) AS newest_contract
    FROM v_trial WHERE trial IN (SELECT ifnull(max(CASE WHEN status <> 'noisy' THEN id END), max(id))
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
// newer trial of another configuration may beat its winner.
constexpr const char* kLeaderboard = R"sql(
CREATE VIEW v_leaderboard AS
WITH entry AS MATERIALIZED (
  SELECT * FROM (
    SELECT *,
           row_number() OVER (PARTITION BY kernel, problem, fingerprint, board_protocol, configuration
                              ORDER BY status = 'noisy', trial DESC) AS age,
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
                      AND o.trial > r.last_trial
                      AND ifnull(o.ci_low_us, o.median_us) < r.winner_ci_high_us
                      AND ifnull(o.same_as, o.trial) NOT IN
                          (SELECT trial_id FROM ranking_entry WHERE ranking_id = r.ranking))),
shown AS (
  SELECT o.*, a.ranking, e.place, e.tied AS final_tie,
         CASE WHEN e.place IS NULL THEN o.median_us ELSE e.median_us END AS us,
         CASE WHEN e.place IS NULL THEN o.ci_low_us ELSE e.ci_low_us END AS low_us,
         CASE WHEN e.place IS NULL THEN o.ci_high_us ELSE e.ci_high_us END AS high_us
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
FROM v_standing WHERE status NOT IN ('ok', 'pruned', 'noisy')
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

}  // namespace

std::span<const View> views() {
  static const std::string kTrialView = trial_view();
  static const std::array kViews = {
      View{"v_trial", kTrialView.c_str()}, View{"v_standing", kStanding},
      View{"v_ranking", kRanking},         View{"v_leaderboard", kLeaderboard},
      View{"v_failure", kFailure},         View{"v_ceiling", kCeiling}};
  return kViews;
}

}  // namespace warpwright
