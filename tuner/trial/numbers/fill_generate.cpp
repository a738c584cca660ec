#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/parallel.h"
#include "trial/numbers/fill.h"
#include "trial/numbers/fill_plan.h"
#include "trial/numbers/random_bits.h"

namespace warpwright {
namespace {

// Elements made at a time: the doubles stay in the first-level cache.
constexpr std::uint64_t kPiece = 2048;
// Noise on the high stripe, so that its values are not exact ties.
constexpr double kStripeNoise = 1.0 / 64;

struct Range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

struct Shape {
  std::uint64_t elements = 1;
  std::uint64_t last_axis = 1;
  std::uint64_t rows = 1;  // of the leading axis
};

Shape shape_of(const FillTarget& target) {
  Shape shape;
  for (const std::int64_t extent : target.shape)
    shape.elements *= static_cast<std::uint64_t>(extent);
  if (!target.shape.empty()) {
    shape.last_axis = static_cast<std::uint64_t>(target.shape.back());
    shape.rows = static_cast<std::uint64_t>(target.shape.front());
  }
  return shape;
}

// The elements that a row() or at() covers.
Range covered(const FillModifier& modifier, const FillTarget& target, const Shape& shape) {
  const bool row = modifier.change == FillChange::kRow;
  const auto count = static_cast<std::int64_t>(row ? shape.rows : shape.elements);
  const std::int64_t index = modifier.index < 0 ? modifier.index + count : modifier.index;
  if (index < 0 || index >= count) {
    throw user_error(modifier.where,
                     fmt::format("{} lies outside argument '{}', which has {} {}", modifier.text,
                                 target.argument, count, row ? "rows" : "elements"));
  }
  const auto at = static_cast<std::uint64_t>(index);
  const std::uint64_t width = row ? shape.elements / shape.rows : 1;
  return {at * width, (at + 1) * width};
}

// A permutation of 0, 1, ... count - 1 that can be computed element by element: a Feistel network
// permutes the numbers of 2b bits, and a result that is not below the count goes through it again
// until it is.
class Permutation {
 public:
  Permutation(const RandomStream& stream, std::uint64_t count) : stream_(stream), count_(count) {
    while (half_bits_ < 32 && (std::uint64_t{1} << (2 * half_bits_)) < count) ++half_bits_;
  }

  [[nodiscard]] std::uint64_t at(std::uint64_t index) const {
    do {
      index = permuted(index);
    } while (index >= count_);
    return index;
  }

 private:
  [[nodiscard]] std::uint64_t permuted(std::uint64_t number) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
    std::uint64_t left = number >> half_bits_;
    std::uint64_t right = number & mask;
    for (std::uint64_t round = 0; round < kRounds; ++round) {
      const std::uint64_t mixed = left ^ (stream_.bits(round << 32 | right) & mask);
      left = right;
      right = mixed;
    }
    return left << half_bits_ | right;
  }

  // Four make the halves of neighbours independent; two more cost little.
  static constexpr std::uint64_t kRounds = 6;
  const RandomStream& stream_;
  std::uint64_t count_;
  unsigned half_bits_ = 1;
};

class Generator {
 public:
  Generator(const FillPlan& plan, const FillTarget& target)
      : plan_(plan),
        target_(target),
        shape_(shape_of(target)),
        base_(target.seed, target.argument),
        permutation_(base_, shape_.elements) {
    if (plan.source == FillSource::kShuffledRange) require_range();
    for (std::size_t i = 0; i < plan.modifiers.size(); ++i) {
      streams_.emplace_back(target.seed, target.argument, i + 1);
      const bool placed = plan.modifiers[i].change != FillChange::kFraction;
      ranges_.push_back(placed ? covered(plan.modifiers[i], target, shape_) : Range{});
    }
  }

  [[nodiscard]] std::uint64_t elements() const { return shape_.elements; }

  void write(std::uint64_t first, std::uint64_t last, std::byte* out) const {
    std::array<double, kPiece> piece;
    for (std::uint64_t at = first; at < last; at += kPiece) {
      const std::span<double> values(piece.data(), std::min(kPiece, last - at));
      make(at, values);
      for (std::size_t i = 0; i < plan_.modifiers.size(); ++i) change(i, at, values);
      store_elements(target_.dtype, out, at, values);
    }
  }

