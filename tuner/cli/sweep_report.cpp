#include "cli/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "analysis/board/board_additions.h"
#include "analysis/board/impossible.h"
#include "analysis/board/objections.h"
#include "analysis/board/version_names.h"
#include "analysis/insight/failure_advice.h"
#include "analysis/insight/importance.h"
#include "core/words.h"
#include "output/json/leaderboards_json.h"
#include "output/text/leaderboard_text.h"
#include "output/text/limit_text.h"
#include "output/text/search_text.h"
#include "store/database.h"
#include "terminal/numbers.h"

namespace warpwright {
namespace {

// Points the kernel's author to problems that did not make the kernel fail.
std::string remarks(const std::vector<Leaderboard>& boards) {
  std::string text;
  std::map<std::string, std::size_t> idle;
  for (const Leaderboard& board : boards)
    for (const IdleParameter& one : idle_parameters(board)) idle[one.name] += one.configurations;
  // A parameter that has an effect for another problem is not idle.
  for (const auto& [name, configurations] : idle) {
    const bool everywhere =
        std::all_of(boards.begin(), boards.end(), [&name = name](const Leaderboard& board) {
          const auto here = idle_parameters(board);
          return board.entries.empty() ||
                 std::any_of(here.begin(), here.end(),
                             [&](const IdleParameter& one) { return one.name == name; });
        });
    if (!everywhere) continue;
    text += fmt::format(
        "{} changes no machine code, launch or argument: {} configurations that differ in it alone "
        "are the same programs; does the source use it?\n",
        name, configurations);
  }
  for (const CompilerWarning& warning : compiler_warnings(boards)) {
    text += fmt::format("{} ({} {})\n", warning.text, warning.configurations,
                        warning.configurations == 1 ? "configuration" : "configurations");
  }
  return text;
}

// The sweep's GPU time divided into shares; "" without a GPU, or with several devices.
std::string shares_line(const SweepSummary& summary) {
  // The sums cover all devices, so they need a single one.
  const bool one_gpu =
      !summary.boards.empty() && summary.gpus.empty() &&
      std::all_of(summary.boards.begin(), summary.boards.end(), [&](const SweepBoard& board) {
        return board.device.has_clock && board.device.id == summary.boards.front().device.id;
      });
  if (!one_gpu || summary.wall_seconds <= 0 || summary.trials == summary.resumed) return "";
  const double other = summary.measure_busy_seconds - summary.case_seconds - summary.input_seconds -
                       summary.validate_seconds - summary.trial_measure_seconds -
                       summary.ranking_seconds;
  std::string text;
  const auto add = [&](const char* what, double seconds) {
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", what,
                        100 * std::max(0.0, seconds) / summary.wall_seconds);
  };
  add("cases", summary.case_seconds);
  add("inputs and references", summary.input_seconds);
  add("validation", summary.validate_seconds);
  add("samples", summary.trial_measure_seconds);
  add("ranking", summary.ranking_seconds);
  add("loading and messages", other);
  add("starting and waiting for compilers", summary.wall_seconds - summary.measure_busy_seconds);
  return "the GPU's process: " + text + "\n";
}

std::string summary_line(const SweepSummary& summary) {
  std::string statuses;
  for (const auto& [status, count] : summary.by_status)
    statuses += fmt::format("{}{} {}", statuses.empty() ? "" : ", ", count, status_name(status));
  std::string text =
      fmt::format("{} trials ({}{}) in {}", summary.trials, statuses,
                  summary.resumed > 0 ? fmt::format("; {} already known", summary.resumed) : "",
                  format_duration(summary.wall_seconds));
  if (summary.trials > summary.resumed) {
    text += fmt::format(
        ": compiling {:.1f} s over {} workers ({} compiled, {} from cache), measuring {:.1f} s",
        summary.compile_busy_seconds, summary.compile_workers, summary.compiled,
        summary.compile_cache_hits, summary.measure_busy_seconds);
    if (summary.rankings > 0) {
      text += fmt::format(", of which {:.1f} s for {}", summary.ranking_seconds,
                          plural(summary.rankings, "final ranking"));
    }
    if (summary.shared > 0)
      text += fmt::format("; {} share the measurement of equal code", summary.shared);
    if (summary.guests > 0) text += fmt::format("; {} timed on another GPU too", summary.guests);
    if (summary.repeated > 0)
      text += fmt::format("; {} measured again because the device had changed", summary.repeated);
  }
  if (summary.measurers_lost > 0) {
    text += fmt::format("; {} measuring {} lost and replaced", summary.measurers_lost,
                        summary.measurers_lost == 1 ? "process was" : "processes were");
  }
  if (summary.ended == RunEnd::kEnough) text += "; ended because more was unlikely to pay";
  if (summary.ended == RunEnd::kBudget) text += "; the budget ended it before the space did";
  if (summary.ended == RunEnd::kInterrupted)
    text += summary.fresh ? "; interrupted: run the same command without --fresh to go on"
                          : "; interrupted: run the same command to go on";
  return text + "\n";
}

// Describes the GPUs that shared their boards, and how they differ.
std::string gpus_text(const SweepSummary& summary) {
  std::string text;
  for (const GpuShare& share : summary.gpus) {
    if (share.device.id == share.lead.id) {
      const auto others =
          std::count_if(summary.gpus.begin(), summary.gpus.end(),
                        [&](const GpuShare& other) { return other.lead.id == share.lead.id; });
      text += fmt::format(
          "{} GPUs of one kind shared the trials; the best of all met on {} and are ranked there, "
          "each GPU's own times are in `warpwright show {}`\n",
          others, share.lead.id, summary.kernel.name);
    }
    text += fmt::format("{} timed {}, measuring {:.1f} s", share.device.id, share.timed,
                        share.busy_seconds);
    if (const auto& found = share.difference) {
      const bool slower = found->fraction >= 0;
      const double sign = slower ? 100 : -100;
      text += fmt::format(
          "; {:.1f} % {} than {} [{:.1f}, {:.1f}], by {}", sign * found->fraction,
          slower ? "slower" : "faster", share.lead.id, sign * (slower ? found->low : found->high),
          sign * (slower ? found->high : found->low), plural(found->anchors, "configuration"));
    }
    text += "\n";
  }
  return text;
}

// States that the leaderboards above cover only a shard.
std::string shard_line(const SweepSummary& summary) {
  if (!summary.shard) return "";
  return fmt::format(
      "shard {} of {}: what is above is ranked among this shard's configurations only; join the "
      "databases of all with `merge`, then rank the best of them on one GPU with "
      "`sweep --rank-only`\n",
      summary.shard->index, summary.shard->count);
}

// Configurations that were selected but have no result.
std::string stopped_line(const SweepSummary& summary) {
  const auto found = summary.by_status.find(Status::kNotCompiled);
  if (found == summary.by_status.end()) return "";
  const bool one = found->second == 1;
  return fmt::format(
      "{} configuration{} {} not compiled because the machine stopped the compiler (see the "
      "reason{} in `warpwright show {}`): this says nothing about {}, and the same command tries "
      "{} "
      "again\n",
      found->second, one ? "" : "s", one ? "was" : "were", one ? "" : "s", summary.kernel.name,
      one ? "it" : "them", one ? "it" : "them");
}

std::string prior_line(const PriorSummary& prior) {
  if (prior.candidates == 0) return "";
  return fmt::format("{} modelled {} of {} configurations for the search in {}\n", prior.device,
                     prior.modelled, prior.candidates, format_duration(prior.seconds));
}

// Findings of the checkers that the sweep did not reject.
std::string objections_line(const SweepSummary& summary, const std::vector<Leaderboard>& boards) {
  const Objections objections = count_objections(boards);
  if (objections.configurations == 0) return "";
  const bool one = objections.configurations == 1;
  return fmt::format(
      "{} configuration{} but {} what the checkers object to: {}; `warpwright vet {}` tells more\n",
      objections.configurations, one ? " works" : "s work", one ? "does" : "do",
      kinds_text(objections), summary.kernel.name);
}

// Describes how the searches went, and whether continuing them is likely to help.
std::string searches_text(const SweepSummary& summary) {
  std::string text;
  for (const SearchCourse& course : summary.searches) {
    if (summary.searches.size() > 1) text += course.problem_text + ": ";
    const auto board = std::find_if(
        summary.boards.begin(), summary.boards.end(),
        [&](const SweepBoard& one) { return one.device.fingerprint() == course.fingerprint; });
    text += search_text(course, board != summary.boards.end() && !board->device.has_clock);
  }
  return text;
}

}  // namespace

