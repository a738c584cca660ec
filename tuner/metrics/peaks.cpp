#include "metrics/peaks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "records/times.h"

namespace warpwright {

Work work_of(const TrialRecord& trial) {
  return {trial.work_bytes, trial.work_bytes_written, trial.work_flops, trial.arithmetic};
}

double units_of(const TrialRecord& trial) {
  const TrialMeasurement* seen = trial.measurement.readable();
  const double units = seen == nullptr ? 1 : seen->units.value_or(1);
  return std::isfinite(units) && units > 0 ? units : 1;
}

namespace {

// The operations per clock of the tensor cores of a multiprocessor without sparsity, counting a
// multiplication and an addition as two: in 8-bit types, which `warpwright calibrate` measures, and
// in the narrowest that they have. The rates follow from peaks and clocks in NVIDIA's architecture
// whitepapers and datasheets (H100 SXM: 1,979 TFLOP/s in FP8 at 1,830 MHz with 132 multiprocessors;
// RTX 5090: 1,676 in FP4 at 2,407 MHz with 170).
struct TensorRate {
  int compute_capability;
  double in_8_bits, narrowest;
};
constexpr std::array kTensorRates = {
    TensorRate{70, 0, 1024},        // V100: FP16 only
    TensorRate{72, 2048, 2048},     // Xavier: INT8
    TensorRate{75, 2048, 4096},     // Turing: INT4, as in the next four
    TensorRate{80, 4096, 8192},     // A100
    TensorRate{86, 2048, 4096},     // GA10x
    TensorRate{87, 4096, 8192},     // Orin
    TensorRate{89, 2048, 4096},     // Ada
    TensorRate{90, 8192, 8192},     // Hopper: FP8 and INT8
    TensorRate{100, 16384, 32768},  // B200: FP4, as in all that follow
    TensorRate{101, 16384, 32768},  // Thor
    TensorRate{103, 16384, 49152},  // B300
    TensorRate{110, 16384, 32768},  // Thor, by its later number
    TensorRate{120, 2048, 4096},    // RTX Blackwell
    TensorRate{121, 2048, 4096}};   // GB10

const TensorRate* tensor_rate(int compute_capability) {
  const auto* const found = std::find_if(
      kTensorRates.begin(), kTensorRates.end(),
      [&](const TensorRate& one) { return one.compute_capability == compute_capability; });
  return found == kTensorRates.end() ? nullptr : found;
}

// A ceiling with a rate: its value and the upper end of its interval.
struct Reached {
  std::string name;
  double rate = 0, best = 0;
};
using ReachedByName = std::map<std::string, Reached>;

void add_reached(const CeilingRecord& ceiling, ReachedByName& to) {
  if (!is_time(ceiling.value)) return;
  const double high = ceiling.ci_high.value_or(ceiling.value);
  to[ceiling.name] = {ceiling.name, ceiling.value,
                      std::isfinite(high) ? std::max(high, ceiling.value) : ceiling.value};
}

ReachedByName reached_by(const DeviceInfo& device, const std::vector<CeilingRecord>& measured) {
  ReachedByName reached;
  if (device.has_clock) {
    for (const CeilingRecord& ceiling : measured) add_reached(ceiling, reached);
    return reached;
  }
  for (const auto& [name, rate] : device.model_ceilings) {
    CeilingRecord ceiling;
    ceiling.name = name;
    ceiling.value = rate;
    add_reached(ceiling, reached);
  }
  return reached;
}

const Reached* fastest_of(const ReachedByName& reached, bool (*counts)(const std::string& name)) {
  const Reached* fastest = nullptr;
  for (const auto& [name, one] : reached)
    if (counts(name) && (fastest == nullptr || one.best > fastest->best)) fastest = &one;
  return fastest;
}

bool is_of_memory(const std::string& name) {
  return name == "read" || name == "write" || name == "copy";
}

bool is_in_8_bits(const std::string& name) {
  return name.ends_with("_i8") || name.ends_with("_e4m3");
}

std::optional<Peak> memory_peak(const DeviceInfo& device, const ReachedByName& reached) {
  if (device.l2_bytes <= 0) return std::nullopt;
  // A ceiling of copying alone is too low, because reading is faster.
  if (reached.contains("read")) {
    const Reached& fastest = *fastest_of(reached, is_of_memory);
    return Peak{fastest.rate, fastest.best * kCeilingHeadroom,
                device.has_clock ? "measured: " + fastest.name : ""};
  }
  // DRAM moves data on both edges of the clock. MHz times bytes are MB/s.
  const double rate =
      2.0 * std::max(device.memory_clock_mhz, 0) * std::max(device.memory_bus_bits, 0) / 8 / 1e3;
  if (!device.has_clock || rate <= 0) return std::nullopt;
  return Peak{rate, rate, "by its memory clock and bus width", true};
}

std::optional<Peak> compute_peak(const DeviceInfo& device, const ReachedByName& reached) {
  const TensorRate* rates = tensor_rate(device.compute_capability);
  if (rates == nullptr) return std::nullopt;
  if (const Reached* fastest = fastest_of(reached, is_in_8_bits);
      fastest != nullptr && rates->in_8_bits > 0) {
    const double more = rates->narrowest / rates->in_8_bits;
    std::string source;
    if (device.has_clock) source = "measured: " + fastest->name;
    if (device.has_clock && more > 1) source += fmt::format(", {:g} times that in 4 bits", more);
    return Peak{fastest->rate * more, fastest->best * more * kCeilingHeadroom, source};
  }
  // MHz times operations are MFLOP/s.
  const double rate = static_cast<double>(std::max(device.sm_count, 0)) *
                      std::max(device.max_sm_clock_mhz, 0) * rates->narrowest / 1e3;
  if (!device.has_clock || rate <= 0) return std::nullopt;
  return Peak{rate, rate, "by its clock and tensor cores", true};
}

// The text has at least three digits.
std::string rate_text(double rate) {
  return rate < 99.95 ? fmt::format("{:.3g}", rate) : fmt::format("{:.0f}", rate);
}

// `rate` is in GFLOP/s.
std::string flops_text(double rate) { return rate_text(rate / 1e3) + " TFLOP/s"; }

std::string time_text(double us, double units) {
  if (units == 1) return fmt::format("{:.4g} µs", us);
  return fmt::format("{:.4g} µs per unit, {:.4g} µs for a launch of {:g},", us, us * units, units);
}

std::string source_text(const Peak& peak) {
  return peak.source.empty() ? "" : fmt::format(" ({})", peak.source);
}

// "but this GPU moves at most 4572 GB/s (measured: read): ..."
std::string rest_text(const Peaks& peaks, const char* does, const std::string& rate,
                      const Peak& peak, const char* counted, double amount) {
  return fmt::format(
      ", but {} {} at most {}{}: either the contract counts too much work (`work.{}` is {:.0f}), "
      "or the launch does less than it should",
      peaks.modelled ? "the model of this device" : "this GPU", does, rate, source_text(peak),
      counted, amount);
}

}  // namespace

Peaks find_peaks(const DeviceInfo& device, const std::vector<CeilingRecord>& measured) {
  const ReachedByName reached = reached_by(device, measured);
  Peaks peaks;
  peaks.modelled = !device.has_clock;
  peaks.l2_bytes = std::max(0.0, static_cast<double>(device.l2_bytes));
  peaks.memory = memory_peak(device, reached);
  peaks.compute = compute_peak(device, reached);
  return peaks;
}

PeaksByDevice find_peaks(const std::vector<std::pair<RowId, DeviceRecord>>& devices,
                         const std::function<std::vector<CeilingRecord>(RowId)>& ceilings_of) {
  PeaksByDevice peaks;
  for (const auto& [id, record] : devices) {
    const DeviceInfo* details = record.details.readable();
    if (details == nullptr) continue;
    DeviceInfo device = *details;
    device.has_clock = record.has_clock;
    peaks[record.fingerprint] = find_peaks(device, ceilings_of(id));
  }
  return peaks;
}

std::optional<FailureReason> beyond_peaks(const Work& work, double us, const Peaks& peaks) {
  if (!is_time(us)) return std::nullopt;
  const double units = is_time(work.units) ? work.units : 1;
  const double beyond_l2 = work.bytes - peaks.l2_bytes / units;
  double memory_us = 0, compute_us = 0;
  if (peaks.memory && std::isfinite(work.bytes) && beyond_l2 > 0)
    memory_us = us_at(beyond_l2, peaks.memory->most);
  if (peaks.compute && std::isfinite(work.flops) && work.flops > 0)
    compute_us = us_at(work.flops, peaks.compute->most);
  if (us >= memory_us && us >= compute_us) return std::nullopt;
  const std::string time = time_text(us, units) + " would be ";
  const auto rate = [us](double amount) { return amount / us / 1e3; };
  const auto told = [](std::string text, const Peak& peak) {
    const FailureCode code = peak.from_driver ? FailureCode::kDriverPeak : FailureCode::kNone;
    return FailureReason(std::move(text), {code, ""});
  };
  if (memory_us >= compute_us) {
    return told(time +
                    fmt::format("{} GB/s ({} GB/s without what L2 can hold)",
                                rate_text(rate(work.bytes)), rate_text(rate(beyond_l2))) +
                    rest_text(peaks, "moves", rate_text(peaks.memory->rate) + " GB/s",
                              *peaks.memory, "bytes", work.bytes * units),
                *peaks.memory);
  }
  return told(time + flops_text(rate(work.flops)) +
                  rest_text(peaks, "computes", flops_text(peaks.compute->rate), *peaks.compute,
                            "flops", work.flops * units),
              *peaks.compute);
}

std::optional<FailureReason> beyond_peaks(const TrialRecord& trial, double us, const Peaks& peaks) {
  // Most trials would be possible without any L2, so that their units need not be read.
  const auto faster_than = [us](double amount, const std::optional<Peak>& peak) {
    return peak && us < us_at(amount, peak->most);
  };
  if (!faster_than(trial.work_bytes, peaks.memory) && !faster_than(trial.work_flops, peaks.compute))
    return std::nullopt;
  Work work = work_of(trial);
  work.units = units_of(trial);
  return beyond_peaks(work, us, peaks);
}

}  // namespace warpwright
