#include "trial/timing/unit_plan.h"

#include <utility>

namespace warpwright {
namespace {

class UnitPlan : public TimingPlan {
 public:
  UnitPlan(std::unique_ptr<TimingPlan> plan, double units)
      : plan_(std::move(plan)), units_(units) {}

  Samples take(int samples, std::chrono::milliseconds time_limit) override {
    Samples taken = plan_->take(samples, time_limit);
    for (double& elapsed : taken.elapsed_us) elapsed /= units_;
    taken.units = units_;
    taken.floor_us /= units_;
    taken.wander_us /= units_;
    return taken;
  }

 private:
  std::unique_ptr<TimingPlan> plan_;
  double units_;
};

}  // namespace

std::unique_ptr<TimingPlan> per_unit(std::unique_ptr<TimingPlan> plan, double units) {
  if (units == 1) return plan;
  return std::make_unique<UnitPlan>(std::move(plan), units);
}

}  // namespace warpwright
