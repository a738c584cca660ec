// The two kernels that the harness is tested against: harness_spin, a latency kernel whose true
// time is its number of steps times the time of one, and harness_stream, a copy near the memory's
// limit. Each is made for a wanted time on the device at hand and can be made slower by a known
// share.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/selftest/selftest_bench.h"

namespace warpwright {

class Subject {
 public:
  // "spin" or "stream", of about `target_us`, or of exactly `size` steps or rows. Warms the device
  // up.
  static std::unique_ptr<Subject> make(const Bench& bench, const std::string& kernel,
                                       double target_us,
                                       std::optional<std::int64_t> size = std::nullopt);
  virtual ~Subject() = default;

  [[nodiscard]] std::int64_t size() const { return size_; }  // steps of spin, rows of stream
  [[nodiscard]] double about_us() const { return about_us_; }
  [[nodiscard]] HarnessKernel& kernel() { return *kernel_; }
  // A configuration that is slower by this many thousandths of steps (and so of time) for spin, of
  // bytes for stream.
  [[nodiscard]] virtual Configuration configuration(int slower_permille = 0) const = 0;
  // The additional time as a fraction: known for spin, measured for stream.
  [[nodiscard]] virtual double true_slowdown(int slower_permille) = 0;
  // The time of one step, taken from long runs only, so that it contains no constant overhead;
  // empty for stream, whose true time is unknown.
  [[nodiscard]] virtual std::vector<double> step_us(int /*pairs*/) { return {}; }

 protected:
  std::unique_ptr<HarnessKernel> kernel_;
  std::int64_t size_ = 0;
  double about_us_ = 0;
};

}  // namespace warpwright
