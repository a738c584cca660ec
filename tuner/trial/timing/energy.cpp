#include "trial/timing/energy.h"

#include <atomic>
#include <thread>
#include <vector>

namespace warpwright {
namespace {

using Clock = std::chrono::steady_clock;

// The first step includes energy from before the start.
constexpr std::size_t kSteps = 3;

struct Step {
  Clock::time_point at;
  double energy_mj = 0;
};

}  // namespace

std::optional<LaunchEnergy> energy_of_launch(Device& device, TimingPlan& plan,
                                             std::chrono::milliseconds duration) {
  if (!device.energy_mj()) return std::nullopt;
  std::atomic<bool> stop{false};
  std::vector<Step> steps;  // moments at which the counter had just moved
  std::atomic<bool> enough{false};
  std::thread reader([&] {
    std::optional<double> last = device.energy_mj();
    while (!stop && last) {
      const std::optional<double> now = device.energy_mj();
      if (now && *now != *last) steps.push_back({Clock::now(), *now});
      enough = steps.size() >= kSteps;
      last = now;
    }
  });
  const auto start = Clock::now();
  constexpr int kSamples = 8;
  bool running = true;
  std::uint64_t sequences = 0;
  // Runs at least once, however late this thread is scheduled.
  do {
    const Samples taken = plan.take(kSamples, duration);
    running = taken.status == Status::kOk;
    sequences += taken.sequences;
  } while (running && !enough && Clock::now() - start < duration);
  const double busy_us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  stop = true;
  reader.join();
  if (!running || sequences == 0 || steps.size() < kSteps) return std::nullopt;
  const double energy_mj = steps.back().energy_mj - steps.front().energy_mj;
  const double span_us =
      std::chrono::duration<double, std::micro>(steps.back().at - steps.front().at).count();
  // Energy in mJ over time in µs is power in kW.
  return LaunchEnergy{energy_mj / (static_cast<double>(sequences) * span_us / busy_us),
                      1e3 * energy_mj / span_us};
}

}  // namespace warpwright
