#include "records/goal_record.h"

#include <nlohmann/json.hpp>

#include "records/codec.h"

namespace warpwright {

WARPWRIGHT_STORED_CODEC(SearchCourse::Step, answers, seconds, cost, asker)
WARPWRIGHT_STORED_CODEC(SearchCourse::Rest, gain, chance, likely_best)

void to_json(nlohmann::json& json, const SearchCourse& course) {
  json = {{"fingerprint", course.fingerprint},
          {"problem", course.problem_text},
          {"strategy", course.strategy},
          {"objective", course.objective},
          {"maximize", course.maximize},
          {"space", course.space},
          {"answered", course.answered},
          {"failed", course.failed},
          {"asked", course.asked},
          {"steps", course.steps},
          {"seconds", course.seconds},
          {"ended", course.ended}};
  if (course.rest) json["rest"] = *course.rest;
  if (course.limit_us) json["limit_us"] = *course.limit_us;
}

void from_json(const nlohmann::json& json, SearchCourse& course) {
  course = SearchCourse{};
  read_member(json, "fingerprint", course.fingerprint);
  read_member(json, "problem", course.problem_text);
  read_member(json, "strategy", course.strategy);
  read_member(json, "objective", course.objective);
  read_member(json, "maximize", course.maximize);
  read_member(json, "space", course.space);
  read_member(json, "answered", course.answered);
  read_member(json, "failed", course.failed);
  read_member(json, "asked", course.asked);
  read_member(json, "steps", course.steps);
  read_member(json, "seconds", course.seconds);
  read_member(json, "ended", course.ended);
  if (json.contains("rest")) read_member(json, "rest", course.rest.emplace());
  if (json.contains("limit_us")) read_member(json, "limit_us", course.limit_us.emplace());
}

void to_json(nlohmann::json& json, const GoalRecord::Metric& metric) {
  json = {{"name", metric.name}, {"expression", metric.expression}};
}

void from_json(const nlohmann::json& json, GoalRecord::Metric& metric) {
  read_member(json, "name", metric.name);
  read_member(json, "expression", metric.expression);
}

void to_json(nlohmann::json& json, const GoalRecord::Objective& objective) {
  json = {{"expression", objective.expression}, {"maximize", objective.maximize}};
}

void from_json(const nlohmann::json& json, GoalRecord::Objective& objective) {
  read_member(json, "expression", objective.expression);
  read_member(json, "maximize", objective.maximize);
}

void to_json(nlohmann::json& json, const GoalRecord::Board& board) {
  json = {{"fingerprint", board.fingerprint}, {"problem", board.problem_text}};
}

void from_json(const nlohmann::json& json, GoalRecord::Board& board) {
  read_member(json, "fingerprint", board.fingerprint);
  read_member(json, "problem", board.problem_text);
}

WARPWRIGHT_STORED_CODEC(KnowledgeSource, kind, device, problem, results)
WARPWRIGHT_STORED_CODEC(GoalRecord::Knowledge, board, sources)
WARPWRIGHT_STORED_CODEC(ShardRecord, index, count, asked)

void to_json(nlohmann::json& json, const GoalRecord& goal) {
  json = {{"kernel", goal.kernel},
          {"metrics", goal.metrics},
          {"objectives", goal.objectives},
          {"requirements", goal.requirements},
          {"boards", goal.boards}};
  if (!goal.knowledge.empty()) json["knowledge"] = goal.knowledge;
  if (!goal.searches.empty()) json["searches"] = goal.searches;
  if (goal.shard) json["shard"] = *goal.shard;
}

void from_json(const nlohmann::json& json, GoalRecord& goal) {
  read_member(json, "kernel", goal.kernel);
  read_member(json, "metrics", goal.metrics);
  read_member(json, "objectives", goal.objectives);
  read_member(json, "requirements", goal.requirements);
  read_member(json, "boards", goal.boards);
  read_member(json, "knowledge", goal.knowledge);
  read_member(json, "searches", goal.searches);
  read_member(json, "shard", goal.shard);
}

}  // namespace warpwright
