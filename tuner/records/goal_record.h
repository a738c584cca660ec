// The goal of a run and the course of its searches, as stored with the run.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

// How a run ended. Stored under its name in RunRecord::ended.
enum class RunEnd {
  kComplete,
  kBudget,       // before the space did
  kEnough,       // a search decided that more was unlikely to pay
  kInterrupted,  // by the user
  kFailed,       // by an Error
};
// "complete", "budget", "enough", "interrupted" or "failed".
[[nodiscard]] std::string_view run_end_name(RunEnd end);
[[nodiscard]] std::optional<RunEnd> parse_run_end(std::string_view name);
[[nodiscard]] std::span<const RunEnd> all_run_ends();

// Why a search asks nothing more.
enum class StopCode {
  kSpace,   // nothing is left
  kBudget,  // of trials or time
  kEnough,  // the search decided that more was unlikely to pay
};
// "space", "budget" or "enough".
[[nodiscard]] std::string_view stop_code_name(StopCode code);
[[nodiscard]] std::optional<StopCode> parse_stop_code(std::string_view name);
[[nodiscard]] std::span<const StopCode> all_stop_codes();

// The course of the search of one board in one run: the origins of its proposals, the times at
// which the best improved, and the strategy's estimate of the rest.
struct SearchCourse {
  std::string fingerprint, problem_text;  // the board
  std::string strategy;
  std::string objective;  // the expression of the costs; "" for a time in microseconds
  bool maximize = false;  // the costs are its negative
  std::uint64_t space = 0;
  std::uint64_t answered = 0;
  std::uint64_t failed = 0;                    // of those answered
  std::map<std::string, std::uint64_t> asked;  // by origin of the proposal
  // The best so far after a number of answers and seconds of the sweep, and the origin of its
  // proposal.
  struct Step {
    std::uint64_t answers = 0;
    double seconds = 0;
    double cost = 0;
    std::string asker;
    friend bool operator==(const Step&, const Step&) = default;
  };
  std::vector<Step> steps;  // by a single objective
  double seconds = 0;       // until the last answer
  // The name of the StopCode, or a text that explains why it was enough; "" when it was stopped.
  std::string ended;
  [[nodiscard]] std::optional<StopCode> stop() const;
  // The strategy's estimate of the configurations that were not tried: the chance that one is
  // better by `gain`, and the likely cost of the best of them. Only strategies that learn have one.
  struct Rest {
    double gain = 0, chance = 0, likely_best = 0;
    friend bool operator==(const Rest&, const Rest&) = default;
  };
  std::optional<Rest> rest;
  std::optional<double> limit_us;  // a lower bound of the time, if ceilings are known

  friend bool operator==(const SearchCourse&, const SearchCourse&) = default;
};
// {"fingerprint","problem","strategy","objective","maximize","space","answered","failed",
//  "asked":{"forest":40},"steps":[{"answers","seconds","cost","asker"}],"seconds","ended"}, and
// where they are known "rest":{"gain","chance","likely_best"} and "limit_us"
void to_json(nlohmann::json& json, const SearchCourse& course);
void from_json(const nlohmann::json& json, SearchCourse& course);

// A source of results that a search used before its first trial: another board, or a model of the
// device.
struct KnowledgeSource {
  std::string kind;             // "board" or "emulator"
  std::string device, problem;  // of the board, or of the emulation
  std::uint64_t results = 0;    // that the search's space holds; 0 if they were still to come
  friend bool operator==(const KnowledgeSource&, const KnowledgeSource&) = default;
};
void to_json(nlohmann::json& json, const KnowledgeSource& source);
void from_json(const nlohmann::json& json, KnowledgeSource& source);

// The part of a sweep that a run was, if several runs share the sweep. Outside GoalRecord, because
// Clang does not find the default constructor of a nested class while the enclosing class is
// incomplete.
struct ShardRecord {
  std::uint64_t index = 0, count = 0;
  std::vector<std::uint64_t> asked;  // for each of the run's boards, by all shards together
  friend bool operator==(const ShardRecord&, const ShardRecord&) = default;
};

// The goal of a run in addition to a short time: the texts of its expressions as they were written.
// tuner/spec/goal.h reads them, tuner/metrics evaluates them. Also the prior knowledge of its
// searches, and the part of a sweep that the run was.
struct GoalRecord {
  struct Metric {
    std::string name, expression;
    friend bool operator==(const Metric&, const Metric&) = default;
  };
  struct Objective {
    std::string expression;
    bool maximize = false;
    friend bool operator==(const Objective&, const Objective&) = default;
  };
  // A subject of the goal: a problem of the run's kernel on one of its devices.
  struct Board {
    std::string fingerprint, problem_text;
    friend bool operator==(const Board&, const Board&) = default;
  };
  // The prior knowledge of the search of one of the boards when the run began.
  struct Knowledge {
    Board board;
    std::vector<KnowledgeSource> sources;
    friend bool operator==(const Knowledge&, const Knowledge&) = default;
  };
  std::string kernel;
  std::vector<Metric> metrics;        // in the order written
  std::vector<Objective> objectives;  // empty: time
  std::vector<std::string> requirements;
  std::vector<Board> boards;
  std::vector<Knowledge> knowledge = {};    // of the boards with prior knowledge
  std::vector<SearchCourse> searches = {};  // of the boards that were searched; when the run ended
  std::optional<ShardRecord> shard = std::nullopt;

  // True if a short time was the only goal.
  [[nodiscard]] bool plain() const {
    return metrics.empty() && objectives.empty() && requirements.empty();
  }
};
// {"kernel","metrics":[{"name","expression"}],"objectives":[{"expression","maximize"}],
//  "requirements":["..."],"boards":[{"fingerprint","problem"}]}, and where there is any
//  "knowledge":[{"board":{...},"sources":[{"kind","device","problem","results"}]}] and
//  "searches":[{...}] of SearchCourse, and "shard":{"index","count","asked":[...]}
void to_json(nlohmann::json& json, const GoalRecord& goal);
void from_json(const nlohmann::json& json, GoalRecord& goal);

}  // namespace warpwright
