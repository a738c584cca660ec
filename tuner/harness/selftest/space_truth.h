// The true times of configs/harness_spin.yaml, which are known before anything is measured: the
// contract gives the number of steps of each configuration, and time is steps times a constant.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "device/device.h"
#include "records/configuration.h"
#include "records/problem.h"
#include "spec/kernel_spec.h"

namespace warpwright {

class SpaceTruth {
 public:
  // `config` is a sweep of harness_spin's variant `space`; its first problem is used. Throws Error
  // (user).
  SpaceTruth(const std::filesystem::path& config, const std::filesystem::path& kernel_file,
             const DeviceInfo& device);

  [[nodiscard]] std::int64_t steps(const Configuration& configuration) const;
  // Its time relative to the best of the space, which has 1.
  [[nodiscard]] double relative(const Configuration& configuration) const;
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  KernelSpec kernel_;
  DeviceInfo device_;
  Problem problem_;
  std::uint64_t count_ = 0;
  std::int64_t best_steps_ = 0;
};

}  // namespace warpwright
