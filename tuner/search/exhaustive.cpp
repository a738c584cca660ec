#include "search/strategies.h"

namespace warpwright {
namespace {

class Exhaustive : public Strategy {
 public:
  explicit Exhaustive(std::uint64_t count) : count_(count) {}

  std::optional<std::uint64_t> ask() override {
    if (next_ == count_) return std::nullopt;
    return next_++;
  }
  void tell(const Answer& /*answer*/) override {}
  [[nodiscard]] std::string asker() const override { return "exhaustive"; }

 private:
  std::uint64_t count_;
  std::uint64_t next_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_exhaustive(const SearchSpace& space,
                                          const StrategyOptions& /*options*/) {
  return std::make_unique<Exhaustive>(space.count());
}

}  // namespace warpwright
