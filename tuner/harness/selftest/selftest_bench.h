// Kernels whose true time is known, ready to be timed on an open device. Every section that runs in
// a worker process uses them. They come from kernels/harness_*/, through the same contract,
// compiler and checks as any kernel of a sweep, and each configuration is validated before it is
// timed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "records/configuration.h"
#include "trial/data/problem_data.h"
#include "trial/reference/reference.h"
#include "trial/timing/measure.h"
#include "trial/validation/trial_validation.h"

namespace warpwright {

// The files that a worker needs; made by the orchestrator, sent through the pipe.
struct HarnessSetup {
  struct Kernel {
    std::filesystem::path file;               // its kernel.yaml
    std::filesystem::path reference_library;  // empty: compiled and cached
  };
  std::string device;
  std::map<std::string, Kernel> kernels;  // by name
  std::filesystem::path common_headers;
  std::filesystem::path cache_folder;  // of references and their answers
};
void to_json(nlohmann::json& json, const HarnessSetup::Kernel& kernel);
void from_json(const nlohmann::json& json, HarnessSetup::Kernel& kernel);
void to_json(nlohmann::json& json, const HarnessSetup& setup);
void from_json(const nlohmann::json& json, HarnessSetup& setup);

using Compile = std::function<CompileResult(const CompileJob& job)>;

struct Bench {
  Device& device;
  const HarnessSetup& setup;
  Compile compile;
};

class HarnessKernel {
 public:
  // Compiles `as` on `problem`; configurations of the harness kernels that differ only in arguments
  // share this module. Throws Error (environment) when it cannot be compiled or loaded.
  HarnessKernel(const Bench& bench, const std::string& name, const Problem& problem,
                const Configuration& as);

  // Validates on first use. Throws Error (environment) with the reason when that fails, because no
  // time on this device would then be meaningful.
  [[nodiscard]] const LaunchSequence& launches(const Configuration& configuration);
  [[nodiscard]] std::unique_ptr<TimingPlan> plan(const Configuration& configuration,
                                                 TimingMode mode = TimingMode::kCold);
  // The time of one launch, with all overhead.
  [[nodiscard]] double rough_us(const Configuration& configuration);
  [[nodiscard]] Device& device() { return device_; }

 private:
  Device& device_;
  const KernelSpec kernel_;
  TrialOptions options_;
  std::unique_ptr<Reference> reference_;
  std::unique_ptr<ReferenceStore> store_;
  std::unique_ptr<ProblemData> data_;
  std::shared_ptr<const DeviceModule> module_;
  std::map<Configuration, std::unique_ptr<TrialValidation>> checks_;
};

// Returns the raw samples of one take(). Throws Error (environment) when the device fails.
[[nodiscard]] Samples take_or_throw(TimingPlan& plan, int samples);
// Calls measure_steadily(), and again when the device was not steady. Throws Error (environment)
// when there is still no time.
[[nodiscard]] Measurement measure_or_throw(Device& device, TimingPlan& plan, double half_width,
                                           int most, std::chrono::milliseconds time_limit);

// One of the two kernels that the harness is tested against: harness_spin, a latency kernel whose
// true time is its number of steps times the time of one, and harness_stream, a copy near the
// memory's limit. Each is made for a wanted time on the device at hand and can be made slower by a
// known share.
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
