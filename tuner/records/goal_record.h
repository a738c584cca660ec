// The goal of a run in addition to a short time, as stored with the run: the texts of its
// expressions as they were written. tuner/spec/goal.h reads them, tuner/metrics evaluates them.
// Also the prior knowledge of its searches, and the part of a sweep that the run was.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "records/search_course.h"

namespace warpwright {

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
//  "searches":[{...}] as in search_course.h, and "shard":{"index","count","asked":[...]}
void to_json(nlohmann::json& json, const GoalRecord& goal);
void from_json(const nlohmann::json& json, GoalRecord& goal);

}  // namespace warpwright
