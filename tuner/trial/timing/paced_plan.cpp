#include "trial/timing/paced_plan.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <thread>
#include <utility>

#include "stats/median.h"
#include "trial/timing/validity.h"

namespace warpwright {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::milliseconds;

// Power is averaged over tens of milliseconds: a burst of this length does not show in the average.
constexpr double kBusyUs = 5000;
// A few samples of kernels of this length take longer than kBusyUs.
constexpr double kLongUs = 1000;
// Samples of this length and more report the clock that they ran at. Kernels of 0.8 ms that took
// turns without cool-downs were all 8 % slower than by themselves, at a clock that was low before
// and after.
constexpr double kTellingUs = 500;
// The initial and the maximum length of a cool-down, as a multiple of the work before it.
constexpr int kFirstRest = 2;
constexpr int kLongestRest = 8;
constexpr milliseconds kLongestPause{200};
// The fraction by which the clock reported by samples may lie below that of recent good samples.
constexpr double kToldTolerance = 0.05;
constexpr std::size_t kLatestTold = 32;
// Attempts at one chunk, after which it counts as disturbed.
constexpr int kAttempts = 4;

class PacedPlan : public TimingPlan {
 public:
  PacedPlan(Device& device, std::unique_ptr<TimingPlan> plan, double about_us)
      : device_(device), plan_(std::move(plan)) {
    if (about_us < kTellingUs) return;
    known_long_ = true;
    take_at_once(about_us);
  }

  Samples take(int samples, milliseconds time_limit) override {
    const auto start = Clock::now();
    Samples all;
    int attempts = 0;
    while (static_cast<int>(all.elapsed_us.size()) < samples) {
      const auto spent = duration_cast<milliseconds>(Clock::now() - start);
      if (spent >= time_limit && !all.elapsed_us.empty()) break;
      const int wanted = samples - static_cast<int>(all.elapsed_us.size());
      Chunk chunk =
          take_chunk(std::min(wanted, at_once_), std::max(time_limit - spent, milliseconds(1)));
      if (chunk.samples.status != Status::kOk) return std::move(chunk.samples);
      const bool again = chunk.slowed && ++attempts < kAttempts && spent < time_limit;
      if (chunk.slowed) slow_down(again);
      if (!again) {
        add(std::move(chunk.samples), all);
        all.disturbed |= chunk.slowed;
        attempts = 0;
      }
      owe_rest(chunk.busy);
    }
    all.paced = known_long_ && rest_ != 0;
    return all;
  }

 private:
  struct Chunk {
    Samples samples;
    Clock::duration busy{};
    bool slowed = false;  // the clock fell
  };

  Chunk take_chunk(int samples, milliseconds time_limit) {
    Chunk chunk;
    std::this_thread::sleep_until(device_.rests_until);
    if (rest_ == 0 && usual_mhz_ == 0) usual_mhz_ = device_.state().sm_clock_mhz;
    const auto start = Clock::now();
    chunk.samples = plan_->take(samples, time_limit);
    chunk.busy = Clock::now() - start;
    if (chunk.samples.status != Status::kOk || chunk.samples.elapsed_us.empty()) return chunk;
    const DeviceState after = device_.state();
    const int after_mhz = after.sm_clock_mhz;
    chunk.slowed = after_mhz < usual_mhz_ && ValidityWatch::clock_moved(usual_mhz_, after_mhz);
    // Without cool-downs a power cap slows down kernels before the clock shows it.
    chunk.slowed |= known_long_ && rest_ == 0 && held_back(after);
    // The clock can fall during launches and rise again before it is read. Without a long enough
    // cool-down it falls further than the same kernel otherwise makes it fall.
    if (known_long_ && rest_ != 0) {
      const double told = slowest_mhz(chunk.samples);
      chunk.slowed |= told != 0 && told < (1 - kToldTolerance) * usually_told_mhz();
      if (told != 0) told_mhz_.push_back(told);
      if (told_mhz_.size() > kLatestTold) told_mhz_.pop_front();
    }
    if (!chunk.slowed) usual_mhz_ = std::max(usual_mhz_, after_mhz);
    // Sampling stays unpaced until pacing proves necessary: kernels of microseconds take hundreds
    // of samples.
    if (rest_ != 0 || chunk.slowed) take_at_once(median(chunk.samples.elapsed_us));
    return chunk;
  }

