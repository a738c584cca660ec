// What a run was after beside a short time, as it is kept with the run: texts of expressions, as
// they were written. tuner/spec/goal.h reads them, tuner/metrics evaluates them. And what its
// searches knew when they began, and which part of a sweep it was.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "records/search_course.h"

namespace warpwright {

// Who told a search something before its first trial: another board, or a model of the device.
struct KnowledgeSource {
  std::string kind;             // "board" or "emulator"
  std::string device, problem;  // of the board, or what was emulated
  std::uint64_t results = 0;    // that the search's space holds; 0 where they were still to come
  friend bool operator==(const KnowledgeSource&, const KnowledgeSource&) = default;
};
void to_json(nlohmann::json& json, const KnowledgeSource& source);
void from_json(const nlohmann::json& json, KnowledgeSource& source);

// The part of a sweep that a run was, where several share it. Outside GoalRecord, because Clang
// finds no default constructor of a nested class while the one around it is not complete.
struct ShardRecord {
  std::uint64_t index = 0, count = 0;
  std::vector<std::uint64_t> asked;  // of each of the run's boards, by all shards together
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
  // What the goal is of: problems of the run's kernel on its devices.
  struct Board {
    std::string fingerprint, problem_text;
    friend bool operator==(const Board&, const Board&) = default;
  };
  // What the search of one of the boards was told when the run began.
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
  std::vector<Knowledge> knowledge = {};    // of the boards that were told something
  std::vector<SearchCourse> searches = {};  // of the boards that were searched; when the run ended
  std::optional<ShardRecord> shard = std::nullopt;

  // Nothing but a short time was wanted.
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
