// A baseline records the state of kernels when they were good, in a form that is easy to review. A
// folder holds
//
//     baseline.yaml   per kernel, problem and device: the configuration, its times, its figures
//     kernels/        the sources as they were, so that they can be built and raced anywhere
//
// The text is a function of the content: one fact per line, in a fixed order, without dates and
// machine names, so that a difference in git is a difference in a kernel.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/metric_rules.h"
#include "core/source_location.h"
#include "records/configuration.h"

namespace warpwright {

inline constexpr const char* kBaselineFile = "baseline.yaml";

// A measured time, with the facts other than the sources that it depends on.
struct BaselineTime {
  std::string device;  // "NVIDIA H200"
  std::string driver;
  std::string nvrtc;
  std::string protocol;
  double median_us = 0;
  double ci_low_us = 0, ci_high_us = 0;
  std::vector<Configuration> ties;  // indistinguishable from the winner, which is not in the list
};

struct BaselineEntry {
  std::string kernel;
  Problem problem;  // with all sizes filled in
  // The smaller problem that a device without a clock runs instead. Absent when `problem` itself is
  // small enough, or when the device runs none.
  std::optional<std::map<std::string, Value>> emulated;
  Configuration configuration;
  std::optional<BaselineTime> measured;
  // The following belong to the problem that a device without a clock runs, and were made by the
  // baseline's compiler and emulator.
  std::string machine_code;  // compile/machine_code.h
  Metrics metrics;           // compiler figures by entry point, and emulator counters without one
  SourceLocation where;
};

struct BaselineSource {
  std::string path;    // "kernels/softmax_topk/block_row.cu"
  std::string sha256;  // hash of the text
};

struct Baseline {
  std::filesystem::path folder;
  std::string arch;                     // the figures' architecture, such as "sm_90a"
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

// Returns the text of baseline.yaml with its contents sorted. `made_by` is the command that the
// text shows to its readers.
[[nodiscard]] std::string baseline_text(Baseline baseline, const std::string& made_by);

// Reads DIR/baseline.yaml and checks every source against its hash: a baseline that was damaged, or
// edited to pass, must not pass. Throws Error (user) at the place of the fault, or at the source
// that is missing or was edited.
[[nodiscard]] Baseline read_baseline(const std::filesystem::path& folder);
// Parses the text alone; messages refer to it as `file`.
[[nodiscard]] Baseline parse_baseline(std::string_view text, const std::string& file);

}  // namespace warpwright
