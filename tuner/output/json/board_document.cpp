#include "output/json/board_document.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "metrics/trial_metrics.h"
#include "output/json/json_values.h"
#include "output/text/limit_text.h"

namespace warpwright {
namespace {

using Json = nlohmann::json;

Json final_json(const LeaderboardEntry& entry) {
  if (!entry.finalist) return nullptr;
  return {{"place", entry.finalist->place},
          {"relative", entry.finalist->relative},
          {"relative_low", entry.finalist->relative_low},
          {"relative_high", entry.finalist->relative_high},
          {"p_adjusted", or_null(entry.finalist->p_adjusted)},
          {"screened_median_us", or_null(entry.row.trial.median_us)}};
}

Json ranking_json(const std::optional<RankingRecord>& ranking) {
  if (!ranking) return nullptr;
  return {{"protocol", ranking->protocol},
          {"rounds", ranking->rounds},
          {"confidence", ranking->confidence},
          {"finalists", ranking->entries.size()},
          {"tied", std::count_if(ranking->entries.begin(), ranking->entries.end(),
                                 [](const auto& entry) { return entry.tied; })},
          {"decided_by", ranking->decided_by},
          {"started_utc", ranking->started_utc},
          {"winner", ranking->winner},
          {"headline", document_of(ranking->headline)}};
}

Json failure_json(const FailureGroup& group) {
  const FailureAdvice& advice = group.advice;
  Json constraints = Json::array();
  for (const ConstraintHint& hint : advice.constraints) {
    constraints.push_back({{"expression", hint.expression},
                           {"excludes", hint.excludes},
                           {"documented", hint.documented},
                           {"alternatives", hint.alternatives}});
  }
  return {{"status", status_name(group.status)},
          {"cause", group.cause},
          {"example", group.example},
          {"example_configuration", group.example_configuration},
          {"example_trial", group.example_trial},
          {"count", group.count},
          {"trials", group.trials},
          {"advice",
           {{"constraints", std::move(constraints)},
            {"failures", advice.failures},
            {"excluded", advice.excluded},
            {"kept", advice.kept},
            {"problems", advice.problems},
            {"note", advice.note.empty() ? Json(nullptr) : Json(advice.note)}}}};
}

}  // namespace

Json board_document(const Leaderboard& board) {
  Json failures = Json::array();
  for (const FailureGroup& group : board.failures) failures.push_back(failure_json(group));
  Json document = {
      {"kernel", board.kernel},
      {"problem", document_of(board.problem)},
      {"problem_text", board.problem_text},
      {"device",
       {{"id", board.device_id}, {"name", board.device_name}, {"driver", board.device_driver}}},
      {"modelled", board.modelled},
      {"imported", or_null(board.imported)},
      {"protocol", board.protocol},
      {"contract_hash", board.contract_hash},
      {"outdated", board.outdated},
      {"ranking", ranking_json(board.ranking)},
      {"lapsed_ranking", board.lapsed_ranking.empty() ? Json(nullptr) : Json(board.lapsed_ranking)},
      {"pruned", {{"count", board.pruned}, {"at_least_us", or_null(board.pruned_at_least_us)}}},
      {"noisy", {{"count", board.noisy}}},
      {"limit", limit_json(board)},
      {"missing_ceiling",
       board.missing_ceiling.empty() ? Json(nullptr) : Json(board.missing_ceiling)},
      {"over_default", speedup_json(board.over_default)},
      {"over_baseline", speedup_json(board.over_baseline)},
      {"failures", std::move(failures)},
      {"trials", board.trials},
      {"stale", board.stale}};
  if (board.goal) document["goal"] = goal_json(board);
  if (!board.contract_remarks.empty()) document["contract_remarks"] = board.contract_remarks;
  return document;
}

Json entry_document(const Leaderboard& board, const LeaderboardEntry& entry) {
  const TrialRecord& trial = entry.row.trial;
  const ResourceSummary resources = summarise_resources(*trial.resources);
  Json document = {
      {"rank", entry.rank},
      {"tied_with_best", entry.tied_with_best},
      {"speed_vs_best", entry.speed_vs_best},
      {"configuration_text", trial.configuration_text},
      {"variant", trial.variant},
      {"median_us", entry.median_us},
      {"ci_low_us", or_null(entry.ci_low_us)},
      {"ci_high_us", or_null(entry.ci_high_us)},
      {"floor_us", or_null(trial.floor_us)},
      {"raw_median_us", or_null(trial.raw_median_us)},
      {"final", final_json(entry)},
      {"modelled", trial.modelled},
      {"protocol", trial.protocol},
      {"gb_per_s", or_null(entry.gigabytes_per_second)},
      {"gflop_per_s", or_null(entry.gigaflops_per_second)},
      {"limit_fraction", entry.limit_share ? Json(entry.limit_share->fraction) : Json(nullptr)},
      {"limit_standing", standing_json(entry.limit_share)},
      {"work_bytes", trial.work_bytes},
      {"work_bytes_written", or_null(trial.work_bytes_written)},
      {"work_flops", trial.work_flops},
      {"arithmetic", trial.arithmetic},
      {"registers", or_null(resources.registers)},
      {"shared_bytes", or_null(resources.shared_bytes)},
      {"spill_bytes", or_null(resources.spill_bytes)},
      {"status", status_name(trial.status)},
      {"contract_hash", entry.row.contract_hash},
      {"trial", trial.id},
      {"same_as", or_null(trial.same_as)},
      {"compile_seconds", trial.compile_seconds},
      {"validate_seconds", trial.validate_seconds},
      {"measure_seconds", trial.measure_seconds}};
  if (!entry.version.empty()) document["version"] = entry.version;
  if (board.goal) document["goal"] = entry_goal_json(board, entry);
  return document;
}

}  // namespace warpwright
