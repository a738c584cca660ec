#include "records/search_course.h"

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

}  // namespace warpwright
