#include "search/shard.h"

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <utility>

#include "core/error.h"

namespace warpwright {
namespace {

// More jobs than this are not practical; the product of two such numbers fits in 64 bits.
constexpr std::uint64_t kMaxShards = 1'000'000;

// The mixing function of SplitMix64: identical on every machine, and neighbouring inputs give
// unrelated outputs.
// Source: G. L. Steele, D. Lea, C. H. Flood, Fast Splittable Pseudorandom Number Generators (2014).
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class Part : public Strategy {
 public:
  Part(std::unique_ptr<Strategy> whole, const Shard& shard, std::uint64_t total)
      : whole_(std::move(whole)), shard_(shard), total_(total) {}

  std::optional<std::uint64_t> ask() override {
    while (position_ < total_) {
      const std::optional<std::uint64_t> index = whole_->ask();
      if (!index) position_ = total_;
      if (!index || shard_.holds(position_++)) return index;
    }
    return std::nullopt;
  }
  void tell(const Answer& answer) override { whole_->tell(answer); }
  [[nodiscard]] std::string asker() const override { return whole_->asker(); }

 private:
  std::unique_ptr<Strategy> whole_;
  const Shard shard_;
  const std::uint64_t total_;
  std::uint64_t position_ = 0;
};

}  // namespace

bool Shard::holds(std::uint64_t position) const {
  return (position % count + mixed(position / count) % count) % count == index - 1;
}

std::uint64_t Shard::share(std::uint64_t total) const {
  std::uint64_t share = total / count;
  for (std::uint64_t position = share * count; position < total; ++position)
    share += holds(position) ? 1 : 0;
  return share;
}

Shard parse_shard(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto index = number(text.substr(0, slash));
  const auto count =
      slash == std::string_view::npos ? std::nullopt : number(text.substr(slash + 1));
  if (!index || !count || *count < 1 || *count > kMaxShards) {
    throw user_error(fmt::format(
        "--shard: got '{}', expected which part of how many, as in 2/8 for the second of eight",
        text));
  }
  if (*index < 1 || *index > *count) {
    throw user_error(fmt::format(
        "--shard: got '{}', expected a part from 1 to {}; a job array that counts from 0 is "
        "`--array=1-{}` instead",
        text, *count, *count));
  }
  return {*index, *count};
}

bool can_be_sharded(std::string_view strategy) {
  return strategy == "exhaustive" || strategy == "random" || strategy == "latin_hypercube";
}

std::unique_ptr<Strategy> make_shard(std::unique_ptr<Strategy> whole, const Shard& shard,
                                     std::uint64_t total) {
  return std::make_unique<Part>(std::move(whole), shard, total);
}

}  // namespace warpwright
