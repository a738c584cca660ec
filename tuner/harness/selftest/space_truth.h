// What is known of configs/harness_spin.yaml before anything is measured: the contract says how
// many steps each configuration takes, and time is steps times a constant.
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
  // `config` is a sweep of harness_spin's variant `space`; its first problem counts. Throws Error
  // (user).
  SpaceTruth(const std::filesystem::path& config, const std::filesystem::path& kernel_file,
             const DeviceInfo& device);

  [[nodiscard]] std::int64_t steps(const Configuration& configuration) const;
  // Its time over that of the best of the space: 1 is the best.
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
