#include <random>

#include "search/strategies.h"
#include "space/lazy_shuffle.h"

namespace warpwright {
namespace {

class Random : public Strategy {
 public:
  Random(std::uint64_t count, std::uint64_t seed) : generator_(seed), shuffle_(count) {}

  std::optional<std::uint64_t> ask() override { return shuffle_.next(generator_); }
  void tell(const Answer& /*answer*/) override {}
  [[nodiscard]] std::string asker() const override { return "random"; }

 private:
  std::mt19937_64 generator_;
  LazyShuffle shuffle_;
};

}  // namespace

std::unique_ptr<Strategy> make_random(const SearchSpace& space, const StrategyOptions& options) {
  return std::make_unique<Random>(space.count(), options.seed);
}

}  // namespace warpwright
