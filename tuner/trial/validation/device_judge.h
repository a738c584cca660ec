// What one output has to be, held on the device, so that outputs that are right never leave it. It
// says only that all is well; whatever it does not pass is for check_output() to judge.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "device/device.h"
#include "records/output_error.h"
#include "trial/validation/validate.h"

namespace warpwright {

class DeviceJudge {
 public:
  explicit DeviceJudge(Device& device) : device_(device) {}

  // The errors of an array at `address` whose elements that count are all within what is allowed;
  // nullopt when the host has to look. What is expected must be the same at every call, tolerances
  // may differ; `view.got` is not used.
  [[nodiscard]] std::optional<OutputError> pass(const OutputView& view, std::uint64_t address);

 private:
  struct Tolerances {
    double abs = 0, rel = 0, rms = 0, terms = 0;
    DType accumulator{};
    friend bool operator==(const Tolerances&, const Tolerances&) = default;
  };
  [[nodiscard]] bool upload(const OutputView& view);
  void upload_allowed(const OutputView& view);

  Device& device_;
  bool tried_ = false;
  bool usable_ = false;
  Tolerances tolerances_;
  std::unique_ptr<DeviceBuffer> expected_, allowed_, units_, table_;
};

}  // namespace warpwright
