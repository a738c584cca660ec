#include "records/goal_record.h"

#include <nlohmann/json.hpp>

#include "records/codec.h"

namespace warpwright {

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