std::vector<Leaderboard> swept_boards(const SweepSummary& summary) {
  const Database database(summary.database, OpenMode::kReadOnly);
  Database::TrialFilter filter;
  filter.kernel = summary.kernel.name;
  std::set<std::pair<std::string, std::string>> wanted;
  for (const SweepBoard& board : summary.boards)
    wanted.insert({board.device.fingerprint(), board.problem_text});
  std::vector<Database::TrialRow> rows = database.trials(filter);
  std::erase_if(rows, [&](const Database::TrialRow& row) {
    return !wanted.contains({row.device_fingerprint, row.trial.problem_text});
  });
  std::vector<Leaderboard> boards =
      make_leaderboards(rows, database.rankings({.kernel = filter.kernel}), BoardGoals(database),
                        read_peaks(database));
  VersionNames(database).add_to(boards);
  add_limits(boards, read_roofs(database));
  add_contract_remarks(boards, database.contract_checks(filter.kernel));
  advise_on_failures(boards, database.devices());
  return boards;
}

std::string sweep_report_text(const SweepSummary& summary, const std::vector<Leaderboard>& boards) {
  return remarks(boards) + searches_text(summary) + summary_line(summary) + stopped_line(summary) +
         prior_line(summary.prior) + gpus_text(summary) + shard_line(summary) +
         shares_line(summary) + objections_line(summary, boards) + calibration_hint(boards) +
         fmt::format("results in {}; see them again with `warpwright show {}`\n",
                     summary.database.string(), summary.kernel.name);
}

