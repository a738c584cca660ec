// The expected values of one output, stored on the device, so that correct outputs need not be
// copied to the host. The judge can only accept an output; outputs that it does not accept are
// judged by check_output(). No launch of a candidate can read the expected values: few are uploaded
// for each comparison and overwritten after it, which takes less time than mapping memory, and
// large ones lie in memory that is mapped only during the comparison.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "device/device.h"
#include "records/trial_measurement.h"
#include "trial/compare/validate.h"

namespace warpwright {

class DeviceJudge {
 public:
  explicit DeviceJudge(Device& device) : device_(device) {}

  // Returns the errors of the array at `address` if all of its compared elements are within the
  // allowed errors; nullopt when the host has to judge it. The expected values must be the same at
  // every call, tolerances may differ; `view.got` is not used.
  [[nodiscard]] std::optional<OutputError> pass(const OutputView& view, std::uint64_t address);

 private:
  struct Tolerances {
    double abs = 0, rel = 0, rms = 0, terms = 0;
    DType accumulator{};
    friend bool operator==(const Tolerances&, const Tolerances&) = default;
  };
  // Returns false when the device cannot hold the values; the host then compares.
  [[nodiscard]] bool reserve(const OutputView& view);
  // Packs the expected values, the allowed errors, the units and the table of values of the type.
  void pack(const OutputView& view);
  [[nodiscard]] std::optional<ElementsFound> compare(const OutputView& view, std::uint64_t address);

  Device& device_;
  bool tried_ = false;
  bool usable_ = false;
  bool samples_ = false;  // only some of the units count
  Tolerances tolerances_;
  std::vector<double> table_values_;
  bool is_small_ = false;
  std::vector<std::byte> packed_;  // as on the device; empty once large ones are there
  // Expected values, and behind them, at these offsets: allowed errors, units, values of a type.
  std::unique_ptr<DeviceBuffer> memory_;
  std::size_t allowed_at_ = 0, units_at_ = 0, table_at_ = 0;
};

}  // namespace warpwright
