#include "records/goal_record.h"

#include <array>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "records/codec.h"

namespace warpwright {
namespace {

// These names are stored in databases: add at the end, never rename.
constexpr std::array kRunEnds = {RunEnd::kComplete, RunEnd::kBudget, RunEnd::kEnough,
                                 RunEnd::kInterrupted, RunEnd::kFailed};
constexpr std::array kStopCodes = {StopCode::kSpace, StopCode::kBudget, StopCode::kEnough};

}  // namespace

std::string_view run_end_name(RunEnd end) {
  switch (end) {
    case RunEnd::kComplete:
      return "complete";
    case RunEnd::kBudget:
      return "budget";
    case RunEnd::kEnough:
      return "enough";
    case RunEnd::kInterrupted:
      return "interrupted";
    case RunEnd::kFailed:
      return "failed";
  }
  check_failed("the end of a run has a name", __FILE__, __LINE__, "an end without a name");
}

std::optional<RunEnd> parse_run_end(std::string_view name) {
  for (const RunEnd end : kRunEnds)
    if (run_end_name(end) == name) return end;
  return std::nullopt;
}

std::span<const RunEnd> all_run_ends() { return kRunEnds; }

std::string_view stop_code_name(StopCode code) {
  switch (code) {
    case StopCode::kSpace:
      return "space";
    case StopCode::kBudget:
      return "budget";
    case StopCode::kEnough:
      return "enough";
  }
  check_failed("the stop of a search has a name", __FILE__, __LINE__, "a code without a name");
}

std::optional<StopCode> parse_stop_code(std::string_view name) {
  for (const StopCode code : kStopCodes)
    if (stop_code_name(code) == name) return code;
  return std::nullopt;
}

std::span<const StopCode> all_stop_codes() { return kStopCodes; }

std::optional<StopCode> SearchCourse::stop() const {
  if (ended.empty()) return std::nullopt;
  return parse_stop_code(ended).value_or(StopCode::kEnough);
}

WARPWRIGHT_STORED_CODEC(SearchCourse::Step, answers, seconds, cost, asker)
WARPWRIGHT_STORED_CODEC(SearchCourse::Rest, gain, chance, likely_best)

WARPWRIGHT_MEMBERS(SearchCourse, io, course) {
  io("fingerprint", course.fingerprint);
  io("problem", course.problem_text);
  io("strategy", course.strategy);
  io("objective", course.objective);
  io("maximize", course.maximize);
  io("space", course.space);
  io("answered", course.answered);
  io("failed", course.failed);
  io("asked", course.asked);
  io("steps", course.steps);
  io("seconds", course.seconds);
  io("ended", course.ended);
  io.unless_empty("rest", course.rest);
  io.unless_empty("limit_us", course.limit_us);
}
WARPWRIGHT_STORED_CODEC_OF(SearchCourse)

WARPWRIGHT_STORED_CODEC(GoalRecord::Metric, name, expression)

WARPWRIGHT_STORED_CODEC(GoalRecord::Objective, expression, maximize)

WARPWRIGHT_MEMBERS(GoalRecord::Board, io, board) {
  io("fingerprint", board.fingerprint);
  io("problem", board.problem_text);
}
WARPWRIGHT_STORED_CODEC_OF(GoalRecord::Board)

WARPWRIGHT_STORED_CODEC(KnowledgeSource, kind, device, problem, results)
WARPWRIGHT_STORED_CODEC(GoalRecord::Knowledge, board, sources)
WARPWRIGHT_STORED_CODEC(ShardRecord, index, count, asked)

WARPWRIGHT_MEMBERS(GoalRecord, io, goal) {
  io("kernel", goal.kernel);
  io("metrics", goal.metrics);
  io("objectives", goal.objectives);
  io("requirements", goal.requirements);
  io("boards", goal.boards);
  io.unless_empty("knowledge", goal.knowledge);
  io.unless_empty("searches", goal.searches);
  io.unless_empty("shard", goal.shard);
}
WARPWRIGHT_STORED_CODEC_OF(GoalRecord)

}  // namespace warpwright
