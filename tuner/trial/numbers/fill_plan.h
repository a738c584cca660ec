// A parsed fill: one source of numbers and the changes made to them, in order. Shared by the parser
// (fill.cpp) and the generator (fill_generate.cpp); other code uses fill.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/source_location.h"

namespace warpwright {

enum class FillSource {
  kNormal,
  kUniform,
  kConstant,
  kZeros,
  kOnes,
  kIntegers,
  kChoice,
  kSequence,
  kDescending,
  kStripe,
  kShuffledRange
};

enum class FillChange {
  kFraction,  // nan, inf, neg_inf, value: `value` at a random `fraction` of the elements
  kRow,
  kAt
};

struct FillModifier {
  FillChange change{};
  double value = 0;
  double fraction = 0;
  std::int64_t index = 0;  // of row() and at(), as written
  std::string text;        // "row(3, -inf)", for messages and keys
  SourceLocation where;
};

struct FillPlan {
  FillSource source{};
  std::vector<double> numbers;
  std::string text;  // "normal(0, 1)"
  SourceLocation where;
  std::vector<FillModifier> modifiers;
};

}  // namespace warpwright