 private:
  // A type that holds n and n - 1, one of which is odd, also holds every smaller number.
  void require_range() const {
    for (std::uint64_t back = 1; back <= std::min<std::uint64_t>(shape_.elements, 2); ++back) {
      const auto number = static_cast<double>(shape_.elements - back);
      std::array<std::byte, 8> element{};
      store_element(target_.dtype, element.data(), 0, number);
      if (load_element(target_.dtype, element.data(), 0) == number) continue;
      throw user_error(
          plan_.where,
          fmt::format("{}: argument '{}' has {} elements, but {} does not hold every "
                      "number below that; choose a wider type",
                      plan_.text, target_.argument, shape_.elements, dtype_name(target_.dtype)));
    }
  }

  template <typename Function>
  static void each(std::uint64_t first, std::span<double> values, Function function) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = function(first + i);
  }

  void make(std::uint64_t first, std::span<double> values) const {
    const std::vector<double>& n = plan_.numbers;
    const std::uint64_t axis = shape_.last_axis;
    switch (plan_.source) {
      case FillSource::kNormal:
        base_.normals(first, values);
        for (double& value : values) value = n[0] + n[1] * value;
        return;
      case FillSource::kUniform:
        return each(first, values,
                    [&](std::uint64_t i) { return n[0] + (n[1] - n[0]) * base_.uniform(i); });
      case FillSource::kConstant:
        return each(first, values, [&](std::uint64_t) { return n[0]; });
      case FillSource::kZeros:
        return each(first, values, [](std::uint64_t) { return 0.0; });
      case FillSource::kOnes:
        return each(first, values, [](std::uint64_t) { return 1.0; });
      case FillSource::kIntegers: {
        const auto count = static_cast<std::uint64_t>(n[1] - n[0]) + 1;
        return each(first, values, [&](std::uint64_t i) {
          return n[0] + static_cast<double>(base_.below(i, count));
        });
      }
      case FillSource::kChoice:
        return each(first, values, [&](std::uint64_t i) { return n[base_.below(i, n.size())]; });
      case FillSource::kSequence:
        return each(first, values,
                    [&](std::uint64_t i) { return n[0] + n[1] * static_cast<double>(i); });
      case FillSource::kDescending:
        return each(first, values,
                    [&](std::uint64_t i) { return n[0] - n[1] * static_cast<double>(i % axis); });
      case FillSource::kStripe: {
        const auto period = static_cast<std::uint64_t>(n[0]);
        const std::uint64_t offset = static_cast<std::uint64_t>(n[1]) % period;
        return each(first, values, [&](std::uint64_t i) {
          const bool high = i % axis % period == offset;
          return high ? n[2] + kStripeNoise * base_.normal(i) : n[3] + base_.normal(i);
        });
      }
      case FillSource::kShuffledRange:
        return each(first, values,
                    [&](std::uint64_t i) { return static_cast<double>(permutation_.at(i)); });
    }
  }

  void change(std::size_t number, std::uint64_t first, std::span<double> values) const {
    const FillModifier& modifier = plan_.modifiers[number];
    if (modifier.change == FillChange::kFraction) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (streams_[number].uniform(first + i) < modifier.fraction) values[i] = modifier.value;
      }
      return;
    }
    const std::uint64_t from = std::max(ranges_[number].first, first);
    const std::uint64_t to = std::min(ranges_[number].last, first + values.size());
    for (std::uint64_t i = from; i < to; ++i) values[i - first] = modifier.value;
  }

  const FillPlan& plan_;
  const FillTarget& target_;
  Shape shape_;
  RandomStream base_;
  Permutation permutation_;            // uses base_
  std::vector<RandomStream> streams_;  // one per modifier
  std::vector<Range> ranges_;          // one per modifier
};

}  // namespace

void Fill::generate(const FillTarget& target, std::span<std::byte> out, int threads) const {
  const Generator generator(*plan_, target);
  WARPWRIGHT_CHECK(out.size() == generator.elements() * dtype_size(target.dtype),
                   "the output has the target's bytes");
  constexpr std::uint64_t kShare = 64 * kPiece;  // elements per turn of a thread
  parallel_ranges(
      generator.elements(), kShare, threads,
      [&](std::uint64_t first, std::uint64_t last) { generator.write(first, last, out.data()); });
}

}  // namespace warpwright
