// Names the problems of a table without the sizes that all of them share.
#pragma once

#include <string>
#include <vector>

namespace warpwright {

struct ProblemNames {
  std::string shared;              // "d=128 dtype=bf16"; empty for a single problem
  std::vector<std::string> names;  // "rows=8", one per problem; the whole text if all are equal
};

[[nodiscard]] ProblemNames problem_names(const std::vector<std::string>& problem_texts);

}  // namespace warpwright