  // The upper quartile of the reported clocks, because low ones may have been slowed down; 0 before
  // any was reported.
  [[nodiscard]] double usually_told_mhz() const {
    if (told_mhz_.empty()) return 0;
    std::vector<double> sorted(told_mhz_.begin(), told_mhz_.end());
    const std::size_t at = sorted.size() * 3 / 4;
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(at),
                     sorted.end());
    return sorted[at];
  }

  // 0 if no sample reported its clock.
  static double slowest_mhz(const Samples& samples) {
    double slowest = 0;
    for (const double mhz : samples.clock_mhz) {
      if (mhz > 0 && (slowest == 0 || mhz < slowest)) slowest = mhz;
    }
    return slowest;
  }

  // Sets the number of samples that keep the device busy for kBusyUs.
  void take_at_once(double sample_us) {
    at_once_ = static_cast<int>(std::clamp(kBusyUs / std::max(sample_us, 1.0), 1.0, 1000.0));
  }

  static void add(Samples more, Samples& all) {
    std::vector<double> elapsed_us = std::move(all.elapsed_us);
    elapsed_us.insert(elapsed_us.end(), more.elapsed_us.begin(), more.elapsed_us.end());
    std::vector<double> clock_mhz = std::move(all.clock_mhz);
    clock_mhz.insert(clock_mhz.end(), more.clock_mhz.begin(), more.clock_mhz.end());
    const std::uint64_t sequences = all.sequences + more.sequences;
    const bool disturbed = all.disturbed;
    all = std::move(more);
    all.elapsed_us = std::move(elapsed_us);
    all.clock_mhz = std::move(clock_mhz);
    all.sequences = sequences;
    all.disturbed = disturbed;
  }

  // A launch of many milliseconds is slowed down while it runs, with or without cool-downs: once
  // there are cool-downs, the usual clock is determined anew.
  void slow_down(bool again) {
    if (rest_ == 0 || !again) usual_mhz_ = 0;
    rest_ = rest_ == 0 ? kFirstRest : std::min(2 * rest_, kLongestRest);
  }

  void owe_rest(Clock::duration busy) const {
    if (rest_ == 0) return;
    device_.rests_until = Clock::now() + std::min<Clock::duration>(rest_ * busy, kLongestPause);
  }

  Device& device_;
  std::unique_ptr<TimingPlan> plan_;
  bool known_long_ = false;
  int usual_mhz_ = 0;            // the clock after samples that were not slowed down
  std::deque<double> told_mhz_;  // reported by the latest chunks after a cool-down
  int at_once_ = 1 << 20;
  int rest_ = 0;
};

class UnitPlan : public TimingPlan {
 public:
  UnitPlan(std::unique_ptr<TimingPlan> plan, double units)
      : plan_(std::move(plan)), units_(units) {}

  Samples take(int samples, std::chrono::milliseconds time_limit) override {
    Samples taken = plan_->take(samples, time_limit);
    for (double& elapsed : taken.elapsed_us) elapsed /= units_;
    taken.units = units_;
    taken.floor_us /= units_;
    taken.drift_us /= units_;
    return taken;
  }

 private:
  std::unique_ptr<TimingPlan> plan_;
  double units_;
};

}  // namespace

bool held_back(const DeviceState& state) {
  return !state.slowdown.empty() ||
         std::find(state.limits.begin(), state.limits.end(), kPowerCap) != state.limits.end();
}

void owe_rest(Device& device, double busy_us) {
  if (busy_us < kLongUs || !held_back(device.state())) return;
  const auto rest = duration_cast<Clock::duration>(
      std::chrono::duration<double, std::micro>(kFirstRest * busy_us));
  device.rests_until = Clock::now() + std::min<Clock::duration>(rest, kLongestPause);
}

std::unique_ptr<TimingPlan> plan_paced(Device& device, TimingRequest request, double about_us) {
  return std::make_unique<PacedPlan>(device, device.plan_timing(std::move(request)), about_us);
}

std::unique_ptr<TimingPlan> per_unit(std::unique_ptr<TimingPlan> plan, double units) {
  if (units == 1) return plan;
  return std::make_unique<UnitPlan>(std::move(plan), units);
}

}  // namespace warpwright
