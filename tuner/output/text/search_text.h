// Describes the course of a search: which strategies proposed trials, when the best was found, and
// whether more budget is likely to pay.
#pragma once

#include <string>

#include "records/goal_record.h"

namespace warpwright {

// Two lines, each with its newline:
//   auto asked 70 of 2147 in 31.4 s (2 failed): forest 40, spread 14, local 14, default 2; its
//   best, 399.6 µs, is from forest, answer 52 after 24.1 s
// and what it makes of the rest, where it learns, why it ended where it was its own word. Times of
// a model say so.
[[nodiscard]] std::string search_text(const SearchCourse& course, bool modelled = false);

// "more budget is unlikely to pay"
[[nodiscard]] std::string search_advice(const SearchCourse::Rest& rest);

}  // namespace warpwright
