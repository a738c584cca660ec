// A baseline: the state of kernels when they were good, in a form that is easy to review. A folder
// holds
//   baseline.yaml   per kernel, problem and device: the configuration, its times, its figures
//   kernels/        the sources as they were, so that they can be built and raced anywhere
// The text is a function of the content: one fact a line, in a fixed order, no dates and no
// machine's name, so that a difference in git is a difference in a kernel.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/metric_rules.h"
#include "core/error.h"
#include "records/configuration.h"
#include "records/problem.h"

namespace warpwright {

inline constexpr const char* kBaselineFile = "baseline.yaml";

// A time that was measured, with what it depends on besides the sources.
struct BaselineTime {
  std::string device;  // "NVIDIA H200"
  std::string driver;
  std::string nvrtc;
  std::string protocol;
  double median_us = 0;
  double ci_low_us = 0, ci_high_us = 0;
  std::vector<Configuration> ties;  // indistinguishable from the winner, which is not among them
};

struct BaselineEntry {
  std::string kernel;
  Problem problem;  // completed
  // What a device without a clock runs instead; absent when `problem` is small enough or when
  // nothing is.
  std::optional<std::map<std::string, Value>> emulated;
  Configuration configuration;
  std::optional<BaselineTime> measured;
  // Of the problem that a device without a clock runs, by the baseline's compiler and emulator:
  std::string machine_code;  // compile/machine_code.h
  Metrics metrics;           // of the compiler, by entry point, and of the emulator, without one
  SourcePosition where;
};

struct BaselineSource {
  std::string path;    // "kernels/softmax_topk/block_row.cu"
  std::string sha256;  // of the text
};

struct Baseline {
  std::filesystem::path folder;
  std::string arch;                     // "sm_90a": what the figures were compiled for
  std::string nvrtc;                    // "13.0.88"
  std::string emulator;                 // "emulator 1"
  std::vector<BaselineSource> sources;  // by path
  std::vector<BaselineEntry> entries;   // by kernel, problem, device, configuration

  [[nodiscard]] std::filesystem::path kernel_file(const std::string& kernel) const {
    return folder / "kernels" / kernel / "kernel.yaml";
  }
  [[nodiscard]] std::filesystem::path common_headers() const {
    return folder / "kernels" / "common";
  }
};

// The text of baseline.yaml; sorts what it writes. `made_by` is the command, for the reader.
[[nodiscard]] std::string baseline_text(Baseline baseline, const std::string& made_by);

// Reads DIR/baseline.yaml and checks every source against its hash. Throws Error (user) at the
// place of the fault, or at the source that is missing or was edited.
[[nodiscard]] Baseline read_baseline(const std::filesystem::path& folder);
// The text alone; `file` is how messages call it.
[[nodiscard]] Baseline parse_baseline(std::string_view text, const std::string& file);

}  // namespace warpwright