nlohmann::json sweep_report_json(const SweepSummary& summary,
                                 const std::vector<Leaderboard>& boards) {
  nlohmann::json json = leaderboards_json(boards);
  nlohmann::json statuses = nlohmann::json::object();
  for (const auto& [status, count] : summary.by_status)
    statuses[std::string(status_name(status))] = count;
  json["sweep"] = {{"run", summary.run},
                   {"kernel", summary.kernel.name},
                   {"database", summary.database.string()},
                   {"ended", run_end_name(summary.ended)},
                   {"trials", summary.trials},
                   {"resumed", summary.resumed},
                   {"statuses", statuses},
                   {"wall_seconds", summary.wall_seconds},
                   {"compile_busy_seconds", summary.compile_busy_seconds},
                   {"compile_workers", summary.compile_workers},
                   {"compiled", summary.compiled},
                   {"compile_cache_hits", summary.compile_cache_hits},
                   {"measure_busy_seconds", summary.measure_busy_seconds},
                   {"trial_measure_seconds", summary.trial_measure_seconds},
                   {"case_seconds", summary.case_seconds},
                   {"input_seconds", summary.input_seconds},
                   {"validate_seconds", summary.validate_seconds},
                   {"rankings", summary.rankings},
                   {"ranking_seconds", summary.ranking_seconds},
                   {"repeated", summary.repeated},
                   {"shared", summary.shared},
                   {"measurers_lost", summary.measurers_lost},
                   {"retried", summary.retried}};
  nlohmann::json spaces = nlohmann::json::array();
  for (const SweepBoard& board : summary.boards) {
    spaces.push_back({{"device", board.device.id},
                      {"problem_text", board.problem_text},
                      {"valid", board.space_count},
                      {"cartesian", board.cartesian_size}});
    if (!board.began_with.empty()) spaces.back()["began_with"] = board.began_with;
  }
  json["sweep"]["spaces"] = std::move(spaces);
  if (!summary.version_changes.empty()) json["sweep"]["version_changes"] = summary.version_changes;
  if (summary.shard)
    json["sweep"]["shard"] = {{"index", summary.shard->index}, {"count", summary.shard->count}};
  if (!summary.searches.empty()) json["sweep"]["searches"] = summary.searches;
  if (const PriorSummary& prior = summary.prior; prior.candidates > 0) {
    json["sweep"]["prior"] = {{"device", prior.device},
                              {"candidates", prior.candidates},
                              {"modelled", prior.modelled},
                              {"failed", prior.failed},
                              {"seconds", prior.seconds}};
  }
  for (const GpuShare& share : summary.gpus) {
    nlohmann::json gpu = {{"device", share.device.id},
                          {"uuid", share.device.uuid},
                          {"lead", share.lead.id},
                          {"timed", share.timed},
                          {"busy_seconds", share.busy_seconds}};
    if (const auto& found = share.difference) {
      gpu["slower"] = {{"fraction", found->fraction},
                       {"low", found->low},
                       {"high", found->high},
                       {"anchors", found->anchors}};
    }
    json["sweep"]["gpus"].push_back(std::move(gpu));
  }
  if (summary.guests > 0) json["sweep"]["guests"] = summary.guests;
  const Objections objections = count_objections(boards);
  json["sweep"]["objections"] = {{"configurations", objections.configurations},
                                 {"kinds", objections.kinds}};
  return json;
}

}  // namespace warpwright
