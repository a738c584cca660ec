// The content of an argument before the launch, as specified in kernel.yaml (for content from other
// sources, see spec/kernel_fills.h):
//   normal(mean, stddev)  uniform(lo, hi)  constant(x)  zeros  ones  integers(lo, hi)
//   choice(a, b, ...)
//   sequence(start, step): start + flat index * step
//   descending(start, step): start - index in the last axis * step
//   stripe(period, offset, high, low): along the last axis normal(low, 1), and every `period`-th
//     element from `offset` on is high + a little noise
//   shuffled_range: a permutation of 0, 1, ... elements - 1
// and then any number of modifiers, each after `with` (or `+`), applied in order:
//   nan(fraction)  inf(fraction)  neg_inf(fraction)
//   value(x, fraction): a random fraction of the elements
//   row(r, x): index r of the leading axis
//   at(i, x): flat index i; negative r and i count from the end
// Numbers are expressions over problem sizes, or inf, -inf, nan, -0.0. Content depends on (text,
// seed, argument, index) alone, not on the number of threads or on the machine.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/expr/expr.h"
#include "core/source_location.h"
#include "trial/numbers/dtype.h"

namespace warpwright {

// Changes whenever the same fill would produce different content; part of the key of cached
// reference results.
inline constexpr std::string_view kFillVersion = "fill-1";

// The array to be filled. `argument` names the random stream, so that two arguments with one fill
// differ.
struct FillTarget {
  DType dtype = DType::kF32;
  std::vector<std::int64_t> shape;
  std::string argument;
  std::uint64_t seed = 1;
};

struct FillPlan;  // trial/numbers/fill_plan.h

class Fill {
 public:
  // Throws Error (user) at the place inside `text` whose first character is at `where`.
  [[nodiscard]] static Fill parse(std::string_view text, const SourceLocation& where,
                                  const Environment& sizes);

  // Writes every element of `out`, which has exactly the bytes of the target. `threads` 0 is one
  // per core. Throws Error (user) when row() or at() lie outside the shape, and when the
  // type cannot hold every number of a shuffled_range.
  void generate(const FillTarget& target, std::span<std::byte> out, int threads = 0) const;

  // The fill with its numbers evaluated: equal texts generate equal content.
  [[nodiscard]] std::string to_string() const;

 private:
  explicit Fill(std::shared_ptr<const FillPlan> plan) : plan_(std::move(plan)) {}

  std::shared_ptr<const FillPlan> plan_;
};

}  // namespace warpwright
